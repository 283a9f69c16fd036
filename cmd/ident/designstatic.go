package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"ident/cmd/ident/internal/trajectory"
	"ident/excite"
	"ident/excite/poses"
	"ident/identify/project"
)

// staticDesign returns the design of --static: poses that determine the gravity parameters, passed slowly in both
// directions.
func staticDesign(ctx context.Context, s streams, p *project.Settings, opt *designOptions, job *designJob) (*trajectory.Design, error) {
	began := time.Now()
	job.problem.Shape = "" // none of its own
	space, err := excite.NewSpace(job.problem)
	if err != nil {
		return nil, explainLimits(p, job.Robot, err)
	}
	bar := &progress{s: s}
	defer bar.end()
	of := poses.Problem{Space: space, Model: job.Model, Noise: job.problem.Noise, Count: opt.static, Speed: opt.slow, Seed: p.Seed,
		Progress: func(done, total int, condition float64) {
			bar.line(fmt.Sprintf("exchange %d/%d  condition number %.3g  (Ctrl-C ends it)", done, total, condition))
		}}
	for _, link := range job.Model.JointLinks() {
		of.Ratio = append(of.Ratio, job.Robot.Links[link].Joint.GearRatio)
	}
	d, err := poses.Choose(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("--static %d: %w", opt.static, err)
	}
	bar.line("final check")
	res := space.Check(d.Motion)
	bar.end()
	if res.Violations > 0 {
		return nil, fmt.Errorf("--static %d: the passes exceed %s, and no motion is written; slow them with --static-speed, or give the limits that the robot has", opt.static, exceeded(res.Margins))
	}
	res.Criterion, res.Value, res.ConditionScaled, res.ConditionRaw = excite.ConditionNumber, d.Condition, d.Condition, math.NaN()
	res.Evaluations, res.Stopped, res.Seconds = d.Evaluations, ctx.Err() != nil, time.Since(began).Seconds()
	job.problem.Period = d.Motion.Duration()
	doc := job.document(opt, res)
	doc.Seed, doc.Segments, doc.Parameters, doc.Poses, doc.Passes = p.Seed, 1, len(d.Columns), d.Poses, d.Passes
	if d.Left > 0 {
		doc.Notes = append(doc.Notes, fmt.Sprintf("%d of %d poses are left out: no free way leads to them", d.Left, opt.static))
	}
	return doc, job.writeAll(ctx, s, opt, doc, res)
}

// exceeded names the limits that a motion does not keep.
func exceeded(margins []excite.Margin) string {
	var out []string
	for _, m := range margins {
		for _, of := range []struct {
			what string
			free *float64
		}{{"position", &m.Position}, {"velocity", &m.Velocity}, {"acceleration", &m.Acceleration}, {"jerk", m.Jerk}, {"torque", m.Torque}, {"power", m.Power}} {
			if of.free != nil && *of.free < 0 {
				out = append(out, fmt.Sprintf("the %s limit of %s", of.what, m.Joint))
			}
		}
	}
	if len(out) == 0 {
		return "the distances that are kept"
	}
	return strings.Join(out, ", ")
}
