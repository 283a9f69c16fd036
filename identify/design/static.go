package design

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"ident/excite"
	"ident/excite/poses"
	"ident/identify/project"
	"ident/robot"
)

// static returns the motion that passes poses slowly in both directions, which determine the gravity parameters.
func (j *job) static(ctx context.Context) (*Design, error) {
	began := time.Now()
	j.problem.Shape = "" // none of its own
	space, err := excite.NewSpace(j.problem)
	if err != nil {
		return nil, j.explainLimits(err)
	}
	count := j.opt.Static
	of := poses.Problem{Space: space, Model: j.Model.Model, Noise: j.problem.Noise, Count: count, Speed: j.opt.StaticSpeed, Seed: j.project.Seed,
		Progress: func(done, total int, condition float64) {
			j.tell("exchange", done, total, fmt.Sprintf("condition number %.3g", condition))
		}}
	for _, link := range j.Model.Model.JointLinks() {
		of.Ratio = append(of.Ratio, j.Robot.Links[link].Joint.GearRatio)
	}
	d, err := poses.Choose(ctx, of)
	if err != nil {
		return nil, project.NewHintError("static", "", "{static} %d: %w", count, err)
	}
	j.tell("final check", 0, 1, "")
	res := space.Check(d.Motion)
	if res.Violations > 0 {
		return nil, project.NewHintError("static-speed", "", "{static} %d: the passes exceed %s, and no motion is written; slow them with {static-speed}, or give the limits that the robot has", count, exceeded(res.Margins))
	}
	res.Criterion, res.Value, res.ConditionScaled, res.ConditionRaw = excite.ConditionNumber, d.Condition, d.Condition, math.NaN()
	res.Evaluations, res.Stopped, res.Seconds = d.Evaluations, ctx.Err() != nil, time.Since(began).Seconds()
	j.problem.Period = d.Motion.Duration()
	out := j.design(res)
	doc := out.Document
	doc.Segments, doc.Parameters, doc.Poses, doc.Passes = 1, len(d.Columns), d.Poses, d.Passes
	if d.Left > 0 {
		doc.Notes = append(doc.Notes, fmt.Sprintf("%d of %d poses are left out: no free way leads to them", d.Left, count))
	}
	return out, nil
}

// Held says which poses a motion holds.
type Held struct {
	Count   int     // number of poses
	Seconds float64 // for which each is held
	// Choose returns the indexes of Count poses out of free ones, in the order of the motion.
	Choose func(r *robot.Robot, free [][]float64) ([]int, error)
}

// pool is the number of free poses that a choice is made from.
const pool = 300

// Hold designs a motion that holds poses, each for some seconds. left is the number of poses without a free way to them.
// Options of a search have no effect.
func Hold(ctx context.Context, s *project.Settings, opt Options, held Held) (d *Design, left int, err error) {
	opt.Shape = excite.Points
	if err := opt.complete(); err != nil {
		return nil, 0, err
	}
	j, err := newJob(ctx, s, opt)
	if err != nil {
		return nil, 0, err
	}
	j.problem.Shape = ""
	space, err := excite.NewSpace(j.problem)
	if err != nil {
		return nil, 0, j.explainLimits(err)
	}
	free, err := poses.Free(space, pool, s.Seed)
	if err != nil {
		return nil, 0, err
	}
	best, err := held.Choose(j.Robot, free)
	if err != nil {
		return nil, 0, err
	}
	chosen := make([][]float64, len(best))
	for k, i := range best {
		chosen[k] = free[i]
	}
	motion, reached, err := poses.Hold(ctx, space, chosen, free, held.Seconds)
	if err != nil {
		return nil, 0, err
	}
	res := space.Check(motion)
	if res.Violations > 0 {
		return nil, 0, project.NewHintError("design", "", "{design} %d: the motion exceeds %s, and is not written; give the limits that the robot has", held.Count, exceeded(res.Margins))
	}
	j.opt.Shape, res.Criterion, res.Value, res.ConditionScaled, res.ConditionRaw = "static", excite.ConditionNumber, math.NaN(), math.NaN(), math.NaN()
	j.problem.Period = motion.Duration()
	d = j.design(res)
	for _, i := range reached {
		d.Document.Poses = append(d.Document.Poses, chosen[i])
	}
	return d, len(best) - len(reached), nil
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
