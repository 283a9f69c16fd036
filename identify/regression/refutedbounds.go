package regression

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/estimate"
	"ident/physical"
	"ident/robot"
)

// givenBound is what a user gives of the bodies beside the log: a mass, the total mass, or the place of a centre.
type givenBound struct {
	text string
	drop func(opt *physical.BodyOptions)
}

// givenBounds lists what options give of the bodies of a robot.
func givenBounds(r *robot.Robot, opt *physical.BodyOptions) (out []givenBound) {
	if opt.Total > 0 {
		out = append(out, givenBound{fmt.Sprintf("total mass %g kg", opt.Total), func(o *physical.BodyOptions) { o.Total, o.TotalDeviation = 0, 0 }})
	}
	if m := opt.Bounds.TotalMass; m != (physical.Interval{}) {
		out = append(out, givenBound{"total mass " + inKilograms(m), func(o *physical.BodyOptions) { o.Bounds.TotalMass = physical.Interval{} }})
	}
	for i, b := range opt.Bounds.Bodies {
		link := fmt.Sprintf("link %q: ", r.Links[b.Link].Name)
		if b.Mass != (physical.Interval{}) {
			out = append(out, givenBound{link + "mass " + inKilograms(b.Mass), func(o *physical.BodyOptions) { o.Bounds.Bodies[i].Mass = physical.Interval{} }})
		}
		if len(b.Centre) > 0 || b.CentreIn != nil || b.BodyIn != nil {
			out = append(out, givenBound{link + "its centre or extent", func(o *physical.BodyOptions) {
				at := &o.Bounds.Bodies[i]
				at.Centre, at.CentreIn, at.BodyIn = nil, nil, nil
			}})
		}
	}
	return out
}

// inKilograms writes an interval of masses.
func inKilograms(v physical.Interval) string {
	switch {
	case v.Low == 0:
		return fmt.Sprintf("at most %.6g kg", v.High)
	case v.High == 0:
		return fmt.Sprintf("at least %.6g kg", v.Low)
	}
	return fmt.Sprintf("%.6g to %.6g kg", v.Low, v.High)
}

// withoutBounds returns options without given bounds. The bodies choose their weights anew.
func withoutBounds(opt physical.BodyOptions, given ...givenBound) physical.BodyOptions {
	opt.Bounds.Bodies, opt.Chosen = slices.Clone(opt.Bounds.Bodies), nil
	for _, g := range given {
		g.drop(&opt)
	}
	return opt
}

// refutedBounds returns, in words, what was given of the bodies and is refuted by rows left out: bodies that are found without it predict
// these rows better, by more than one standard error and by more than relevantPart.
func (f *fitting) refutedBounds(ctx context.Context) (refuted []string, err error) {
	if f.out.possible == nil || f.sol.Stack == nil {
		return nil, nil
	}
	given := givenBounds(f.robot, f.out.possible)
	if len(given) == 0 {
		return nil, nil
	}
	parts := f.rows.sum.Parts()
	leftOut := func(opt physical.BodyOptions) *estimate.CrossValidation {
		cross, e := parts.CrossValidateBy(f.cfg.possible(ctx, f.robot, f.set, opt))
		if e != nil {
			return nil // no part can be left out, or without one there are no such bodies
		}
		return cross
	}
	with := leftOut(*f.out.possible)
	if with == nil {
		return nil, ctx.Err()
	}
	refutes := func(drop ...givenBound) (*estimate.CrossValidation, bool) {
		without := leftOut(withoutBounds(*f.out.possible, drop...))
		if without == nil {
			return nil, false
		}
		excess, deviation := with.Excess(without)
		return without, excess > deviation && with.Percent > max((1+relevantPart)*without.Percent, rounding)
	}
	name := func(text string, without *estimate.CrossValidation) {
		refuted = append(refuted, fmt.Sprintf("%s, with which rows left out have %.3g %%, and without %.3g %%", text, with.Percent, without.Percent))
	}
	all, refutedAll := refutes(given...)
	if !refutedAll {
		return nil, ctx.Err()
	}
	var texts []string
	for _, g := range given {
		texts = append(texts, g.text)
		if without, ok := refutes(g); ok && len(given) > 1 {
			name(g.text, without)
		}
	}
	if refuted == nil {
		name(strings.Join(texts, "; "), all)
	}
	return refuted, ctx.Err()
}

// A BoundsError says that no estimate was found within what is given of the bodies, and that one is found without it.
type BoundsError struct {
	Given []string // in words
	Err   error
}

func (e *BoundsError) Error() string {
	return fmt.Sprintf("no bodies with %s were found near this log, which has some without: it contradicts what is given; correct it or leave it out", e.values())
}

// values names the first value and counts the others.
func (e *BoundsError) values() string {
	given := e.Given[0]
	if more := len(e.Given) - 1; more > 0 {
		given += fmt.Sprintf(" and %d more", more)
	}
	return given
}

func (e *BoundsError) Unwrap() error { return e.Err }

// blameBounds returns err, the error of a search for bodies, as a BoundsError if the search succeeds without what is given of them.
func (e *experiment) blameBounds(err error, r *robot.Robot, opt physical.BodyOptions, search func(opt physical.BodyOptions) error) error {
	var failed *physical.ConvergenceError
	given := givenBounds(r, &opt)
	if len(given) == 0 || !errors.As(err, &failed) || search(withoutBounds(opt, given...)) != nil {
		return err
	}
	out := &BoundsError{Err: err}
	for _, g := range given {
		if len(given) == 1 || search(withoutBounds(opt, g)) == nil {
			out.Given = append(out.Given, g.text)
		}
	}
	if out.Given == nil {
		for _, g := range given {
			out.Given = append(out.Given, g.text)
		}
	}
	return out
}
