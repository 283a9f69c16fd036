package regression

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ident/baseparams"
	"ident/estimate"
	"ident/identify/regression/internal/frictionterms"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// Choices says which decisions a fit takes on its training data. A false field leaves the setting as configured.
type Choices struct {
	Terms bool // add friction terms that the model lacks
	// Offered are further terms of joints, by name, that Terms may choose: laws of the motion and the time alone.
	Offered    []regressor.Term
	Consistent bool // may choose the nearest feasible parameters instead of the free ones
	Weighting  bool // may choose ordinary instead of weighted least squares
}

// Names of the two candidates of the decision on consistency.
const (
	freeChoice = "free"
	// PossibleChoice names the choice of the nearest feasible parameters.
	PossibleChoice = "physically consistent"
)

// candidate is one option of a decision, with its cross-validation.
type candidate struct {
	name  string
	cross *estimate.CrossValidation
}

// decision returns the decision for the result; all lists the candidates, the simplest first.
func decision(about string, all []candidate, chosen, why string) result.Decision {
	d := result.Decision{Decision: about, Chosen: chosen, Why: why}
	for _, c := range all {
		d.Candidates = append(d.Candidates, result.Candidate{Choice: c.name, Figure: result.CrossValidated, Percent: c.cross.Percent})
	}
	return d
}

// relevantPart is the least part of an error by which a choice with more parameters must lower it. A dozen parameters
// that only fit noise move the error of a thousand effective rows by half of that. The standard error of about five
// stretches is itself uncertain: alone it would let noise pass about once in six.
const relevantPart = 0.01

// bestPart replaces relevantPart where the best of several candidates is sought.
const bestPart = 2 * relevantPart

// simplestOfBest returns the index of the first candidate whose error on rows left out is within one standard error of
// the least (Breiman and others 1984), at most bestPart above it, or mere rounding.
func simplestOfBest(all []candidate) int {
	best := 0
	for i, c := range all {
		if c.cross.Percent < all[best].cross.Percent {
			best = i
		}
	}
	for i, c := range all {
		mean, deviation := c.cross.Excess(all[best].cross)
		if mean <= deviation || c.cross.Percent <= max((1+bestPart)*all[best].cross.Percent, rounding) {
			return i
		}
	}
	return best
}

// free estimates by weighted least squares; cross-validation calls it.
func (c *Config) free(rest *estimate.Reduction) ([]float64, int, error) {
	return rest.Minimum(c.Weighting)
}

// possible returns the estimator with likely feasible bodies; cross-validation calls it.
func (c *Config) possible(ctx context.Context, r *robot.Robot, set *baseparams.Set, opt physical.BodyOptions) func(*estimate.Reduction) ([]float64, int, error) {
	return func(rest *estimate.Reduction) ([]float64, int, error) {
		return physical.LikelyFrom(ctx, rest, c.Weighting, r, set, opt)
	}
}

// ofWhole returns the options for estimates from parts of the rows. They take the correlation of the rows from the
// whole: a part is one block and cannot show it.
func ofWhole(opt physical.BodyOptions, whole *estimate.Solution) physical.BodyOptions {
	opt.Inflation = physical.MeanInflation(whole)
	return opt
}

// memoryFactor is the ratio of errors on the stretches left out of a single run up to which an infeasible estimate is
// replaced. A run often repeats its motion: the estimate from the rest has seen the motion that is left out, and free
// parameters have absorbed the model's errors there. The free fit of KUKA 3 predicts four fifths of its own run as well
// as it fits them, but run 2 two and a half times worse than the feasible one.
const memoryFactor = 2

// chooseConsistent decides between the free estimate and the nearest feasible one, by
// their errors on rows left out of both. A free estimate that is possible stands. An
// impossible one whose distance from all feasible ones is within the 95 % quantile of
// its own standard deviations needs evidence to be replaced: a lower error, by a relevant part or more than one
// standard error. It is replaced without evidence if no rows can be left out. Beyond that quantile it is known to be wrong, and needs evidence to
// stand: a lower error, on runs left out by more than one standard error, and on
// stretches of a single run, and on runs of which one repeats another's motion, by memoryFactor.
func (e *experiment) chooseConsistent(ctx context.Context, r *robot.Robot, set *baseparams.Set, rows *estimate.Reduction, sol *estimate.Solution) (bool, *result.Decision, *estimate.CrossValidation) {
	decided := func(why string, a ...any) (bool, *result.Decision, *estimate.CrossValidation) {
		return false, &result.Decision{Decision: "physically-consistent", Chosen: freeChoice, Why: fmt.Sprintf(why, a...)}, nil
	}
	if sol.Stack == nil {
		return false, nil, nil // no minimum of a sum of squares of rows
	}
	bodies, err := e.bodies(ctx, sol, r, set, e.cfg.bodyOptions())
	switch {
	case errors.Is(err, physical.ErrPartialBody):
		return decided("a link must have all of its ten parameters to be kept a feasible body")
	case err != nil:
		return decided("no feasible estimate was found: %v", err)
	case bodies.Nearest.Possible:
		return decided("the free estimate is feasible")
	}
	if driving := physical.DrivingFriction(set, rows, sol); len(driving) > 0 {
		return decided("withheld: the friction of %s gives power, which no body or drive does; a constraint would move the error into the inertias (look for torques of the wrong sign or without their friction)", strings.Join(driving, ", "))
	}
	can, opt := bodies.Nearest, ofWhole(e.cfg.bodyOptions(), sol)
	opt.Given, opt.Chosen = e.given(), &bodies.BodyChoice
	parts := rows.Parts()
	free, err := parts.CrossValidateBy(e.cfg.free)
	switch within := can.Distance <= can.Limit; {
	case err == nil && free == nil && within:
		return true, &result.Decision{Decision: "physically-consistent", Chosen: PossibleChoice, Why: fmt.Sprintf(
			"no part of the rows can be left out; feasible ones are %.3g standard deviations away, which chance explains", can.Distance)}, nil
	case err != nil || free == nil:
		return decided("no part of the rows can be left out")
	}
	possible, err := parts.CrossValidateBy(e.cfg.possible(ctx, r, set, opt))
	if err != nil || possible == nil {
		return decided("the nearest feasible estimate was not found without a part of the rows: %v", err)
	}
	excess, deviation := possible.Excess(free)
	far := can.Distance > can.Limit
	worse := excess > deviation
	if far && (free.By == "stretch" || rows.MotionDistance() < estimate.SameMotion) {
		worse = possible.Percent > memoryFactor*free.Percent
	}
	chosen, cross := freeChoice, free
	why := fmt.Sprintf("the free estimate is infeasible, by %.3g standard deviations of %d parameters together", can.Distance, sol.Rank)
	switch {
	case excess < -deviation || possible.Percent < (1-relevantPart)*free.Percent:
		chosen, cross, why = PossibleChoice, possible, why+", and the feasible ones predict rows left out better"
	case far && !worse:
		chosen, cross, why = PossibleChoice, possible, why+", which is beyond the 95 % quantile, and the errors on rows left out do not contradict the feasible ones"
		if possible.Percent > free.Percent {
			why += fmt.Sprintf(": they are %.2g %% larger, but the rows left out repeat the training motion, and the free parameters are fitted to its model errors", 100*(possible.Percent/free.Percent-1))
		}
	case worse:
		why += "; but the feasible ones predict rows left out worse"
	default:
		why += ", which chance explains, and the feasible ones predict rows left out no better"
	}
	d := decision("physically-consistent", []candidate{{freeChoice, free}, {PossibleChoice, possible}}, chosen, why)
	return chosen == PossibleChoice, &d, cross
}

// reduced is the experiment after the decisions, with its base parameters, rows and decisions, and the cross-validation
// of the chosen estimator (nil without one).
type reduced struct {
	*experiment
	set    *baseparams.Set
	rows   reduction
	made   []result.Decision
	cross  *estimate.CrossValidation
	wide   reduction // the rows with the columns of all friction terms, without weights at rest
	apart  bool      // the rows are those of summaries, and cannot be read again
	stands candidate // whose error is known
}

// solvedRows is the least-squares solution of some rows.
type solvedRows struct {
	of  *estimate.Reduction
	by  estimate.Weighting
	sol *estimate.Solution
}

// solve returns the least-squares solution of the rows after the decisions so far, with a weighting. It stores solutions: rounds of
// decisions ask again for those of the last one.
func (d *reduced) solve(by estimate.Weighting) (*estimate.Solution, error) {
	for _, s := range *d.solved {
		if s.of == d.rows.sum && s.by == by {
			return s.sol, nil
		}
	}
	sol, err := d.rows.sum.Solve(by, d.cfg.MinimumNorm)
	if err == nil {
		*d.solved = append(*d.solved, solvedRows{d.rows.sum, by, sol})
	}
	return sol, err
}

// decide reduces the rows of the fit and takes the decisions that cfg.Choices asks for.
func (e *experiment) decide(ctx context.Context, r *robot.Robot, set *baseparams.Set) (reduced, error) {
	out := reduced{experiment: e, set: set}
	var f frictionterms.Columns
	var err error
	terms := e.cfg.Choices.Terms
	if terms {
		if why := offersFriction(e, r); why != "" {
			terms = false
			out.made = append(out.made, result.Decision{Decision: "terms", Chosen: termList(e.terms), Why: why})
		}
	}
	offered := e.cfg.Choices.Offered
	if e.cfg.Fixed != nil {
		offered = e.cfg.Fixed.Offered
	}
	if terms || e.cfg.Fixed != nil && e.cfg.Fixed.Wide {
		if out.wide, f, err = e.reduceFriction(ctx, r, offered); err != nil {
			return out, err
		}
		out.rows = out.wide.selected(leading(f.Model))
	} else if out.rows, err = e.reduce(ctx); err != nil {
		return out, err
	}
	if !terms {
		out.wide = reduction{}
	}
	err = out.choose(ctx, r, f)
	return out, err
}

// choose takes the decisions on reduced rows; f describes the additional columns of out.wide, if any.
func (out *reduced) choose(ctx context.Context, r *robot.Robot, f frictionterms.Columns) error {
	_, wide := out.decideRest(out.wide)
	return out.chooseInRounds(ctx, r, wide.sum, f)
}

// chooseConsistency decides whether feasible parameters replace the free ones.
func (d *reduced) chooseConsistency(ctx context.Context, r *robot.Robot) error {
	sol, err := d.solve(d.cfg.Weighting)
	if err != nil {
		return err
	}
	use, made, cross := d.chooseConsistent(ctx, r, d.set, d.rows.sum, sol)
	if made != nil {
		d.made = append(d.made, *made)
	}
	d.cross = cross
	if use {
		cfg := d.cfg
		cfg.Consistent = new(physical.BodyOptions)
		d.experiment = d.with(cfg)
	}
	return nil
}

// rowsOf returns the rows of a choice of terms: columns of those that are reduced already, but for Stribeck friction,
// whose velocities were not among the offered ones where the rows could be read again.
func (d *reduced) rowsOf(ctx context.Context, own *experiment, c frictionterms.Choice, f frictionterms.Columns, weighed *estimate.Reduction) (reduction, error) {
	if c.Stribeck && !d.apart {
		return own.reduce(ctx)
	}
	columns, err := f.Of(d.model, own.model, f.BestSpeeds(weighed.Parts(), c.Asymmetric))
	if err != nil {
		return reduction{}, err
	}
	out := reduction{blocks: d.wide.blocks}
	out.sum, out.rest = frictionterms.Pick(d.wide.sum, columns, d.wide.rest)
	if d.wide.added != nil {
		out.added = frictionterms.PickJoints(d.wide.added, d.wide.sum.Masks(), columns, addedTerms)
	}
	return out, nil
}
