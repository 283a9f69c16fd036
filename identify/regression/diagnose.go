package regression

import (
	"context"
	"fmt"
	"math"

	"ident/estimate"
	"ident/observation"
	"ident/physical"
	"ident/result"
	"ident/robot"
)

// rounding is the relative error in per cent below which residuals are mere rounding, so that no statistic has a
// meaning.
const rounding = 1e-6

// diagnose judges a fit by its reduction and its residuals. It returns nil if the residuals are mere rounding.
func (e *experiment) diagnose(ctx context.Context, r *robot.Robot, out *Outcome, tests *residualTests) (*estimate.Diagnosis, error) {
	if out.Result.Fit.RelativeError.Stacked < rounding {
		return nil, nil
	}
	d, err := out.Reduction.Diagnose(e.cfg.Weighting)
	if err != nil {
		return nil, err
	}
	if out.cross == nil && out.possible != nil && !e.cfg.Plain {
		if out.cross, err = out.Reduction.Parts().CrossValidateBy(e.cfg.possible(ctx, r, out.Base, ofWhole(*out.possible, out.Solution))); err != nil {
			out.Result.Notes = append(out.Result.Notes, fmt.Sprintf("the cross-validation is of the free estimate, because the feasible one could not be computed without a part of the rows: %v", err))
		}
	}
	if out.cross == nil && e.cfg.Estimator != nil && !e.cfg.Plain {
		out.cross = e.crossValidate(ctx, r, out)
	}
	if out.cross != nil {
		d.CrossValidation = out.cross
	}
	if tests != nil {
		d.Residuals = tests.Results()
	}
	d.Terms = e.lackOfFit(out.added, out.Solution)
	if b := e.cfg.Bootstrap; b != nil && e.cfg.Consistent == nil {
		if d.Bootstrap, err = bootstrap(e, out, *b); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// crossValidate leaves out parts of the rows and estimates again with the configured estimator. It returns nil and adds
// a note if that estimator needs more than reduced rows.
func (e *experiment) crossValidate(ctx context.Context, r *robot.Robot, out *Outcome) *estimate.CrossValidation {
	est, err := e.cfg.Estimator(r, out.Base)
	if _, servo := est.(*servoEstimator); err != nil || servo {
		return nil
	}
	cross, err := out.Reduction.CrossValidateGains(gainsOf(out.Base).Columns, func(rest *estimate.Reduction) ([]float64, int, error) {
		s, err := est.Estimate(ctx, &estimate.Problem{Reduction: rest, MinimumNorm: true})
		if err != nil {
			return nil, 0, err
		}
		return s.X, s.Rank, nil
	})
	if err != nil {
		out.Result.Notes = append(out.Result.Notes, fmt.Sprintf("the cross-validation is of weighted least squares, because %s needs more than the factors of the rows", est.Name()))
		return nil
	}
	return cross
}

// Bootstrap asks for a block bootstrap of the estimate.
type Bootstrap struct {
	Draws  int
	Period float64 // period of the motion, s; 0 means two time blocks
}

// bootstrap resamples whole periods of the motion.
func bootstrap(e *experiment, out *Outcome, b Bootstrap) (*estimate.Bootstrap, error) {
	seg := &e.segments[0][0]
	f, err := observation.NewRowFilter(e.cfg.settings(), seg.DT)
	if err != nil {
		return nil, err
	}
	opt := estimate.BootstrapOptions{Draws: b.Draws, Seed: e.cfg.Seed}
	if b.Period > 0 {
		block := float64(f.BlockSamples(e.cfg.Cutoff, seg, e.leastBlock(0))) * seg.DT
		opt.Period = max(1, int(math.Round(b.Period/block)))
	}
	plain, err := out.Reduction.Solve(e.cfg.Weighting, false)
	if err != nil {
		return nil, err
	}
	return out.Reduction.Bootstrap(plain, opt)
}

// intervals adds the intervals of a constrained estimate to the result: each bootstrap draw is constrained again by
// bound. Without a bootstrap it adds none.
func (c *Config) intervals(ctx context.Context, res *result.Result, s *estimate.Solution, bound func(*estimate.Solution) ([]float64, error)) error {
	b := c.Bootstrap
	if b == nil {
		return nil
	}
	done := 0
	bounds, err := physical.UnderConstraints(ctx, s, b.Draws, c.Seed, func(d *estimate.Solution) ([]float64, error) {
		done++
		c.Progress("intervals", done, b.Draws)
		return bound(d)
	})
	if err != nil {
		return err
	}
	res.DescribeIntervals(bounds)
	return nil
}

// residualTests are tests of the training runs' residuals, which must be added in order of time.
type residualTests struct {
	*estimate.ResidualTests
	last float64 // time of the last residual, s
}

// startResidualTests prepares the tests for residuals dt seconds apart. If the residuals went through a low-pass, the
// tests take one every half period of its cut-off.
func startResidualTests(c *Config, joints int, dt float64) *residualTests {
	every := 1.0
	if c.Cutoff > 0 && c.Decimate <= 1 {
		every = 1 / (2 * c.Cutoff * dt)
	}
	return &residualTests{estimate.NewResidualTests(joints, int(math.Ceil(every))), math.Inf(-1)}
}

// add passes the residuals of a chunk of a training run to the tests.
func (t *residualTests) add(run int, s *sums) error {
	if len(s.T) == 0 {
		return nil
	}
	r := estimate.Residuals{Run: run, At: 1}
	// A time step that differs from the chunk's own begins another stretch.
	if step := s.T[0] - t.last; len(s.T) < 2 || !(step > 0 && step < 1.5*(s.T[1]-s.T[0])) {
		r.At = 0
	}
	t.last = s.T[len(s.T)-1]
	for k := range s.Measured {
		d := make([]float64, len(s.T))
		for i, v := range s.Measured[k] {
			d[i] = v - s.Predicted[k][i]
		}
		r.E = append(r.E, d)
	}
	r.LeftOut = s.atRest
	return t.Add(&r)
}
