package identify

import (
	"context"
	"errors"
	"fmt"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical"
	"ident/robot"
)

// PriorSource is a robot whose parameters an estimate is drawn towards, or an earlier stage with base parameters.
type PriorSource struct {
	Robot *robot.Robot // nil: the robot that is fitted
	Stage Choice       // estimator with the earlier stage as its prior, in place of Robot; nil without one
	Name  string       // of the source, for messages and the result
	// Weight of the prior; zero chooses it on the training runs alone.
	Weight float64
}

// prior takes the parameters of a prior's source over the columns of set.
func (p *PriorSource) prior(r *robot.Robot, set *baseparams.Set) (*physical.Prior, error) {
	from := p.Robot
	if from == nil {
		from = r
	}
	if err := physical.SameTree(r, from); err != nil {
		return nil, fmt.Errorf("prior %s: %w", p.Name, err)
	}
	return physical.NewPrior(from, set.Columns, p.Name), nil
}

// consistent replaces an estimate by the nearest physically consistent one, or tells
// whether it is consistent. It fills the tables of the result and returns the base
// parameters.
func (c *Config) consistent(ctx context.Context, r *robot.Robot, out *Outcome, sol *estimate.Solution) ([]float64, error) {
	res, set := &out.Result, out.Base
	if c.Consistent == nil {
		res.Describe(r, set, sol)
		if sol.Stack == nil {
			return sol.X, nil
		}
		can, err := physical.Possible(sol, r, set, physical.Options{})
		switch {
		case errors.Is(err, physical.ErrPartialBody):
			return sol.X, nil // a part of a body cannot be judged
		case err != nil:
			// The estimate itself stands.
			res.Notes = append(res.Notes, fmt.Sprintf("whether any bodies have these base parameters could not be decided: %v", err))
			return sol.X, nil
		}
		res.DescribePossibility(r, set, can)
		return sol.X, nil
	}
	opt := *c.Consistent
	var choice *estimate.WeightChoice
	if p := c.Prior; p != nil {
		var err error
		if opt.Prior, err = p.prior(r, set); err != nil {
			return nil, err
		}
		if opt.Weight = p.Weight; p.Weight == 0 {
			c.Progress("choosing the prior's weight", 0, 1)
			if choice, err = physical.ChooseWeight(ctx, out.Reduction, c.Weighting, r, set, opt); err != nil {
				return nil, err
			}
			opt.Weight = choice.Weight
		}
	}
	con, err := physical.Consistent(sol, r, set, opt)
	if err != nil {
		return nil, err
	}
	out.possible = &opt
	res.Estimator += "+consistent"
	res.DescribeConsistent(r, set, sol, con, opt)
	res.DescribeWeight(choice)
	return con.Base, c.intervals(ctx, res, sol, func(d *estimate.Solution) ([]float64, error) {
		con, err := physical.Consistent(d, r, set, opt)
		if err != nil {
			return nil, err
		}
		return con.Base, nil
	})
}
