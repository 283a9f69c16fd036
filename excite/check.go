package excite

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"ident/internal/triangle"
	"ident/regressor"
)

// Margin is what a trajectory leaves free of a joint's limits at its worst
// moment, as a fraction of the limit, of half the range for the position. A
// joint held still has zero margins of velocity and acceleration and no room.
type Margin struct {
	Joint        string  `json:"joint"`
	Position     float64 `json:"position"`
	Velocity     float64 `json:"velocity"`
	Acceleration float64 `json:"acceleration"`
}

// checkRate is the grid of the final check, Hz.
const checkRate = 10000

// check measures a trajectory against its full limits, on a dense grid with
// the bound between its points, from the coefficients alone.
func check(tr *Trajectory, axes []axis) (margins []Margin, violations int) {
	n := tr.Harmonics()
	samples := min(max(gridPerHarmonic*n, int(math.Ceil(checkRate*tr.Period))), 1<<20)
	factor := 1 / math.Cos(math.Pi*float64(n)/float64(samples))
	joints := tr.DOF()
	peak := make([][3]float64, joints)
	q, dq, ddq := make([]float64, joints), make([]float64, joints), make([]float64, joints)
	for k := range samples {
		tr.Eval(tr.Period*float64(k)/float64(samples), q, dq, ddq)
		for i := range axes {
			p := &peak[i]
			p[0] = max(p[0], math.Abs(q[i]-axes[i].centre))
			p[1], p[2] = max(p[1], math.Abs(dq[i])), max(p[2], math.Abs(ddq[i]))
		}
	}
	for i := range axes {
		ax := &axes[i]
		m := Margin{Joint: ax.name}
		limits := [3]float64{(ax.full.Upper - ax.full.Lower) / 2, ax.full.Velocity, ax.full.Accel}
		for k, to := range [3]*float64{&m.Position, &m.Velocity, &m.Acceleration} {
			used := peak[i][k] * factor
			if ax.held {
				if used > 0 {
					violations++
				}
				continue
			}
			*to = 1 - used/limits[k]
			if !(used <= limits[k]) {
				violations++
			}
		}
		margins = append(margins, m)
	}
	return margins, violations
}

// finalRate is the sampling at which the result's condition number is given:
// four times the search's.
func finalRate(s *space) float64 { return 4 * float64(s.rows.samples) / s.period }

// Condition returns the condition number of a model's regressor along one
// period of a trajectory, columns scaled to unit norm and as they are, sampled
// at the given rate in Hz from half a step on. It is +Inf where a column is
// not excited.
func Condition(m *regressor.Model, tr *Trajectory, rate float64) (scaled, raw float64) {
	e := newSpectrum(m, max(1, int(math.Round(rate*tr.Period))))
	joints := tr.DOF()
	q, dq, ddq := make([]float64, joints), make([]float64, joints), make([]float64, joints)
	for k := range e.samples {
		tr.Eval(tr.Period*(float64(k)+0.5)/float64(e.samples), q, dq, ddq)
		for i := range joints {
			e.motion[0][i][k], e.motion[1][i][k], e.motion[2][i][k] = q[i], dq[i], ddq[i]
		}
	}
	scaled = e.condition()
	if math.IsInf(scaled, 1) {
		return scaled, scaled
	}
	e.unscale()
	if !e.singular(false) {
		return scaled, math.Inf(1)
	}
	return scaled, ratio(e.sigma)
}

// excited divides the model's columns into those that motions within the
// limits can tell apart, the first independent ones in the model's order, and
// the rest.
func excited(e *evaluator, s *space, rng *rand.Rand) (kept, left []int) {
	const (
		motions  = 6
		noEffect = 1e-11
		depends  = 1e-9
	)
	n := len(e.m.Columns())
	all := make([][]float64, n)
	for range motions {
		s.motion(s.draw(rng), e.motion[0], e.motion[1], e.motion[2])
		e.rows()
		for c := range all {
			all[c] = append(all[c], e.w[c]...)
		}
	}
	norms, largest := make([]float64, n), 0.0
	for c := range all {
		norms[c] = length(all[c])
		largest = max(largest, norms[c])
	}
	for c := range all {
		if norms[c] > noEffect*largest {
			floats.Scale(1/norms[c], all[c])
		} else {
			clear(all[c])
		}
	}
	f := triangle.New(n)
	f.Add(all, make([]float64, len(all[0])), new(triangle.Work))
	for c := range n {
		// The diagonal is what the columns before do not span.
		if f.R[c*n+c] > depends {
			kept = append(kept, c)
		} else {
			left = append(left, c)
		}
	}
	return kept, left
}
