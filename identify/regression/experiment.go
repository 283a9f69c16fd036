package regression

import (
	"context"
	"fmt"
	"math"

	"ident/filter"
	"ident/internal/hint"
	"ident/internal/rowlist"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// experiment holds the opened runs of an identification: the first training runs are fitted, the others only predicted.
// It is immutable.
type experiment struct {
	cfg Config
	parametrization
	runs     []Run
	training int
	recording
	fingerprints [][]uint64      // of the training runs: see observation.Leaks
	rowPrints    [][]uint64      // likewise, of single rows
	shared       int             // samples of a time block that several models share, 0 for one model
	likely       *[]likelyBodies // found so far
	solved       *[]solvedRows   // found so far
}

// parametrization is the model of the unknown parameters and that of the known ones.
type parametrization struct {
	terms    []regressor.Term
	searched bool // velocities in the terms were estimated
	model    *regressor.Model
	known    observation.Known
}

func (p *parametrization) needs() regressor.Need { return observation.Needs(p.model, p.known) }

// recording holds the runs' clocks and the choices that follow from them.
type recording struct {
	segments     [][]observation.Segment // by run
	choice       observation.Choice
	motionCutoff float64
	motionOrder  int
	wholeMotion  bool                       // its low-pass takes nothing from the motion
	noise        [][]observation.JointNoise // by training run, or by run where none trains
	rest         *observation.RestRule      // nil where rest is kept
	dropped      int                        // rows left out under DropBad
	made         []result.Decision          // on the source of velocities
}

// open reads the runs' clocks, resolves "auto" settings and follows the robot's closed loops.
func open(ctx context.Context, cfg Config, p parametrization, runs []Run, training int) (*experiment, error) {
	e := &experiment{cfg: cfg, parametrization: p, runs: runs, training: training, likely: new([]likelyBodies), solved: new([]solvedRows)}
	if err := checkNeeds(cfg.Model, &p, runs, training); err != nil {
		return nil, err
	}
	var err error
	if e.recording, err = readClocks(ctx, cfg, p.model, runs, training); err != nil {
		return nil, err
	}
	if err := checkPayload(e); err != nil {
		return nil, err
	}
	e.cfg.MotionCutoff, e.cfg.MotionOrder, e.cfg.VelocityLag, e.cfg.RestRule = e.motionCutoff, e.motionOrder, e.choice.VelocityLag, e.rest
	e.cfg.wholeMotion = e.recording.wholeMotion
	if cfg.Fixed == nil {
		e.cfg.keepRate = e.cfg.rateOfRows(e.samples(0, training))
	}
	e.model, err = followLoops(ctx, e.model, runs, cfg.Progress)
	return e, err
}

// readClocks reads every run once, and the training runs a second time to measure the noise of their motion.
func readClocks(ctx context.Context, cfg Config, model *regressor.Model, runs []Run, training int) (recording, error) {
	rec := recording{segments: make([][]observation.Segment, len(runs)), motionCutoff: cfg.MotionCutoff, motionOrder: cfg.MotionOrder}
	for i := range runs {
		run := &runs[i]
		if err := checkRun(run, model); err != nil {
			return rec, err
		}
		channels := run.Channels(cfg.Velocity != observation.FromPosition, cfg.Acceleration == observation.Auto || cfg.Acceleration == observation.Measured)
		segments, dropped, err := observation.Segments(i, run, channels, cfg.DropBad)
		if err != nil {
			return rec, err
		}
		cfg.Progress("reading", i+1, len(runs))
		rec.segments[i] = segments
		rec.dropped += dropped
	}
	settings := cfg.settings()
	if err := settings.Fits(rec.segments...); err != nil {
		return rec, err
	}
	if training == 0 {
		training = len(runs)
	}
	if err := rec.choose(ctx, cfg, runs[:training]); err != nil {
		return rec, err
	}
	rec.rest = cfg.restRule(rec.noise, model)
	for i := range runs {
		if !rec.choice.Available(&runs[i]) {
			return rec, hint.New("%s: it lacks velocity or acceleration channels that %s has; use {velocity} position {acceleration} velocity for both", runs[i].Name, runs[0].Name)
		}
	}
	return rec, nil
}

// choose resolves "auto" settings by the first run and by the noise of all runs.
func (rec *recording) choose(ctx context.Context, cfg Config, runs []Run) error {
	s := cfg.settings()
	if cfg.motionAuto {
		s.MotionCutoff = cfg.Cutoff
	}
	for i := range runs {
		noise, err := observation.MeasureNoise(ctx, &runs[i], rec.segments[i])
		if err != nil {
			return err
		}
		rec.noise = append(rec.noise, noise)
	}
	var err error
	if cfg.Fixed != nil {
		rec.choice = cfg.Fixed.choice()
	} else if rec.choice, err = observation.Choose(ctx, s, &runs[0], &rec.segments[0][0]); err != nil {
		return err
	}
	rate := 1 / rec.segments[0][0].DT
	if cfg.motionAuto {
		rec.motionCutoff = cfg.motionCutoff(rec.choice.Velocity, rate)
	}
	// With decimation the motion's filter is the only one, so the user sets its cut-off. The local fits of other
	// differentiators have another response.
	if cfg.Fixed != nil || cfg.Plain || cfg.Decimate > 1 || cfg.Differentiator != Central || cfg.Cutoff == 0 {
		return nil
	}
	rows := filter.LowPass{Cutoff: cfg.Cutoff, Order: cfg.Order}
	most := rec.motionCutoff
	if cfg.motionAuto {
		most = cfg.motionCutoff(observation.FromPosition, rate)
	}
	if cfg.Velocity == observation.Auto && runs[0].HasVelocities() {
		errors := observation.CompareVelocities(rec.noise, filter.LowPass{Cutoff: rec.motionCutoff, Order: cfg.Order}, most, rows)
		better, why := errors.PreferPositions()
		if better && rec.choice.Velocity == observation.Measured {
			rec.choice.Velocity, rec.choice.VelocityLag, rec.choice.Reasons = observation.FromPosition, nil, append(rec.choice.Reasons, why)
			if cfg.Acceleration == observation.Auto {
				rec.choice.Acceleration = observation.FromVelocity
			}
		}
		rec.made = append(rec.made, velocityDecision(errors, rec.choice))
	}
	if cfg.motionAuto && rec.choice.Velocity == observation.FromPosition {
		cutoff, why := observation.MotionCutoff(rec.noise, most, rows)
		rec.motionCutoff, rec.motionOrder = cutoff, filter.MotionOrder
		if why != "" {
			rec.choice.Reasons = append(rec.choice.Reasons, why)
		}
		rec.wholeMotion = observation.WholeMotion(rec.noise, cutoff, rows)
		rec.made = append(rec.made, motionDecision(rec.noise, most, cutoff, rows))
	}
	return nil
}

func checkRun(run *Run, model *regressor.Model) error {
	n := model.Joints()
	if len(run.Roles.Q) != n || len(run.Torques()) != n {
		panic(fmt.Sprintf("identify: run %s has %d positions and %d torques for %d joints", run.Name, len(run.Roles.Q), len(run.Torques()), n))
	}
	if run.Gains != nil && len(run.Gains) != n {
		return fmt.Errorf("%s: %s for %s", run.Name, rowlist.Plural(len(run.Gains), "drive gain"), rowlist.Plural(n, "joint"))
	}
	if run.GainSigma != nil && len(run.GainSigma) != n {
		return fmt.Errorf("%s: standard deviations of %d drive gains are given for %d joints", run.Name, len(run.GainSigma), n)
	}
	if got, want := len(run.Redundant), len(model.Redundant()); got != want {
		return fmt.Errorf("%s: torques of %d redundant drives, the robot has %d; without them the load of the other drives is unknown", run.Name, got, want)
	}
	if run.Roles.T == "" {
		return hint.New("%s: no time channel; map it with {map} t=CHANNEL", run.Name)
	}
	return nil
}

// with returns the experiment under another configuration.
func (e *experiment) with(cfg Config) *experiment {
	o := *e
	o.cfg = cfg
	return &o
}

// under returns the experiment with the rows of another model.
func (e *experiment) under(kind Kind) *experiment {
	cfg := e.cfg
	cfg.Model = kind
	return e.with(cfg)
}

// sources returns the segments of runs [first, last), each with the filters for its sampling rate. s says which rows
// they make. Chunks reach back by memory rows.
func (e *experiment) sources(s observation.Settings, first, last, memory int) ([]observation.Source, error) {
	var out []observation.Source
	rest := s.Rest
	for i := first; i < last; i++ {
		if s.Rest = rest; i < len(e.noise) {
			s.Rest = rest.InRun(e.noise[i])
		}
		layout := observation.NewLayout(&e.runs[i], e.choice)
		if i < len(e.noise) && e.cfg.removesSteps() {
			s.Steps = observation.StepsOf(e.noise[i])
		}
		for k := range e.segments[i] {
			seg := &e.segments[i][k]
			f, err := observation.NewFilters(s, seg.DT)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.runs[i].Name, err)
			}
			plan := f.Plan(f.Rows.BlockSamples(e.cfg.Cutoff, seg, e.leastBlock(i)), e.cfg.chunk, memory)
			out = append(out, observation.Source{Run: &e.runs[i], Segment: seg, Layout: layout, Filters: f, Plan: plan})
		}
	}
	return out, nil
}

// trainingSources returns the sources of the training runs, for the rows of the fit.
func (e *experiment) trainingSources(memory int) ([]observation.Source, error) {
	return e.sources(e.cfg.settings(), 0, e.training, memory)
}

// leastBlock returns the least length, in samples, of the time blocks of the fit in a run.
func (e *experiment) leastBlock(run int) int {
	if e.cfg.Fixed != nil {
		return leastBlock(shape(e.cfg.Model, e.model), e.samples(run, run+1))
	}
	return max(leastBlock(shape(e.cfg.Model, e.model), e.samples(0, e.training)), e.shared)
}

func (e *experiment) observer() *observation.Observer {
	return observation.NewObserver(e.model, e.known, e.cfg.Unactuated)
}

// stages returns one stage for each worker.
func stages[T any](workers int, stage func() T) []T {
	out := make([]T, workers)
	for i := range out {
		out[i] = stage()
	}
	return out
}

// samples counts the samples of runs [first, last).
func (r *recording) samples(first, last int) int {
	n := 0
	for _, segments := range r.segments[first:last] {
		for k := range segments {
			n += segments[k].N
		}
	}
	return n
}

// shape returns the masks of the equations of a sample: one for each joint, or one
// with all columns.
func shape(kind Kind, m *regressor.Model) [][]int {
	if !kind.OfEnergy() {
		masks := make([][]int, m.Joints())
		for j := range masks {
			masks[j] = m.Mask(j)
		}
		return masks
	}
	all := make([]int, len(m.Columns()))
	for c := range all {
		all[c] = c
	}
	return [][]int{all}
}

// describe writes the fitted runs and the signal path into a result.
func (e *experiment) describe(res *result.Result, r *robot.Robot, estimator string) {
	res.Schema, res.Model, res.Estimator = result.Schema, string(Dynamic), estimator
	for _, t := range e.terms {
		res.Terms = append(res.Terms, string(t))
	}
	res.Robot = result.RobotInfo{Name: r.Name, DOF: e.model.Joints(), SHA256: r.Source.SHA256}
	for _, l := range e.model.JointLinks() {
		res.Joints = append(res.Joints, r.Links[l].Joint.Name)
		unit := "N·m"
		if r.Links[l].Joint.Kind == robot.Prismatic {
			unit = "N"
		}
		res.JointUnits = append(res.JointUnits, unit)
		rated := r.Links[l].Joint.Effort
		if math.IsNaN(rated) {
			rated = 0
		}
		res.RatedTorque = append(res.RatedTorque, rated)
	}
	read := 0
	for i, run := range e.runs {
		l := result.LogInfo{Name: run.Name, Role: "train", First: run.First, Last: run.Last, Rows: fmt.Sprintf("%d-%d", run.First+1, run.Last)}
		if i >= e.training {
			l.Role = "validate"
		} else if run.Log != nil {
			read += run.Log.Rows()
		} else {
			read += run.Last - run.First
		}
		if i < len(e.fingerprints) {
			var rows []uint64 // of summaries none are known
			if i < len(e.rowPrints) {
				rows = e.rowPrints[i]
			}
			l.SetFingerprints(e.fingerprints[i], rows)
		}
		res.Logs = append(res.Logs, l)
	}
	res.Processing = e.processing(r)
	if p := &res.Processing; p.Rest != nil && (p.KeepEvery > 1 || p.Decimate > 1) && e.cfg.removesSteps() {
		res.Notes = append(res.Notes, fmt.Sprintf("only one row in %d is kept, so steps of acceleration are not corrected: if moves begin or end with such steps, keep all rows", max(p.KeepEvery, p.Decimate)))
	}
	res.Samples = result.Samples{Read: read, RateHz: res.Processing.RateHz / float64(max(e.cfg.Decimate, res.Processing.KeepEvery, 1))}
	for i, segments := range e.segments {
		if s := segments[0].Stamps; s.Clock {
			res.Notes = append(res.Notes, fmt.Sprintf("%s: its stamps are %.2g ms rms off a steady clock of %.6g s; by the positions the rows were sampled on that clock, and are read on it", e.runs[i].Name, 1e3*s.Noise, segments[0].DT))
		}
		if name := e.runs[i].Payload.Channel; name != "" {
			on := 0
			for _, s := range segments {
				if s.Attached {
					on++
				}
			}
			res.Notes = append(res.Notes, fmt.Sprintf("%s: by the channel %s the payload is on in %d of %d stretches; rows beside its changes, as far as the filter reaches, are left out", e.runs[i].Name, name, on, len(segments)))
			continue
		}
		if len(segments) > 1 {
			res.Notes = append(res.Notes, fmt.Sprintf("%s has gaps in time: it was cut into %d stretches", e.runs[i].Name, len(segments)))
		}
	}
}

// processing returns the settings of the signal path for the result.
func (e *experiment) processing(r *robot.Robot) result.Processing {
	p := result.Processing{RateHz: 1 / e.segments[0][0].DT, Path: e.cfg.Path, Torque: "torque", Gravity: r.Gravity, Reasons: e.choice.Reasons, Seed: int64(e.cfg.Seed)}
	p.Velocity, p.VelocityLag, p.Acceleration = e.choice.Velocity, e.choice.VelocityLag, e.choice.Acceleration
	if p.Differentiator == Central || p.Velocity != observation.FromPosition {
		p.Differentiator = ""
	}
	if e.cfg.Decimate > 1 {
		p.Cutoff = 0
	}
	p.KeepEvery = e.keptEvery()
	if e.cfg.Rest == RestDrop || e.cfg.Rest == restWeigh {
		p.Rest = &result.Rest{Range: e.cfg.RestRule.Range, Seconds: e.cfg.RestRule.Seconds}
	}
	if g := e.runs[0].Gains; g != nil {
		p.Torque, p.Gains = e.runs[0].Signal(), g
	}
	for _, segments := range e.segments {
		for k := range segments {
			p.Resampled = p.Resampled || !segments[k].Uniform
		}
	}
	return p
}
