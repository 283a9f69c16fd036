package regression

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/estimate"
	"ident/robot"
)

// Choice returns the estimator of a fit. Fit calls it once the base parameters are known.
type Choice func(r *robot.Robot, set *baseparams.Set) (estimate.Estimator, error)

// Posterior returns the choice of the maximum a posteriori estimate under this prior. If Weight is zero, the training
// rows choose it.
func (p *PriorSource) Posterior() Choice {
	if p.Stage != nil {
		return p.Stage
	}
	return func(r *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		prior, err := p.prior(r, set)
		if err != nil {
			return nil, err
		}
		mean, covariance := prior.Informative().Base(set)
		at := estimate.MAP{Mean: mean, Covariance: covariance, Weight: p.Weight}
		if p.Weight == 0 {
			return estimate.ChosenMAP{MAP: at}, nil
		}
		return at, nil
	}
}

// estimated is a solution with the name of its estimator and the test of its bias.
type estimated struct {
	*estimate.Solution
	estimator string                // name for the result
	bias      *estimate.Endogeneity // test of least squares, where instruments tell
}

// estimate finds the parameters from the rows as decided. It reuses the least-squares solution if a decision has
// computed it.
func (e *experiment) estimate(ctx context.Context, r *robot.Robot, set *baseparams.Set, d *reduced) (estimated, error) {
	var est estimate.Estimator = estimate.Linear{Weighting: e.cfg.Weighting}
	if e.cfg.Estimator != nil {
		var err error
		if est, err = e.cfg.Estimator(r, set); err != nil {
			return estimated{}, err
		}
	}
	problem := &estimate.Problem{Reduction: d.rows.sum, Rows: e, MinimumNorm: e.cfg.MinimumNorm}
	out := estimated{estimator: est.Name()}
	var err error
	if d.apart {
		problem.Rows = nil
	}
	if s, ok := est.(*servoEstimator); ok && d.apart {
		err = &RowsError{"the estimator " + est.Name(), "its motion is simulated beside them"}
	} else if ok {
		out, err = s.estimate(ctx, e, problem)
	} else if e.cfg.Estimator == nil {
		out.Solution, err = d.solve(d.cfg.Weighting)
	} else {
		out.Solution, err = est.Estimate(ctx, problem)
	}
	if err == nil && out.Stack == nil && e.cfg.Consistent != nil {
		err = fmt.Errorf("a %s estimate cannot be made physically consistent: it is not the minimum of a sum of squares; use wls", est.Name())
	}
	return out, err
}
