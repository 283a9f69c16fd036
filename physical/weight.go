package physical

import (
	"context"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/conic"
	"ident/robot"
)

// ChooseWeight is Reduction.ChooseWeight for physically consistent estimates with the
// given options; their weight is not used. It ends with the error of ctx within an estimate after that is done.
func ChooseWeight(ctx context.Context, r *estimate.Reduction, weighting estimate.Weighting, rb *robot.Robot, set *baseparams.Set, opt Options) (*estimate.WeightChoice, error) {
	if opt.Inflation == 0 {
		whole, err := r.Solve(weighting, true)
		if err != nil {
			return nil, err
		}
		opt.Inflation = MeanInflation(whole) // parts of the rows tell less of their correlation
	}
	return r.ChooseWeight(ctx, weighting, estimate.WeightGrid(), func(_ *estimate.Reduction, s *estimate.Solution) (func(float64) ([]float64, error), error) {
		c, opt, err := newProgram(s, rb, set, opt)
		if err != nil {
			return nil, err
		}
		return func(weight float64) ([]float64, error) {
			c.weigh(weight)
			h := conic.NewSolver(&c.Program)
			// Errors on rows left out scatter by more than a thousandth.
			if _, _, err := h.Minimise(1e-5); err != nil {
				return nil, err
			}
			if opt.Distance == Geodesic {
				if _, _, err := c.geodesic(h, 1e-5); err != nil {
					return nil, err
				}
			}
			return c.set.FromStandard(c.standard(h.Z)), nil
		}, nil
	})
}

// Nearest is the base parameters of Consistent without their report, to the accuracy
// that errors on rows left out can show.
func Nearest(s *estimate.Solution, rb *robot.Robot, set *baseparams.Set, opt Options) ([]float64, error) {
	c, opt, err := newProgram(s, rb, set, opt)
	if err != nil {
		return nil, err
	}
	h := conic.NewSolver(&c.Program)
	if _, _, err := h.Minimise(1e-5); err != nil {
		return nil, err
	}
	if opt.Distance == Geodesic {
		if _, _, err := c.geodesic(h, 1e-5); err != nil {
			return nil, err
		}
	}
	return c.set.FromStandard(c.standard(h.Z)), nil
}

// NearestFrom is Nearest of the least squares of a reduction, with the rank of its rows. Rows are judged where the
// options do not say how correlated they are. A context that is done is the error at once.
func NearestFrom(ctx context.Context, r *estimate.Reduction, weighting estimate.Weighting, rb *robot.Robot, set *baseparams.Set, opt Options) ([]float64, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	solve := r.Solve
	if opt.Inflation != 0 {
		solve = func(w estimate.Weighting, minimumNorm bool) (*estimate.Solution, error) {
			return estimate.Unjudged(r, w, minimumNorm)
		}
	}
	s, err := solve(weighting, true)
	if err != nil {
		return nil, 0, err
	}
	x, err := Nearest(s, rb, set, opt)
	return x, s.Rank, err
}

// weigh sets the weight of the prior; blocks without a value in its source have at most
// NominalWeight.
func (c *program) weigh(weight float64) {
	for k := range c.Blocks {
		b := &c.Blocks[k]
		b.Weight = weight
		if !b.PriorKnown {
			b.Weight = min(weight, NominalWeight)
		}
	}
}
