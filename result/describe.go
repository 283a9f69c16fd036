package result

import (
	"fmt"
	"math"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// Describe fills the parameter tables of a result from a solution over the columns of set.Base: base parameters with
// standard deviations and intervals, standard parameters lifted onto the robot's own values, and the infeasible bodies
// among them.
func (res *Result) Describe(r *robot.Robot, set *baseparams.Set, sol *estimate.Solution) {
	prior := make([]float64, len(set.Columns))
	known := make([]bool, len(set.Columns))
	for i, c := range set.Columns {
		prior[i], known[i] = regressor.ValueOf(r, c)
	}
	before := set.FromStandard(prior)
	res.BaseParameters, res.DriveParameters = nil, nil
	for k, c := range set.Base {
		col := set.Columns[c]
		p := BaseParameter{Name: set.Name(k), Expression: set.Relation(k).Expression, Unit: col.Unit, Value: sol.X[k],
			Sigma: math.Sqrt(sol.Covariance[k][k]), Prior: before[k], HasPrior: known[c],
			Link: r.Links[col.Link].Name, Joint: r.Links[col.Link].Joint.Name}
		for d, b := range set.Beta[k] {
			p.HasPrior = p.HasPrior && (b == 0 || known[set.Dependent[d]])
		}
		if sol.NoiseCovariance != nil {
			p.NoiseOnlySigma = math.Sqrt(sol.NoiseCovariance[k][k])
		}
		p.RelativeSigmaPercent = relativePercent(p.Sigma, p.Value)
		freedom := sol.DegreesOfFreedom[k]
		if freedom <= 1e6 {
			p.DegreesOfFreedom = freedom
		}
		t := estimate.StudentQuantile(freedom)
		p.Low95, p.High95 = p.Value-t*p.Sigma, p.Value+t*p.Sigma
		res.BaseParameters = append(res.BaseParameters, p)
		if d, ok := driveParameter(set, k, &p); ok {
			res.DriveParameters = append(res.DriveParameters, d)
		}
	}
	res.Covariance = sol.Covariance
	res.NoiseSigma, res.CorrelationInflation, res.RecurrenceInflation = sol.Sigma, sol.VarianceInflation, sol.Recurrence
	res.EffectiveSamples = make([]float64, len(sol.Rows))
	for k, n := range sol.Rows {
		res.EffectiveSamples[k] = float64(n) / sol.VarianceInflation[k]
	}
	// A factor with a zero column has an infinite condition number, which JSON cannot express.
	res.Condition = Condition{Scaled: math.Min(sol.ConditionScaled, math.MaxFloat64), Raw: math.Min(sol.ConditionRaw, math.MaxFloat64)}
	res.lift(r, set, sol, prior)
}

// driveParameter returns base parameter k of a set if it belongs to a drive alone and cannot be negative.
func driveParameter(set *baseparams.Set, k int, p *BaseParameter) (DriveParameter, bool) {
	col := set.Columns[set.Base[k]]
	if col.Term == regressor.Links || col.Signed || p.Sigma == 0 {
		return DriveParameter{}, false
	}
	for _, b := range set.Beta[k] {
		if b != 0 {
			return DriveParameter{}, false
		}
	}
	return DriveParameter{Name: p.Name, Joint: p.Joint, Friction: col.Dissipates(), Deviations: p.Value / p.Sigma}, true
}

// relativePercent returns 100·σ/|x|. For a zero parameter it returns a billion per cent, because JSON has no infinity.
func relativePercent(sigma, value float64) float64 {
	if sigma == 0 {
		return 0
	}
	return math.Min(100*sigma/math.Abs(value), 1e9)
}

// lift fills the standard parameters and judges the bodies.
func (res *Result) lift(r *robot.Robot, set *baseparams.Set, sol *estimate.Solution, prior []float64) {
	chi := set.Lift(sol.X, prior)
	res.StandardParameters = nil
	at := make(map[int]int, len(set.Base))
	for k, c := range set.Base {
		at[c] = k
	}
	bodies := make([]robot.Inertial, len(r.Links))
	for j := range r.Links {
		bodies[j] = r.Links[j].Inertial // of parameters without a column
	}
	judged := make([]bool, len(r.Links))
	res.PhysicallyConsistent, res.Impossible = true, nil
	for i, c := range set.Columns {
		p := StdParameter{Name: c.Name, Link: r.Links[c.Link].Name, Frame: "mdh", Unit: c.Unit, Value: chi[i]}
		if k, ok := at[i]; ok {
			p.Sigma = math.Sqrt(sol.Covariance[k][k])
			p.Determined = true
			for _, b := range set.Beta[k] {
				p.Determined = p.Determined && b == 0
			}
		}
		res.StandardParameters = append(res.StandardParameters, p)
		switch c.Term {
		case regressor.Links:
			bodies[c.Link][c.Param] = chi[i]
			judged[c.Link] = r.Links[c.Link].HasInertial
		default:
			if chi[i] < 0 && !c.Signed {
				res.PhysicallyConsistent = false
				res.Impossible = append(res.Impossible, ImpossibleBody{Link: c.Owner, Parameter: c.Name,
					Why: fmt.Sprintf("%s = %.4g is negative", c.Name, chi[i])})
			}
		}
	}
	unknown := 0
	for j := range r.Links {
		if !judged[j] {
			unknown++
			continue
		}
		if least := physical.LeastEigenvalue(bodies[j]); least < 0 {
			res.PhysicallyConsistent = false
			res.Impossible = append(res.Impossible, ImpossibleBody{Link: r.Links[j].Name, MinEigenvalue: least, Why: physical.WhyImpossible(bodies[j])})
		}
	}
	if unknown == len(r.Links) {
		res.PhysicallyConsistent = false
		res.Notes = append(res.Notes, "the robot file gives no inertials: what the data do not determine was taken as zero, and the bodies cannot be judged")
	}
	if c, ok := userFrames(r, bodies); ok {
		res.StandardParameters = append(res.StandardParameters, c...)
	}
}

// userFrames returns the links' parameters in the user's own frames, for links whose two frames differ.
func userFrames(r *robot.Robot, bodies []robot.Inertial) ([]StdParameter, bool) {
	var out []StdParameter
	for j := range r.Links {
		l := &r.Links[j]
		if !l.HasInertial || l.UserFrame == robot.Identity() {
			continue
		}
		in := bodies[j].InFrame(l.UserFrame.Inv())
		for p, name := range robot.InertialNames {
			out = append(out, StdParameter{Name: robot.ParameterName(name, j), Link: l.Name, Frame: "user", Unit: robot.InertialUnits[p], Value: in[p]})
		}
	}
	return out, len(out) > 0
}
