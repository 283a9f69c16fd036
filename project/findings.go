package project

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ident/doctor"
	"ident/doctor/resonance"
	"ident/identify"
	"ident/regressor"
	"ident/robot"
)

// Finding is a finding with the log that it was made in.
type Finding struct {
	Log string `json:"log"`
	doctor.Finding
}

// Line is a finding as one line of text.
func (f Finding) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Log, f.ID)
	for _, part := range []string{f.Joint, f.Channel, f.Where} {
		if part != "" {
			fmt.Fprintf(&b, ", %s", part)
		}
	}
	fmt.Fprintf(&b, ": %s", f.Why)
	if f.Fix != "" {
		fmt.Fprintf(&b, " (%s)", f.Fix)
	}
	return b.String()
}

// CheckRuns has the doctor read every run, which it leaves in Examined. Excitation is a matter of the
// training runs only: a validation run may excite as little as it likes.
func CheckRuns(ctx context.Context, p *Settings, r *robot.Robot, runs []identify.Run, report func(stage string, done, total int), training int) ([]Finding, error) {
	terms, err := examinedTerms(p)
	if err != nil {
		return nil, err
	}
	var out []Finding
	// The rows of all runs together are bounded, so that a thousand logs need no more memory than a hundred.
	const fewest, most = 60, 20_000
	rows := max(fewest, most/max(1, training))
	if training < 2 {
		rows = -1 // nothing to compare
	}
	opt := doctor.Options{Terms: terms, Trim: p.TrimSeconds(), Seed: p.Seed, Immobile: LinksOf(r, p.Immobile), Rows: rows, Models: new(doctor.Models)}
	var exams []*doctor.Examination
	for i, run := range runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		report("checking", i, len(runs))
		opt.Gains, opt.HeldOut, opt.Read = run.Gains, i >= training, run.Examined.Take
		exam, err := doctor.Examine(ctx, r, run.Log, run.Roles, opt)
		if err != nil {
			return nil, err
		}
		if i < training {
			exams = append(exams, exam)
		}
		runs[i].Examined = run.Examined.With(exam.Examined)
		loops, err := checkLoops(ctx, r, &runs[i])
		if err != nil {
			return nil, err
		}
		bent, err := resonance.Check(ctx, run.Log, run.Roles, JointNames(r), exam.Findings)
		if err != nil {
			return nil, err
		}
		for _, f := range append(append(loops, exam.Findings...), bent...) {
			out = append(out, Finding{run.Name, f})
		}
	}
	changed, of := doctor.Between(ctx, exams)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, f := range changed {
		out = append(out, Finding{runs[of[i]].Name, f})
	}
	for i := range out {
		f := &out[i]
		f.Where, f.Why, f.Fix = NameSettings(f.Where, p.naming), NameSettings(f.Why, p.naming), NameSettings(f.Fix, p.naming)
	}
	return out, nil
}

// examinedTerms are the terms of the model that the doctor holds logs against: rigid bodies and friction,
// whatever is fitted of them, and the springs that the project asks for beside. Other terms need more
// than the motion.
func examinedTerms(p *Settings) ([]regressor.Term, error) {
	terms := regressor.DefaultTerms()
	asked, err := ParseTerms(p, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range asked {
		if t == regressor.Spring || t == regressor.Balance {
			terms = append(terms, t)
		}
	}
	return terms, nil
}

// checkLoops follows the loops through a run and compares passive joints that
// it measures with where the loops put them.
func checkLoops(ctx context.Context, r *robot.Robot, run *identify.Run) ([]doctor.Finding, error) {
	if !r.Closed() {
		return nil, nil
	}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia})
	if err != nil {
		return nil, err
	}
	check, err := identify.CheckLoops(ctx, m.Loops(), run, run.Passive)
	var lost *identify.LoopError
	if errors.As(err, &lost) {
		return []doctor.Finding{doctor.LoopNotClosed(lost.Row, lost.Err)}, nil
	}
	if err != nil {
		return nil, err
	}
	var out []doctor.Finding
	for _, d := range check.Deviation {
		p := doctor.Passive{Joint: d.Joint, Channel: d.Channel, RMS: d.RMS, Mean: d.Mean, Worst: d.Worst, Row: d.Row}
		for _, l := range r.Links {
			p.Slides = p.Slides || l.Joint.Name == d.Joint && l.Joint.Kind == robot.Prismatic
		}
		out = append(out, doctor.LoopDeviation(p))
	}
	return out, nil
}
