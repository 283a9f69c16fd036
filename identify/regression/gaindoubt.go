package regression

import (
	"context"
	"slices"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
)

// gainDoubt is the uncertainty of the drive gains (Run.GainSigma) in an estimate.
type gainDoubt struct {
	sigma            []float64 // relative, by joint
	found, deviation []float64 // relative errors of the gains that the rows show, by joint; nil where they were not sought
	part             []float64 // of each parameter's variance, made by the gains
}

// withGainDoubt adds the uncertainty of the drive gains to an estimate. A gain is wrong in all rows of a joint alike,
// δτ_j = δg_j·i_j, so that no number of rows averages it out. Errors of different joints' gains are independent; those
// of one joint are the same in all runs. Weighted least squares takes them as unknowns (estimate.Reduction.Calibrated):
// otherwise gains that disagree would look like noise. For other estimators the covariance is widened by their response.
// The doubt is nil if all gains are exact.
func withGainDoubt(ctx context.Context, e *experiment, rows *estimate.Reduction, sol estimated) (estimated, *gainDoubt, error) {
	doubt := &gainDoubt{sigma: gainSigma(e)}
	if doubt.sigma == nil {
		return sol, nil, nil
	}
	before, err := sol.Covariance, error(nil)
	switch m := ServoMethod(sol.estimator); m {
	case CLIE, CLOE, ML:
		var changes [][]float64
		if changes, err = servoGainChanges(ctx, e, m, sol.X, doubt.sigma); err == nil {
			sol.Solution = widened(sol.Solution, changes)
		}
	default:
		sol.Solution, err = doubt.ofRows(ctx, e, rows, sol)
	}
	if err != nil {
		return sol, nil, err
	}
	for i := range sol.X {
		doubt.part = append(doubt.part, max(sol.Covariance[i][i]-before[i][i], 0))
	}
	return sol, doubt, nil
}

// ofRows returns the estimate with the gain uncertainty, from the reduced rows.
func (d *gainDoubt) ofRows(ctx context.Context, e *experiment, rows *estimate.Reduction, sol estimated) (*estimate.Solution, error) {
	errors, err := torqueErrors(ctx, e, rows, d.sigma)
	if err != nil {
		return nil, err
	}
	wls := sol.estimator == string(estimate.WLS) || sol.estimator == "auto:"+string(estimate.WLS)
	if !wls || sol.Stack == nil || sol.Rank < len(sol.X) || e.cfg.Model.OfEnergy() {
		changes, err := rows.Response(sol.Solution, errors)
		if err != nil {
			return nil, err
		}
		return widened(sol.Solution, changes), nil
	}
	s, found, deviation, err := rows.Calibrated(sol.Solution, errors)
	if err != nil {
		return nil, err
	}
	d.found, d.deviation = make([]float64, len(d.sigma)), make([]float64, len(d.sigma))
	for i, v := range errors {
		d.found[v.Equation], d.deviation[v.Equation] = -v.Sigma*found[i], v.Sigma*deviation[i]
	}
	return s, nil
}

func widened(sol *estimate.Solution, changes [][]float64) *estimate.Solution {
	s := *sol
	s.Widen(changes)
	return &s
}

// gainSigma returns the relative standard deviations of the drive gains of the training runs, or nil if all gains are
// exact.
func gainSigma(e *experiment) []float64 {
	for _, run := range e.runs[:e.training] {
		if slices.ContainsFunc(run.GainSigma, func(s float64) bool { return s > 0 }) {
			return run.GainSigma
		}
	}
	return nil
}

// torqueErrors returns the errors of the gains as rows of the torque that each gain makes. It reuses the rows of the fit
// if their measurement vector holds nothing else. Otherwise it needs one more pass, or one per joint for models with a
// single equation for all joints.
func torqueErrors(ctx context.Context, e *experiment, rows *estimate.Reduction, sigma []float64) ([]estimate.TorqueError, error) {
	loaded := e.model.Needs()&regressor.NeedLoad != 0
	redundant := slices.ContainsFunc(e.runs[:e.training], func(r Run) bool { return len(r.Redundant) > 0 })
	if e.needs()&regressor.NeedLoad != 0 && (e.cfg.Model.OfEnergy() || redundant) {
		return nil, &NeedError{e.runs[0].Name, "friction of the load takes the torques of several drives into one row, where the doubt of their gains (gain-sigma) is not followed",
			"take the model dynamic, filtered or momentum, or leave out the term Fl or the doubt of the gains"}
	}
	var out []estimate.TorqueError
	for k, s := range sigma {
		switch {
		case s == 0:
			continue
		case e.cfg.Model.OfEnergy():
			one := make([]float64, len(sigma))
			one[k] = 1
			of, err := ofGains(e, one).reduce(ctx)
			if err != nil {
				return nil, err
			}
			out = append(out, estimate.TorqueError{Rows: of.sum, Sigma: s})
			continue
		case len(out) > 0:
			rows = out[0].Rows
		case e.known.Model != nil || redundant:
			of, err := ofGains(e, nil).reduce(ctx)
			if err != nil {
				return nil, err
			}
			rows = of.sum
		}
		v := estimate.TorqueError{Rows: rows, Equation: k, Sigma: s}
		if loaded {
			v.Measured = columnsOf(e.model, regressor.LoadFs, k)
		}
		out = append(out, v)
	}
	return out, nil
}

// columnsOf returns the columns of a term at a joint.
func columnsOf(m *regressor.Model, term regressor.Term, joint int) (out []int) {
	for i, c := range m.Columns() {
		if c.Term == term && c.Link == m.JointLinks()[joint] {
			out = append(out, i)
		}
	}
	return out
}

// ofGains returns the experiment whose measurement vector is only the torque by the gains, multiplied by a factor for
// each joint (nil: ones). Of the known parameters it keeps the load-dependent friction, which the gains make as well.
func ofGains(e *experiment, factor []float64) *experiment {
	o := *e
	o.known = observation.Known{}
	if m := e.known.Model; m != nil && m.Needs()&regressor.NeedLoad != 0 {
		var at []int
		for i, c := range m.Columns() {
			if c.Term == regressor.LoadFs {
				at, o.known.Values = append(at, i), append(o.known.Values, e.known.Values[i])
			}
		}
		o.known.Model = m.Select(at)
	}
	o.runs = slices.Clone(e.runs)
	for i := range o.runs {
		run := &o.runs[i]
		run.Redundant = nil
		if factor == nil {
			continue
		}
		gains := slices.Clone(factor)
		for k := range gains {
			if run.Gains != nil {
				gains[k] *= run.Gains[k]
			}
		}
		if run.Gains == nil {
			run.Roles.Current = run.Roles.Tau
		}
		run.Gains = gains
	}
	return &o
}
