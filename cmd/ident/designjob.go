package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/excite"
	"ident/project"
	"ident/regressor"
	"ident/robot"
)

// designJob is a design with what its report needs.
type designJob struct {
	robot   *robot.Robot
	terms   []regressor.Term
	set     *baseparams.Set
	problem excite.Problem
	before  []float64 // deviations of an earlier fit
	notes   []string  // defaults that the command chose
}

func (j *designJob) say(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// job reads everything and states the problem.
func (o *designOptions) job(p *project.Settings) (*designJob, error) {
	r, err := project.FindRobot(p, true)
	if err != nil {
		return nil, err
	}
	if err := project.RequireNumeric(r); err != nil {
		return nil, err
	}
	if r, err = project.Lock(r, p.Lock); err != nil {
		return nil, err
	}
	r = project.AssembledWithin(p, r)
	j := &designJob{robot: r}
	if j.terms, err = project.ParseTerms(p, regressor.DefaultTerms()); err != nil {
		return nil, err
	}
	full, err := regressor.NewDynamic(r, j.terms)
	if err != nil {
		return nil, err
	}
	if c, ok := full.Differentiable(); !ok {
		return nil, usagef("--terms: trajectories are designed for links, Ia, Fv, Fs and Fo; leave out %s", c.Term)
	}
	j.set = baseparams.QR(full, baseparams.Options{Seed: p.Seed})
	j.problem = excite.Problem{Model: full.Select(j.set.Base), Limits: excite.LimitsOf(r), Shape: excite.Shape(o.shape), Harmonics: o.harmonics,
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
	for i, x := range o.powers {
		q.Limits[i].Power = x
	}
	if err := j.known(r, full, o, p); err != nil {
		return nil, err
	}
	if err := j.space(o); err != nil {
		return nil, err
	}
	if o.base != "" {
		if q.Base, err = baseMotion(o.base, r); err != nil {
			return nil, err
		}
		q.Period = q.Base.Duration()
	}
	return j, nil
}

// known fills in what is known of the parameters before the design.
func (j *designJob) known(r *robot.Robot, full *regressor.Model, o *designOptions, p *project.Settings) error {
	q := &j.problem
	chi := make([]float64, len(full.Columns()))
	complete := true
	for c, col := range full.Columns() {
		v, ok := regressor.ValueOf(r, col)
		chi[c] = v
		complete = complete && (ok || col.Term != regressor.Links)
	}
	if complete && slices.Contains(j.terms, regressor.Links) {
		q.Values = j.set.FromStandard(chi)
		limited := false
		for _, l := range q.Limits {
			limited = limited || l.Effort > 0 || l.Power > 0
		}
		if limited && o.after == "" {
			j.say("torque for base parameters off by %g %% of the robot file's", o.uncertainty)
		}
	}
	for _, v := range q.Values {
		q.Uncertainty = append(q.Uncertainty, o.uncertainty/100*math.Abs(v))
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
		if err := j.after(o.after); err != nil {
			return err
		}
	}
	if o.prior > 0 {
		if q.Values == nil {
			return usagef("--prior %g: the robot file gives no inertials that it could be a part of", o.prior)
		}
		for c, v := range q.Values {
			if v != 0 {
				row := make([]float64, len(q.Values))
				row[c] = 100 / (o.prior * math.Abs(v))
				q.PriorRows = append(q.PriorRows, row)
			}
		}
	}
	return nil
}

// after takes over what an earlier fit has found, and how noisy its logs were.
func (j *designJob) after(dir string) error {
	res, err := project.ReadResult(dir)
	if err != nil {
		return fmt.Errorf("--after: %w", err)
	}
	if res.Model != "" && res.Model != "dynamic" {
		return fmt.Errorf("--after %s: it is a fit of the %s model; a design needs one of the dynamic model", dir, res.Model)
	}
	if res.Robot.SHA256 != j.robot.Source.SHA256 {
		return fmt.Errorf("--after %s: it is a fit of robot %q from another file than this one", dir, res.Robot.Name)
	}
	names := j.set.Names()
	index := make([]int, len(res.BaseParameters))
	for i, b := range res.BaseParameters {
		if index[i] = slices.Index(names, b.Name); index[i] < 0 {
			return fmt.Errorf("--after %s: it has the base parameter %s, the design has not; give both the same --terms (%s) and --lock",
				dir, b.Name, strings.Join(res.Terms, ","))
		}
	}
	q := &j.problem
	if len(res.Covariance) != len(index) || len(res.NoiseSigma) != len(q.Limits) {
		return fmt.Errorf("--after %s: its result.json has no covariance of its parameters or noise of its joints", dir)
	}
	if q.PriorRows, err = excite.PriorRowsFrom(res.Covariance, index, len(names)); err != nil {
		return fmt.Errorf("--after %s: %w", dir, err)
	}
	j.before = make([]float64, len(names))
	q.Values, q.Uncertainty = make([]float64, len(names)), make([]float64, len(names))
	for i, b := range res.BaseParameters {
		// Three deviations to either side.
		j.before[index[i]], q.Values[index[i]], q.Uncertainty[index[i]] = b.Sigma, b.Value, 3*b.Sigma
	}
	j.say("torque for base parameters within three deviations of %s", dir)
	if q.Noise == nil {
		q.Noise, q.LogRate = make([]float64, len(q.Limits)), res.Samples.RateHz
		for i := range q.Noise {
			q.Noise[i] = res.NoiseSigma[i]
			if i < len(res.CorrelationInflation) {
				q.Noise[i] *= math.Sqrt(res.CorrelationInflation[i])
			}
		}
		j.say("torque noise of the residuals of %s, at %g samples a second", dir, q.LogRate)
	}
	return nil
}

// space fills in bodies, keep-outs and the tip.
func (j *designJob) space(o *designOptions) error {
	q := &j.problem
	capsules, boxes, err := excite.Capsules(j.robot)
	if err != nil {
		return err
	}
	q.Capsules = capsules
	from := map[string]int{}
	for _, c := range capsules {
		from[c.From]++
	}
	q.SelfCollision = o.self
	if from["collision"]+len(boxes) > 0 && !o.self && !j.robot.Closed() {
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
		if _, meshes, _ := j.robot.Solids(); meshes > 0 {
			j.say("%d meshes not read", meshes)
		}
	}
	if o.tipSpeed == 0 {
		if o.tip != "" {
			return usagef("--tip says where, --tip-speed how fast: give both")
		}
		return nil
	}
	tip := excite.Tip{Link: len(j.robot.Links) - 1, Speed: o.tipSpeed}
	name, at, given := strings.Cut(o.tip, ":")
	if name != "" {
		tip.Link = slices.IndexFunc(j.robot.Links, func(l robot.Link) bool { return l.Name == name })
		if tip.Link < 0 {
			var known []string
			for _, l := range j.robot.Links {
				known = append(known, l.Name)
			}
			return usagef("--tip %s: no such link; the robot has %s", o.tip, strings.Join(known, ", "))
		}
	}
	if given {
		x, err := project.ParseNumbers(at)
		if err != nil || len(x) != 3 {
			return usagef("--tip %s: want LINK:X,Y,Z", o.tip)
		}
		tip.At = j.robot.Links[tip.Link].UserFrame.Apply([3]float64{x[0], x[1], x[2]})
	} else {
		// The body that a fixed joint hangs on the link, a flange or tool, is its tip.
		tip.At = j.robot.Links[tip.Link].UserFrame.P
		for _, l := range j.robot.Lumped {
			if l.Into == tip.Link {
				tip.At = l.InLink.P
			}
		}
	}
	tip.Name = j.robot.Links[tip.Link].Name
	q.Tip = &tip
	return nil
}

// baseMotion reads a trajectory as polynomials through its samples.
func baseMotion(path string, r *robot.Robot) (excite.Motion, error) {
	m, _, err := project.OpenMotion(path, r)
	if err != nil {
		return nil, err
	}
	if own, ok := m.(excite.Motion); ok {
		return own, nil
	}
	// Fine beside any motion of a robot: the acceleration between two samples of a
	// motion of 10 Hz comes back to a part in a thousand.
	const rate = 200
	n := max(2, int(math.Ceil(m.Duration()*rate)))
	t := make([]float64, n+1)
	var x [3][][]float64
	for o := range x {
		x[o] = make([][]float64, m.DOF())
		for i := range x[o] {
			x[o][i] = make([]float64, n+1)
		}
	}
	q, dq, ddq := make([]float64, m.DOF()), make([]float64, m.DOF()), make([]float64, m.DOF())
	for k := range t {
		t[k] = m.Duration() * float64(k) / float64(n)
		m.Eval(t[k], q, dq, ddq)
		for i := range q {
			x[0][i][k], x[1][i][k], x[2][i][k] = q[i], dq[i], ddq[i]
		}
	}
	return excite.Through(project.JointNames(r), t, x[0], x[1], x[2])
}
