package identify

import (
	"context"
	"fmt"
	"slices"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
	"ident/result"
)

// gainDoubt is the doubt of the drive gains (Run.GainSigma) in an estimate.
type gainDoubt struct {
	sigma            []float64 // relative, by joint
	found, deviation []float64 // relative errors of the gains that the rows show, by joint; nil where they were not sought
	part             []float64 // of each parameter's variance, made by the gains
}

// withGainDoubt takes the doubt of the drive gains into an estimate: a gain is wrong in all
// rows of a joint alike, δτ_j = δg_j·i_j, which no number of rows averages. Errors of
// the joints' gains are independent, those of one joint the same in all runs. Weighted
// least squares has them as unknowns (estimate.Calibrated): joints whose gains disagree
// would be noise otherwise. Of other estimators the covariance is widened by their
// response. The doubt is nil where all gains are exact.
func withGainDoubt(ctx context.Context, e *experiment, rows *estimate.Reduction, sol estimated) (estimated, *gainDoubt, error) {
	doubt := &gainDoubt{sigma: gainSigma(e)}
	if doubt.sigma == nil {
		return sol, nil, nil
	}
	switch ServoMethod(sol.estimator) {
	case CLIE, CLOE, ML:
		return sol, nil, fmt.Errorf("%s compares simulated motions, and the deviations of its parameters do not hold the doubt of drive gains (gain-sigma): estimate by least squares, iv or didim", sol.estimator)
	}
	if e.needs()&regressor.NeedLoad != 0 {
		return sol, nil, &NeedError{e.runs[0].Name, "friction of the load takes the torque into the regressor, where the doubt of drive gains (gain-sigma) is not followed", "leave out the term Fl or the doubt of the gains"}
	}
	errors, err := torqueErrors(ctx, e, doubt.sigma)
	if err != nil {
		return sol, nil, err
	}
	before := sol.Covariance
	wls := sol.estimator == string(estimate.WLS) || sol.estimator == "auto:"+string(estimate.WLS)
	if wls && sol.Stack != nil && sol.Rank == len(sol.X) && !e.cfg.Model.OfEnergy() {
		s, found, deviation, err := rows.Calibrated(sol.Solution, errors)
		if err != nil {
			return sol, nil, err
		}
		sol.Solution = s
		doubt.found, doubt.deviation = make([]float64, len(doubt.sigma)), make([]float64, len(doubt.sigma))
		for i, v := range errors {
			doubt.found[v.Equation], doubt.deviation[v.Equation] = -v.Sigma*found[i], v.Sigma*deviation[i]
		}
	} else {
		changes, err := rows.Response(sol.Solution, errors)
		if err != nil {
			return sol, nil, err
		}
		s := *sol.Solution
		s.Widen(changes)
		sol.Solution = &s
	}
	for i := range sol.X {
		doubt.part = append(doubt.part, max(sol.Covariance[i][i]-before[i][i], 0))
	}
	return sol, doubt, nil
}

// gainSigma are the relative deviations of the drive gains of the training runs, nil where
// all are exact.
func gainSigma(e *experiment) []float64 {
	for _, run := range e.runs[:e.training] {
		if slices.ContainsFunc(run.GainSigma, func(s float64) bool { return s > 0 }) {
			return run.GainSigma
		}
	}
	return nil
}

// torqueErrors reduces the rows of the gains' errors, in one pass, or where one equation
// holds all joints in a pass for each.
func torqueErrors(ctx context.Context, e *experiment, sigma []float64) ([]estimate.TorqueError, error) {
	var out []estimate.TorqueError
	if !e.cfg.Model.OfEnergy() {
		rows, err := ofGains(e, sigma).reduce(ctx)
		for k, s := range sigma {
			if s > 0 {
				out = append(out, estimate.TorqueError{Rows: rows.sum, Equation: k, Sigma: s})
			}
		}
		return out, err
	}
	for k, s := range sigma {
		if s == 0 {
			continue
		}
		one := make([]float64, len(sigma))
		one[k] = s
		rows, err := ofGains(e, one).reduce(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, estimate.TorqueError{Rows: rows.sum, Sigma: s})
	}
	return out, nil
}

// ofGains is the experiment whose measurement vector is the torque by the gains times
// sigma, by joint.
func ofGains(e *experiment, sigma []float64) *experiment {
	o := *e
	o.known = observation.Known{}
	o.runs = slices.Clone(e.runs)
	for i := range o.runs {
		run := &o.runs[i]
		gains := slices.Clone(sigma)
		for k := range gains {
			if run.Gains != nil {
				gains[k] *= run.Gains[k]
			}
		}
		if run.Gains == nil {
			run.Roles.Current = run.Roles.Tau
		}
		run.Gains, run.Redundant = gains, nil
	}
	return &o
}

// describe states the doubt in a result.
func (d *gainDoubt) describe(res *result.Result, sol *estimate.Solution) {
	if d == nil {
		return
	}
	most := 0
	for i, v := range d.part {
		if 2*v > sol.Covariance[i][i] {
			most++
		}
	}
	for k, s := range d.sigma {
		g := result.GainDoubt{Joint: res.Joints[k], SigmaPercent: 100 * s}
		if d.found != nil {
			g.FoundPercent, g.FoundSigmaPercent = 100*d.found[k], 100*d.deviation[k]
		}
		res.GainDoubts = append(res.GainDoubts, g)
	}
	res.Notes = append(res.Notes, fmt.Sprintf("the doubt of the drive gains is in the deviations: it is the greater part of %d of %d", most, len(d.part)))
	for _, g := range res.GainDoubts {
		// Below half of its given doubt a gain is decided by the rows, not by its prior.
		if d.found != nil && g.SigmaPercent > 0 && g.FoundSigmaPercent < 0.5*g.SigmaPercent {
			res.Notes = append(res.Notes, fmt.Sprintf("by the torques of the other joints the gain of %s differs from the given one by %+.2g ± %.2g %%", g.Joint, g.FoundPercent, g.FoundSigmaPercent))
		}
	}
}
