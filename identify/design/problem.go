package design

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/excite"
	"ident/identify/description"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/rowlist"
	"ident/report"
	"ident/robot"
	"ident/robot/format/urdf"
)

// job is a design on its way: the problem, and what its document says of it.
type job struct {
	*Model
	opt     Options // complete
	project *project.Settings
	problem excite.Problem
	before  []float64 // deviations of an earlier fit
	notes   []string  // defaults that were chosen here
	search  []report.SearchPoint
}

func (j *job) say(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// tell passes progress on.
func (j *job) tell(stage string, done, total int, figures string) {
	if j.opt.Progress != nil {
		j.opt.Progress(stage, done, total, figures)
	}
}

// newJob reads everything and states the problem. The options must be complete.
func newJob(ctx context.Context, s *project.Settings, o Options) (*job, error) {
	model, err := OpenModel(ctx, s)
	if err != nil {
		return nil, err
	}
	j := &job{Model: model, opt: o, project: s}
	r := j.Robot
	j.problem = excite.Problem{Model: j.Model.Model, Limits: excite.LimitsOf(r), Shape: o.Shape, Harmonics: o.Harmonics,
		Pieces: o.Pieces, Period: o.Period, Margin: o.Margin, Starts: o.Starts, Seed: s.Seed, Criterion: o.Criterion, Repeats: o.Repeats,
		Robot: r, KeepOuts: o.KeepOuts, Clearance: o.Clearance, Start: o.Start, End: o.End,
		Progress: func(at excite.Progress) {
			j.search = append(j.search, report.SearchPoint{Evaluations: at.Evaluations, Best: at.Best})
			j.tell(at.Stage, at.Done, at.Total, figures(at))
		}}
	q := &j.problem
	if o.Margin == 0 {
		q.Margin = -1 // the zero stands for the default there
	}
	joints := len(q.Limits)
	for _, l := range []struct {
		name string
		x    []float64
	}{{"noise", o.Noise}, {"start", o.Start}, {"end", o.End}, {"limits.power", s.Limits.Power}} {
		if n := len(l.x); n != 0 && n != joints && !(l.name == "noise" && n == 1) {
			return nil, project.NewOptionError("{"+l.name+"} has %s for %s (%s)", rowlist.Plural(n, "number"), rowlist.Plural(joints, "joint"), strings.Join(project.JointNames(r), ", "))
		}
	}
	if o.Poses != nil {
		tip, err := o.Tip.of(r)
		if err != nil {
			return nil, err
		}
		if q.Via, err = description.StatesOfPoses(ctx, r, description.Tip{Link: r.Links[tip.Link].Name, At: &tip.At}, o.Poses, o.Margin); err != nil {
			return nil, err
		}
		j.say("a motion of %g s from each of %d poses to the next", o.Period, len(o.Poses))
	}
	for i, x := range s.Limits.Power {
		q.Limits[i].Power, q.Limits[i].From.Power = x, s.NameOf("limits.power")
	}
	if err := j.knowledge(); err != nil {
		return nil, err
	}
	if err := j.space(); err != nil {
		return nil, err
	}
	if o.Base != "" {
		if q.Base, err = givenMotion(ctx, o.Base, r); err != nil {
			return nil, err
		}
		q.Period = q.Base.Duration()
	}
	return j, nil
}

// judged returns the result for a given motion.
func (j *job) judged(ctx context.Context) (*excite.Result, error) {
	m, err := givenMotion(ctx, j.opt.Judge, j.Robot)
	if err != nil {
		return nil, err
	}
	j.problem.Period = m.Duration()
	return excite.Judge(j.problem, m)
}

// knowledge sets what is known of the parameters before the design, and the noise of its log.
func (j *job) knowledge() error {
	q, o := &j.problem, &j.opt
	q.Values, q.Uncertainty = j.Values, uncertaintyOf(j.Values, o.Uncertainty)
	limited := slices.ContainsFunc(q.Limits, func(l excite.Limits) bool { return l.Effort > 0 || l.Power > 0 })
	if q.Values != nil && limited && o.After == "" {
		j.say("torque limits hold for base parameters that are off by %g %% of the robot file's", o.Uncertainty)
	}
	if q.LogRate = o.LogRate; q.LogRate == 0 {
		q.LogRate = o.Rate
	}
	if len(o.Noise) > 0 {
		q.Noise = make([]float64, len(q.Limits))
		for i := range q.Noise {
			q.Noise[i] = o.Noise[min(i, len(o.Noise)-1)]
		}
		if o.LogRate == 0 {
			j.say("%g independent torque samples a second", q.LogRate)
		}
	}
	if o.After != "" {
		if err := j.takeOver(o.After); err != nil {
			return err
		}
	}
	if o.Prior > 0 {
		if q.Values == nil {
			return project.NewOptionError("{prior} %g is a part of the inertials of the robot file, which gives none: add inertials, or leave out {prior}", o.Prior)
		}
		q.PriorRows = append(q.PriorRows, priorRows(q.Values, o.Prior)...)
	}
	return nil
}

// takeOver adopts the parameters of an earlier fit, and the noise of its logs if none is given.
func (j *job) takeOver(dir string) error {
	res, err := folder.ReadResult(dir, j.project.Seals)
	if err != nil {
		return project.NewHintError("after", dir, "{after}: %w", err)
	}
	earlier, err := j.Earlier(dir, res)
	if err != nil {
		return project.NewHintError("after", dir, "{after} %w", err)
	}
	q := &j.problem
	q.PriorRows, q.Values, j.before = earlier.PriorRows, earlier.Values, earlier.Sigma
	q.Uncertainty = make([]float64, len(earlier.Sigma))
	for k, sigma := range earlier.Sigma {
		q.Uncertainty[k] = 3 * sigma
	}
	j.say("torque limits hold for base parameters within three standard deviations of %s", dir)
	if q.Noise == nil {
		q.Noise, q.LogRate = earlier.Noise, earlier.RateHz
		j.say("torque noise of the residuals of %s, at %g samples a second", dir, q.LogRate)
	}
	return nil
}

// space fills in bodies, keep-outs and the tip.
func (j *job) space() error {
	q, o := &j.problem, &j.opt
	capsules, boxes, err := excite.Capsules(j.Robot)
	if err != nil {
		return err
	}
	q.Capsules = capsules
	from := map[string]int{}
	for _, c := range capsules {
		from[c.From]++
	}
	q.SelfCollision = o.SelfCollision
	if from["collision"]+len(boxes) > 0 && !o.SelfCollision && !j.Robot.Closed() {
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
	if o.Tip.Speed > 0 {
		q.Tip, err = o.Tip.of(j.Robot)
	}
	return err
}

// of returns the tip of a robot.
func (t Tip) of(r *robot.Robot) (*excite.Tip, error) {
	link := len(r.Links) - 1
	if t.Link != "" {
		link = slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Name == t.Link })
		if link < 0 {
			var known []string
			for _, l := range r.Links {
				known = append(known, l.Name)
			}
			return nil, project.NewOptionError("{tip} %s: no such link; the robot has %s", t.Link, strings.Join(known, ", "))
		}
	}
	return tipAt(r, link, t.At, t.Speed), nil
}
