package result

import (
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// PeriodicTorque is a torque periodic in a joint's angle, A·sin(n·s + φ). The standard deviations of A and φ follow to
// first order from those of the sine's and the cosine's parameter, and hold if A is several standard deviations from zero.
type PeriodicTorque struct {
	Joint      string  `json:"joint"`
	Periods    float64 `json:"periods"` // number of periods per turn of the joint, or per metre
	Amplitude  float64 `json:"amplitude"`
	Sigma      float64 `json:"sigma"` // standard deviation of the amplitude
	Unit       string  `json:"unit"`
	Phase      float64 `json:"phase_rad"`
	PhaseSigma float64 `json:"phase_sigma_rad"`
}

// DescribePeriodic adds amplitude and phase of estimated periodic torques to a result. If gravity or a spring has the
// same columns, the base parameters contain these too, and nothing is added.
func (res *Result) DescribePeriodic(r *robot.Robot, terms []regressor.Term, set *baseparams.Set, s *estimate.Solution) error {
	at := slices.IndexFunc(terms, func(t regressor.Term) bool { return t.Name() == regressor.Ripple })
	if at < 0 {
		return nil
	}
	orders, err := regressor.RippleOrders(r, terms[at])
	if err != nil {
		return err
	}
	alone := func(link, param int) int {
		k := slices.IndexFunc(set.Base, func(c int) bool {
			col := &set.Columns[c]
			return col.Term == regressor.Ripple && col.Link == link && col.Param == param
		})
		if k >= 0 && slices.ContainsFunc(set.Beta[k], func(b float64) bool { return b != 0 }) {
			return -1
		}
		return k
	}
	for link := range r.Links {
		for i, n := range orders[link] {
			a, b := alone(link, 2*i), alone(link, 2*i+1)
			if a < 0 || b < 0 {
				continue
			}
			sin, cos := s.X[a], s.X[b]
			p := PeriodicTorque{Joint: r.Links[link].Joint.Name, Periods: n, Unit: set.Columns[set.Base[a]].Unit, Amplitude: math.Hypot(sin, cos), Phase: math.Atan2(cos, sin)}
			if p.Amplitude == 0 {
				continue
			}
			u, v, c := sin/p.Amplitude, cos/p.Amplitude, s.Covariance
			p.Sigma = math.Sqrt(max(u*u*c[a][a]+2*u*v*c[a][b]+v*v*c[b][b], 0))
			p.PhaseSigma = math.Sqrt(max(v*v*c[a][a]-2*u*v*c[a][b]+u*u*c[b][b], 0)) / p.Amplitude
			res.PeriodicTorques = append(res.PeriodicTorques, p)
			res.Notes = append(res.Notes, fmt.Sprintf("torque periodic in joint %q, %.6g periods a %s: amplitude %.4g ± %.2g %s, phase %.3g ± %.2g rad",
				p.Joint, n, map[string]string{"N·m": "turn", "N": "metre"}[p.Unit], p.Amplitude, p.Sigma, p.Unit, p.Phase, p.PhaseSigma))
		}
	}
	return nil
}
