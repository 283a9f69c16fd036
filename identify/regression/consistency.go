package regression

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical"
	"ident/robot"
)

// PriorSource says where a prior comes from: a robot towards which the estimate is drawn, or an earlier stage with base
// parameters.
type PriorSource struct {
	Robot *robot.Robot // robot that the prior comes from; nil means the fitted robot
	Stage Choice       // estimator whose prior is an earlier stage's result; it replaces Robot. nil without one
	Name  string       // name of the source, for messages and the result
	// Weight of the prior; zero chooses it on the training runs.
	Weight float64
	// Geometry replaces the bodies of Robot by bodies of the links' lengths.
	Geometry bool
}

// prior returns the prior over the columns of set.
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

// bodyOptions returns the options for the likely bodies of a fit.
func (c *Config) bodyOptions() physical.BodyOptions {
	var opt physical.BodyOptions
	if c.Consistent != nil {
		opt = *c.Consistent
	}
	if p := c.Prior; p != nil && p.Stage == nil {
		opt.Source, opt.Name, opt.Geometry = p.Robot, p.Name, p.Geometry
		if c.Consistent != nil {
			opt.Drives = !p.Geometry
			if p.Weight != 0 {
				opt.Weight = p.Weight
			}
		}
	}
	return opt
}

// likelyBodies stores the bodies of an estimate together with the arguments they were computed for.
type likelyBodies struct {
	x   []float64
	cov [][]float64
	opt physical.BodyOptions
	of  *physical.BodyEstimate
}

// bodies returns physical.Bodies and caches it: several decisions and the result ask for the same estimate and
// covariance. Within an experiment options differ only in what is compared here.
func (e *experiment) bodies(ctx context.Context, sol *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt physical.BodyOptions) (*physical.BodyEstimate, error) {
	opt.Given = e.given()
	if opt.Inflation == 0 {
		opt = ofWhole(opt, sol)
	}
	for _, b := range *e.likely {
		if b.opt.Inflation == opt.Inflation && b.opt.Weight == opt.Weight && b.opt.Source == opt.Source && b.opt.Geometry == opt.Geometry &&
			b.opt.Drives == opt.Drives && opt.Chosen == nil && slices.Equal(b.x, sol.X) && slices.EqualFunc(b.cov, sol.NoiseOnly(), slices.Equal) {
			return b.of, nil
		}
	}
	found, err := physical.Bodies(ctx, sol, r, set, opt)
	if err == nil && opt.Chosen == nil {
		*e.likely = append(*e.likely, likelyBodies{slices.Clone(sol.X), sol.NoiseOnly(), opt, found})
	}
	return found, err
}

// given returns the known parameters of bodies. Values with a deviation are held too: the estimate is that of the values.
func (e *experiment) given() (out []physical.Given) {
	if e.known.Model == nil {
		return nil
	}
	for i, col := range e.known.Model.Columns() {
		out = append(out, physical.Given{Column: col, Value: e.known.Values[i]})
	}
	return out
}

// consistent finds the likely bodies of an estimate and, if the configuration asks for it, replaces the estimate by
// theirs. It fills the tables of the result and returns the base parameters.
func (e *experiment) consistent(ctx context.Context, r *robot.Robot, out *Outcome, sol *estimate.Solution) ([]float64, error) {
	c, res, set := &e.cfg, &out.Result, out.Base
	if c.Consistent == nil {
		res.Describe(r, set, sol)
		if sol.Stack == nil {
			return sol.X, nil
		}
	}
	opt := c.bodyOptions()
	opt.Given = e.given()
	c.Progress("bodies", 0, 1)
	bodies, err := e.bodies(ctx, sol, r, set, opt)
	if err == nil {
		bodies = judgedByChance(sol, r, set, opt, bodies)
	}
	if c.Consistent == nil {
		switch {
		case errors.Is(err, physical.ErrPartialBody):
			return sol.X, nil // a part of a body cannot be judged
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			// On an error the estimate stays as it is.
			out.bodiless = bodiless(err)
			res.Notes = append(res.Notes, fmt.Sprintf("bodies with these base parameters were not found: %v", err))
		default:
			res.DescribePossibility(r, set, bodies.Nearest)
			res.DescribeBodies(r, set, bodies, sol)
		}
		definite, err := physical.DefiniteInertia(ctx, sol, r, set, err == nil && bodies.Nearest.Possible, c.Seed)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			res.DescribeInertiaMatrix(definite, independent(r))
		}
		return sol.X, nil
	}
	if bodiless(err) {
		values, failed := e.knownWithoutBodies(ctx, r)
		if failed != nil {
			return nil, failed
		}
		if len(values) > 0 {
			return nil, &BoundsError{Given: values, Err: err}
		}
	}
	if err != nil {
		return nil, e.blameBounds(err, r, opt, func(opt physical.BodyOptions) error {
			_, err := physical.Bodies(ctx, sol, r, set, ofWhole(opt, sol))
			return err
		})
	}
	opt.Chosen = &bodies.BodyChoice
	out.possible = &opt
	res.Estimator += "+consistent"
	res.DescribeConsistent(r, set, sol, bodies, opt)
	res.DescribeBodies(r, set, bodies, sol)
	res.DescribeInertiaMatrix(&physical.Definite{Proved: true}, nil) // of the feasible bodies
	return bodies.Base, c.intervals(ctx, res, sol, func(d *estimate.Solution) ([]float64, error) {
		return physical.Likely(ctx, d, r, set, opt)
	})
}

// judgedByChance returns the bodies with the distance and limit of physical.Chance, if the limit that holds for all robots does not
// refute the estimate.
func judgedByChance(sol *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt physical.BodyOptions, bodies *physical.BodyEstimate) *physical.BodyEstimate {
	near := *bodies.Nearest
	if near.Possible || near.Distance > near.Limit {
		return bodies
	}
	distance, limit, ok := physical.Chance(sol, r, set, physical.Options{Bounds: opt.Bounds, Given: opt.Given}, near.Base)
	if !ok {
		return bodies
	}
	near.Distance, near.Limit = distance, limit
	out := *bodies
	out.Nearest = &near
	return &out
}

// bodiless reports whether err says that a search for feasible bodies has found none.
func bodiless(err error) bool {
	var stopped *physical.ConvergenceError
	return errors.As(err, &stopped) || errors.Is(err, physical.ErrGiven)
}

// independent returns the names of the independent joints.
func independent(r *robot.Robot) (names []string) {
	for _, j := range r.Independent() {
		names = append(names, r.Links[j].Joint.Name)
	}
	return names
}
