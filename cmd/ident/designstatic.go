package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"ident/cmd/ident/internal/trajectory"
	"ident/excite"
	"ident/excite/poses"
	"ident/project"
)

// staticDesign is the design of --static: poses that determine the gravity parameters, passed slowly in both directions.
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
