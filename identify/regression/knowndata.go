package regression

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// harmful is the factor on the error from which a wrong value has done harm: less is within what other choices of a fit change.
const harmful = 1.05

// refutedKnown returns known parameters, in words, that the rows of the fit refute: with the value free the model leaves an error that
// is smaller by the factor harmful at least, and the estimate is more than certain standard deviations from the value. They are
// found one by one, the worst first, with those before it free. Values that only scale a measured signal are none.
func (e *experiment) refutedKnown(ctx context.Context, r *robot.Robot) ([]string, error) {
	if e.known.Model == nil || e.model.Needs()&regressor.NeedCurrent != 0 || e.cfg.Estimator != nil || e.shared != 0 {
		return nil, nil
	}
	full, err := regressor.NewDynamic(r, e.terms)
	if err != nil {
		return nil, err
	}
	// The columns of the unknown and the known parameters, in the order of the full model.
	known := e.known.Model.Columns()
	var columns, open []int
	place, at := make([]int, len(known)), []float64(nil) // of the known parameters, and their values
	for i, name := range full.Names() {
		k := slices.IndexFunc(known, func(c regressor.Column) bool { return c.Name == name })
		switch {
		case k >= 0:
			place[k], at = len(columns), append(at, e.known.Values[k])
		case slices.Contains(e.model.Names(), name):
			open, at = append(open, len(columns)), append(at, 0)
		default:
			continue
		}
		columns = append(columns, i)
	}
	free := *e
	free.known, free.likely, free.solved = observation.Known{}, new([]likelyBodies), new([]solvedRows)
	if free.model, err = followLoops(ctx, full.Select(columns).Compiled(), e.runs, func(string, int, int) {}); err != nil {
		return nil, err
	}
	sources, err := free.trainingSources(0)
	if err != nil {
		return nil, err
	}
	rows, err := free.reduceSources(ctx, sources)
	if err != nil {
		return nil, err
	}
	left := rows.sum.SubtractPrediction(at)
	was, err := left.Select(open).Solve(e.cfg.Weighting, false)
	if err != nil {
		return nil, nil // what the values leave determines no estimate
	}
	var found []int
	for {
		best, least := -1, was.RSS/(harmful*harmful)
		var with *estimate.Solution
		for i, c := range known {
			if slices.Contains(open, place[i]) || c.Term.Name() == regressor.Wrench || c.Term.Name() == regressor.Contact {
				continue
			}
			columns := slices.Sorted(slices.Values(append(slices.Clone(open), place[i])))
			one := left.Select(columns)
			s, err := one.SolveWeighted(was.Weights, false)
			if err != nil || s.RSS >= least {
				continue // other parameters do its work, or it does no harm
			}
			own, err := one.Solve(e.cfg.Weighting, false)
			if err != nil {
				continue
			}
			n := slices.Index(columns, place[i])
			if math.Abs(own.X[n]) > certain*math.Hypot(math.Sqrt(own.Covariance[n][n]), e.cfg.KnownSigma[c.Name]) {
				best, least, with = i, s.RSS, own
			}
		}
		if best < 0 {
			break
		}
		was, found, open = with, append(found, best), slices.Sorted(slices.Values(append(open, place[best])))
	}
	var out []string
	for _, i := range found {
		n := slices.Index(open, place[i])
		out = append(out, fmt.Sprintf("%s = %.4g, where the log gives %.4g ± %.2g", known[i].Name, e.known.Values[i], e.known.Values[i]+was.X[n], 1.96*math.Sqrt(was.Covariance[n][n])))
	}
	return out, nil
}

// knownWithoutBodies returns the known parameters, in words, without which feasible bodies are found, if chance explains the distance of
// these from their estimate: the values that prevent it alone, otherwise all. A search with the values must have failed, or have found
// bodies that chance does not explain.
func (e *experiment) knownWithoutBodies(ctx context.Context, r *robot.Robot) ([]string, error) {
	if e.known.Model == nil || e.cfg.Estimator != nil || e.shared != 0 {
		return nil, nil
	}
	given := map[string]float64{}
	var names []string
	for i, c := range e.known.Model.Columns() {
		given[c.Name] = e.known.Values[i]
		names = append(names, c.Name)
	}
	exist := func(without ...string) bool {
		known := maps.Clone(given)
		maps.DeleteFunc(known, func(name string, _ float64) bool { return slices.Contains(without, name) })
		return e.bodiesExist(ctx, r, known)
	}
	if !exist(names...) {
		return nil, ctx.Err()
	}
	blamed := names
	if len(names) > 1 {
		alone := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !exist(name) })
		if len(alone) > 0 {
			blamed = alone
		}
	}
	var texts []string
	for _, name := range blamed {
		texts = append(texts, fmt.Sprintf("%s = %.4g", name, given[name]))
	}
	return texts, ctx.Err()
}

// bodiesExist reports whether feasible bodies near the estimate are found that have the known values, and chance explains their distance.
func (e *experiment) bodiesExist(ctx context.Context, r *robot.Robot, values map[string]float64) bool {
	full, known, err := modelsOf(r, e.terms, values)
	if err != nil {
		return false
	}
	set := baseparams.QR(full, baseparams.Options{Seed: e.cfg.Seed, Immobile: e.cfg.Immobile, Rows: e.cfg.Measured(full.JointLinks())})
	with := *e
	with.known, with.likely, with.solved = known, new([]likelyBodies), new([]solvedRows)
	if with.model, err = followLoops(ctx, full.Select(set.Base).Compiled(), e.runs, func(string, int, int) {}); err != nil {
		return false
	}
	of := reduced{experiment: &with, set: set}
	if of.rows, err = with.reduce(ctx); err != nil {
		return false
	}
	sol, err := with.estimate(ctx, r, set, &of)
	if err != nil || sol.Stack == nil {
		return false
	}
	found, err := with.bodies(ctx, sol.Solution, r, set, with.cfg.bodyOptions())
	return err == nil && found.Nearest.Distance <= found.Nearest.Limit
}
