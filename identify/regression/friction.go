package regression

import (
	"context"
	"fmt"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/identify/regression/internal/frictionterms"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// resolvedSpeeds returns, by joint, the index of the slowest offered velocity that the samples of training runs [first,
// last) resolve.
func resolvedSpeeds(e *experiment, first, last int) []int {
	out := make([]int, e.model.Joints())
	for i := first; i < last; i++ {
		for k, n := range e.noise[i] {
			out[k] = frictionterms.Resolved(out[k], n.Acceleration, e.segments[i][0].DT)
		}
	}
	return out
}

// offersFriction returns "" if friction terms can be compared, otherwise the reason why not. Their columns need the
// joints' own rates and one row per joint.
func offersFriction(e *experiment, r *robot.Robot) string {
	switch {
	case e.cfg.Model != Dynamic:
		return "friction terms are compared on the rows of the dynamic model only"
	case e.model.Loops() != nil:
		return "friction terms are not compared for robots with closed loops: those of passive joints act as well"
	case e.cfg.Estimator != nil:
		return "friction terms are compared for least squares only"
	case len(e.cfg.Unactuated) > 0 || len(e.cfg.Immobile) > 0 || len(e.known.Values) > 0:
		return "friction terms are not compared beside known parameters, immobile joints or unmeasured forces"
	case e.needs() != 0:
		return "friction terms are not compared beside terms of loads, currents, wrenches and contacts"
	}
	if len(r.Mimics) > 0 {
		return "friction terms are not compared for robots with mimic joints"
	}
	for _, t := range []regressor.Term{regressor.Fv, regressor.Fs, regressor.Fo} {
		if !slices.Contains(e.terms, t) {
			return fmt.Sprintf("further friction terms are compared only for models with Fv, Fs and Fo; this one lacks %s", t)
		}
	}
	return ""
}

// viscousOf returns the columns of viscous friction.
func viscousOf(m *regressor.Model) (out []int) {
	for i, c := range m.Columns() {
		if c.Term == regressor.Fv {
			out = append(out, i)
		}
	}
	return out
}

// frictionColumns returns the columns of all friction terms.
func (e *experiment) frictionColumns(r *robot.Robot, offered []regressor.Term) (frictionterms.Columns, error) {
	f := frictionterms.Columns{Model: len(e.model.Columns()), Joints: e.model.Joints(), Resolved: resolvedSpeeds(e, 0, len(e.noise)), Viscous: viscousOf(e.model)}
	if len(offered) == 0 {
		return f, nil
	}
	more, err := regressor.NewDynamic(r, offered)
	if err != nil {
		return f, fmt.Errorf("offered terms: %w", err)
	}
	for _, t := range offered {
		if !slices.Contains(frictionterms.Offerable(), t.Name()) {
			return f, fmt.Errorf("offered terms: %s cannot be offered; these can be: %v", t, frictionterms.Offerable())
		}
	}
	f.More = more
	return f, nil
}

// reduceFriction runs the pass of the fit with the columns of all friction terms.
func (e *experiment) reduceFriction(ctx context.Context, r *robot.Robot, offered []regressor.Term) (reduction, frictionterms.Columns, error) {
	f, err := e.frictionColumns(r, offered)
	if err != nil {
		return reduction{}, f, err
	}
	rows, err := e.reduceWide(ctx, &wide{model: f.Model, friction: &f})
	return rows, f, err
}

// frictionEstimator returns the function that fits the terms of choice c to rows with the columns of all terms. Its
// estimate has an entry for each of these columns, zero for the terms that c leaves out.
func (e *experiment) frictionEstimator(ctx context.Context, f frictionterms.Columns, c frictionterms.Choice, r *robot.Robot, set *baseparams.Set, possible physical.BodyOptions) func(*estimate.Reduction) ([]float64, int, error) {
	return func(rest *estimate.Reduction) ([]float64, int, error) {
		var speeds []int
		if c.Stribeck {
			speeds = f.BestSpeeds(rest, c.Asymmetric)
		}
		columns := f.Selected(c, speeds)
		own := rest.Select(columns)
		least := e.cfg.free
		if e.cfg.Consistent != nil {
			least = e.cfg.possible(ctx, r, f.Base(set, c, e.model, columns), possible)
		}
		x, rank, err := least(own)
		if err != nil {
			return nil, 0, err
		}
		out := make([]float64, f.Count())
		for i, at := range columns {
			out[at] = x[i]
		}
		return out, rank, nil
	}
}

// chooseFriction compares the friction terms by cross-validation of the estimator. It returns the choice with the
// velocities of Stribeck friction among the offered ones, its error on rows left out, and the decision.
func (d *reduced) chooseFriction(ctx context.Context, r *robot.Robot, wide *estimate.Reduction, f frictionterms.Columns) (frictionterms.Choice, []float64, *estimate.CrossValidation, result.Decision) {
	parts := wide.Parts()
	offered, withheld := d.offeredFriction(r, parts, f)
	possible := d.bodiesOfChoice(ctx, r)
	s := frictionSearch{terms: d.terms, try: func(c frictionterms.Choice) (candidate, bool) {
		// One figure a model, where its rows were divided in the same way: which parts are left out depends on the columns too.
		if c.Name == d.stands.name && d.stands.cross != nil && parts.SameParts(d.stands.cross) {
			return d.stands, true
		}
		cross, err := parts.CrossValidateBy(d.frictionEstimator(ctx, f, c, r, d.set, possible))
		return candidate{c.Name, cross}, err == nil && cross != nil
	}}
	if !s.begin(offered) {
		return frictionterms.Choice{}, nil, nil, result.Decision{Decision: "terms", Chosen: offered[0].Name, Why: "no part of the rows can be left out"}
	}
	s.grow(d.cfg.Choices.Offered)
	s.shrink()
	why := "the simplest whose error on rows left out is within a standard error of the least" + withheld
	if len(f.Viscous) > 0 && s.withoutViscous() {
		why = "the motion does not distinguish viscous from other friction: with it, the error on rows left out is not even 1 % smaller"
	}
	var speeds []float64
	if s.chosen.Stribeck {
		for _, k := range f.BestSpeeds(parts, s.chosen.Asymmetric) {
			speeds = append(speeds, frictionterms.OfferedSpeed(max(k, 0)))
		}
	}
	return s.chosen, speeds, s.best.cross, decision("terms", s.all, s.chosen.Name, why)
}

// offeredFriction returns the laws from which the choice begins, the terms of the model first, and why Stribeck friction is not among
// them; "" if it is, or if the terms have it.
func (d *reduced) offeredFriction(r *robot.Robot, parts *estimate.Reduction, f frictionterms.Columns) (offered []frictionterms.Choice, withheld string) {
	offered = []frictionterms.Choice{frictionterms.Choice{}.Titled(d.terms)}
	asymmetric, stribeck := !slices.ContainsFunc(d.terms, named(regressor.Asymmetric)), !slices.ContainsFunc(d.terms, named(regressor.Stribeck))
	whole := f.BestSpeeds(parts, false)
	if k := slices.Index(whole, -1); k >= 0 && stribeck {
		stribeck = false
		withheld = fmt.Sprintf("; Fst is left out: the velocities of joint %q do not separate it from other friction", r.Links[d.model.JointLinks()[k]].Joint.Name)
	}
	if stribeck && frictionterms.MostlySlowest(whole) {
		stribeck = false
		withheld = "; Fst is not offered: on most joints its best velocity is the slowest of all, which is the noise of reversals and no curve"
	}
	if asymmetric {
		offered = append(offered, frictionterms.Choice{Asymmetric: true}.Titled(d.terms))
	}
	if stribeck {
		offered = append(offered, frictionterms.Choice{Stribeck: true}.Titled(d.terms))
	}
	if asymmetric && stribeck {
		offered = append(offered, frictionterms.Choice{Asymmetric: true, Stribeck: true}.Titled(d.terms))
	}
	return offered, withheld
}

// bodiesOfChoice returns the options of feasible bodies by which candidates are estimated, as far as the model without a choice decides
// them; the zero value if bodies are not asked for.
func (d *reduced) bodiesOfChoice(ctx context.Context, r *robot.Robot) physical.BodyOptions {
	if d.cfg.Consistent == nil {
		return physical.BodyOptions{}
	}
	possible := d.cfg.bodyOptions()
	if sol, err := d.solve(d.cfg.Weighting); err == nil {
		possible = ofWhole(possible, sol)
		if bodies, err := d.bodies(ctx, sol, r, d.set, possible); err == nil {
			possible.Chosen = &bodies.BodyChoice
		}
	}
	return possible
}

// frictionSearch is a choice of friction terms on its way.
type frictionSearch struct {
	terms  []regressor.Term
	try    func(frictionterms.Choice) (candidate, bool) // its error on rows left out, false if it has none
	chosen frictionterms.Choice
	best   candidate // of chosen
	all    []candidate
}

// begin tries the offered choices and takes the simplest of the best. It returns false if none has an error.
func (s *frictionSearch) begin(offered []frictionterms.Choice) bool {
	var kept []frictionterms.Choice
	for _, c := range offered {
		if x, ok := s.try(c); ok {
			s.all, kept = append(s.all, x), append(kept, c)
		}
	}
	if len(s.all) == 0 {
		return false
	}
	at := simplestOfBest(s.all)
	s.chosen, s.best = kept[at], s.all[at]
	return true
}

// grow adds the best of further terms as long as rows left out are predicted better with it.
func (s *frictionSearch) grow(further []regressor.Term) {
	for {
		var next frictionterms.Choice
		var with candidate
		for _, t := range further {
			if slices.Contains(s.chosen.Further, t) {
				continue
			}
			more := s.chosen.With(s.terms, t)
			if x, ok := s.try(more); ok && (with.cross == nil || x.cross.Percent < with.cross.Percent) {
				next, with = more, x
			}
		}
		if with.cross == nil || simplestOfBest([]candidate{s.best, with}) != 1 {
			return
		}
		s.chosen, s.best, s.all = next, with, append(s.all, with)
	}
}

// shrink drops further terms without which rows left out are predicted as well.
func (s *frictionSearch) shrink() {
	for shrunk := len(s.chosen.Further) > 0; shrunk; {
		shrunk = false
		for _, less := range s.chosen.Without(s.terms) {
			if x, ok := s.try(less); ok && simplestOfBest([]candidate{x, s.best}) == 0 {
				s.chosen, s.best, s.all, shrunk = less, x, append(s.all, x), true
				break
			}
		}
	}
}

// withoutViscous drops viscous friction, and reports that it did, if it hardly lowers the error on rows left out.
func (s *frictionSearch) withoutViscous() bool {
	less := (frictionterms.Choice{NoViscous: true}).Titled(s.terms)
	x, ok := s.try(less)
	if !ok {
		return false
	}
	s.all = append([]candidate{x}, s.all...)
	if s.best.cross.Percent <= (1-relevantPart)*x.cross.Percent {
		return false
	}
	s.chosen, s.best = less, x
	return true
}

func named(name regressor.Term) func(regressor.Term) bool {
	return func(t regressor.Term) bool { return t.Name() == name }
}

// withFriction returns the experiment with the chosen terms, and with Stribeck velocities as offered or refined.
func (e *experiment) withFriction(ctx context.Context, r *robot.Robot, c frictionterms.Choice, speeds []float64, asOffered bool) (*experiment, *baseparams.Set, error) {
	terms := c.Terms(e.terms)
	if !c.Stribeck {
		return e.build(ctx, r, terms, nil)
	}
	if asOffered {
		terms[slices.Index(terms, regressor.Stribeck)] = regressor.StribeckAt(regressor.Stribeck, speeds)
		return e.build(ctx, r, terms, nil)
	}
	return e.refineStribeck(ctx, r, terms, speeds, nearSteps, nearStep)
}

// The largest number of refining steps for the chosen Stribeck velocities, and the relative step that ends them. The
// derivative's columns in the model account for the rest.
const (
	nearSteps = 4
	nearStep  = 0.05
)
