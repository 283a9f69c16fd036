package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/cmd/ident/internal/description"
	"ident/excite"
	"ident/identify/project"
	"ident/report"
	"ident/robot"
	"ident/robot/format/urdf"
)

// designJob is a design with the data of its report.
type designJob struct {
	*project.DesignModel
	problem excite.Problem
	before  []float64 // deviations of an earlier fit
	notes   []string  // defaults that the command chose
	search  []report.SearchPoint
	command string // for the page
	seals   project.Seals
}

func (j *designJob) say(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// job reads everything and states the problem.
func (o *designOptions) job(ctx context.Context, p *project.Settings) (*designJob, error) {
	model, err := project.OpenDesign(ctx, p)
	if err != nil {
		return nil, err
	}
	j := &designJob{DesignModel: model, seals: p.Seals}
	r := j.Robot
	j.problem = excite.Problem{Model: j.Model, Limits: excite.LimitsOf(r), Shape: excite.Shape(o.shape), Harmonics: o.harmonics,
		Pieces: o.pieces, Period: o.period, Margin: o.margin, Starts: o.starts, Seed: p.Seed, Criterion: o.criterionKind, Repeats: o.repeat,
		Robot: r, KeepOuts: o.keepOuts, Clearance: o.clearance}
	q := &j.problem
	if o.margin == 0 {
		q.Margin = -1 // the zero stands for the default there
	}
	joints := len(q.Limits)
	for _, l := range []struct {
		name string
		x    []float64
	}{{"noise", o.noises}, {"start", o.from}, {"end", o.to}, {"power-limits", o.powers}} {
		if n := len(l.x); n != 0 && n != joints && !(l.name == "noise" && n == 1) {
			return nil, usagef("--%s has %d numbers for %d joints (%s)", l.name, n, joints, strings.Join(project.JointNames(r), ", "))
		}
	}
	q.Start, q.End = o.from, o.to
	if o.tour != nil {
		tip, err := o.tipOf(r)
		if err != nil {
			return nil, err
		}
		if q.Via, err = description.StatesOfPoses(ctx, r, description.Tip{Link: r.Links[tip.Link].Name, At: &tip.At}, o.tour, o.margin); err != nil {
			return nil, err
		}
		j.say("a motion of %g s from each of %d poses to the next", o.period, len(o.tour))
	}
	for i, x := range o.powers {
		q.Limits[i].Power, q.Limits[i].From.Power = x, p.NameOf("limits.power")
	}
	if err := j.knowledge(o); err != nil {
		return nil, err
	}
	if err := j.space(o); err != nil {
		return nil, err
	}
	if o.base != "" {
		if q.Base, err = project.BaseMotion(ctx, o.base, r); err != nil {
			return nil, err
		}
		q.Period = q.Base.Duration()
	}
	return j, nil
}

// judged returns the result for a given motion.
func (j *designJob) judged(ctx context.Context, path string) (*excite.Result, error) {
	m, err := project.BaseMotion(ctx, path, j.Robot)
	if err != nil {
		return nil, err
	}
	j.problem.Period = m.Duration()
	return excite.Judge(j.problem, m)
}

// knowledge sets what is known of the parameters before the design, and the noise of its log.
func (j *designJob) knowledge(o *designOptions) error {
	q := &j.problem
	q.Values, q.Uncertainty = j.Values, project.UncertaintyOf(j.Values, o.uncertainty)
	limited := slices.ContainsFunc(q.Limits, func(l excite.Limits) bool { return l.Effort > 0 || l.Power > 0 })
	if q.Values != nil && limited && o.after == "" {
		j.say("torque for base parameters off by %g %% of the robot file's", o.uncertainty)
	}
	if q.LogRate = o.logRate; q.LogRate == 0 {
		q.LogRate = o.rate
	}
	if len(o.noises) > 0 {
		q.Noise = make([]float64, len(q.Limits))
		for i := range q.Noise {
			q.Noise[i] = o.noises[min(i, len(o.noises)-1)]
		}
		if o.logRate == 0 {
			j.say("%g independent torque samples a second", q.LogRate)
		}
	}
	if o.after != "" {
		if err := j.takeOver(o.after); err != nil {
			return err
		}
	}
	if o.prior > 0 {
		if q.Values == nil {
			return usagef("--prior %g: the robot file gives no inertials that it could be a part of", o.prior)
		}
		q.PriorRows = append(q.PriorRows, project.PriorRows(q.Values, o.prior)...)
	}
	return nil
}

// takeOver adopts the parameters of an earlier fit, and the noise of its logs if none is given.
func (j *designJob) takeOver(dir string) error {
	res, err := project.ReadResult(dir, j.seals)
	if err != nil {
		return fmt.Errorf("--after: %w", err)
	}
	earlier, err := j.Earlier(dir, res)
	if err != nil {
		return fmt.Errorf("--after %w", err)
	}
	q := &j.problem
	q.PriorRows, q.Values, j.before = earlier.PriorRows, earlier.Values, earlier.Sigma
	q.Uncertainty = make([]float64, len(earlier.Sigma))
	for k, sigma := range earlier.Sigma {
		q.Uncertainty[k] = 3 * sigma
	}
	j.say("torque for base parameters within three standard deviations of %s", dir)
	if q.Noise == nil {
		q.Noise, q.LogRate = earlier.Noise, earlier.RateHz
		j.say("torque noise of the residuals of %s, at %g samples a second", dir, q.LogRate)
	}
	return nil
}

// space fills in bodies, keep-outs and the tip.
func (j *designJob) space(o *designOptions) error {
	q := &j.problem
	capsules, boxes, err := excite.Capsules(j.Robot)
	if err != nil {
		return err
	}
	q.Capsules = capsules
	from := map[string]int{}
	for _, c := range capsules {
		from[c.From]++
	}
	q.SelfCollision = o.self
	if from["collision"]+len(boxes) > 0 && !o.self && !j.Robot.Closed() {
		q.SelfCollision = true
		j.say("links kept apart, as the robot file has collision geometry")
	}
	if q.SelfCollision {
		q.KeepOuts = append(slices.Clone(q.KeepOuts), boxes...)
	}
	if (q.SelfCollision || len(q.KeepOuts) > 0) && len(capsules) > 0 {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(from)) {
			parts = append(parts, fmt.Sprintf("%d from %s", from[k], k))
		}
		j.say("bodies as capsules: %s", strings.Join(parts, ", "))
		if _, meshes, _ := urdf.Solids(j.Robot); meshes > 0 {
			j.say("%d meshes not read", meshes)
		}
	}
	if o.tipSpeed == 0 {
		if o.tip != "" && o.tour == nil {
			return usagef("--tip says where, --tip-speed how fast: give both")
		}
		return nil
	}
	q.Tip, err = o.tipOf(j.Robot)
	return err
}

// tipOf reads the tip, by default that of the last link.
func (o *designOptions) tipOf(r *robot.Robot) (*excite.Tip, error) {
	link := len(r.Links) - 1
	name, text, given := strings.Cut(o.tip, ":")
	if name != "" {
		link = slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Name == name })
		if link < 0 {
			var known []string
			for _, l := range r.Links {
				known = append(known, l.Name)
			}
			return nil, usagef("--tip %s: no such link; the robot has %s", o.tip, strings.Join(known, ", "))
		}
	}
	var at *[3]float64
	if given {
		x, err := project.ParseNumbers(text)
		if err != nil || len(x) != 3 {
			return nil, usagef("--tip %s: want LINK:X,Y,Z", o.tip)
		}
		at = (*[3]float64)(x)
	}
	return project.Tip(r, link, at, o.tipSpeed), nil
}
