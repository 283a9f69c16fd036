package identify

import (
	"context"
	"fmt"

	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// experiment is the runs of an identification, opened: the first training of
// them are fitted, the rest only predicted.
type experiment struct {
	cfg      *Config
	model    *regressor.Model
	runs     []Run
	training int
	segments [][]segment // per run
	choice   choices
	read     int // rows of the training runs

	leastBlock int // samples
	atLeast    int // samples of a time block that several models share, 0 for one model
	memory     int // rows before its own that a pass needs of each chunk
	estimator  string
	sketches   [][]uint64 // of the training runs: see leaks
	tests      *estimate.ResidualTests
	last       float64 // time of the last residual that was tested

	terms       []regressor.Term
	searched    bool             // velocities in the terms were estimated
	fixed       *regressor.Model // of known parameters, nil for none
	fixedValues []float64
	bias        *estimate.Endogeneity // of least squares, where instruments told
}

// open looks at the runs' clocks and decides what "auto" means.
func (e *experiment) open(ctx context.Context, out *Outcome) error {
	if err := e.checkNeeds(); err != nil {
		return err
	}
	e.segments = make([][]segment, len(e.runs))
	for i := range e.runs {
		run := &e.runs[i]
		if err := e.checkRun(run); err != nil {
			return err
		}
		names := append([]string{run.Roles.T}, run.Roles.Q...)
		names = append(names, run.Redundant...)
		names = append(names, run.torques()...)
		if run.Wrench[0] != "" {
			names = append(names, run.Wrench[:]...)
		}
		names = append(names, run.contacts()...)
		if complete(run.Roles.DQ) && e.cfg.Velocity != "position" {
			names = append(names, run.Roles.DQ...)
		}
		if complete(run.Roles.DDQ) && (e.cfg.Acceleration == "auto" || e.cfg.Acceleration == "measured") {
			names = append(names, run.Roles.DDQ...)
		}
		segments, bad, err := clock(i, run, names, e.cfg.DropBad)
		if err != nil {
			return err
		}
		e.cfg.Progress("reading", i+1, len(e.runs))
		e.segments[i] = segments
		out.Dropped += bad
		if i < e.training {
			e.read += run.Log.Rows()
		}
		if i == 0 {
			if e.cfg.MotionAuto {
				e.cfg.MotionCutoff = e.cfg.Cutoff
			}
			if e.choice, err = choose(ctx, e.cfg, run, &segments[0]); err != nil {
				return err
			}
			if e.cfg.MotionAuto {
				e.cfg.MotionCutoff = e.cfg.motionCutoff(e.choice.velocity, 1/segments[0].dt)
			}
		} else if (e.choice.velocity == "measured" && !complete(run.Roles.DQ)) || (e.choice.acceleration == "measured" && !complete(run.Roles.DDQ)) {
			return fmt.Errorf("%s: it lacks velocity or acceleration channels that %s has; use --velocity position --acceleration velocity for both", run.Name, e.runs[0].Name)
		}
	}
	return e.follow(ctx)
}

func (e *experiment) checkRun(run *Run) error {
	n := e.model.Joints()
	if len(run.Roles.Q) != n || len(run.torques()) != n {
		panic(fmt.Sprintf("identify: run %s has %d positions and %d torques for %d joints", run.Name, len(run.Roles.Q), len(run.torques()), n))
	}
	if run.Gains != nil && len(run.Gains) != n {
		return fmt.Errorf("%s: %d drive gains for %d joints", run.Name, len(run.Gains), n)
	}
	if got, want := len(run.Redundant), len(e.model.Redundant()); got != want {
		return fmt.Errorf("%s: torques of %d redundant drives, the robot has %d; without them nobody knows what the others carry", run.Name, got, want)
	}
	if run.Roles.T == "" {
		return fmt.Errorf("%s: no time channel; map it with --map t=CHANNEL", run.Name)
	}
	return nil
}

// sources lists the segments of runs [first, last) with their filters.
func (e *experiment) sources(cfg *Config, first, last int) ([]source, map[*segment]*filters, error) {
	var out []source
	byRate := map[*segment]*filters{}
	for i := first; i < last; i++ {
		_, channels := layoutOf(&e.runs[i], e.choice)
		for k := range e.segments[i] {
			seg := &e.segments[i][k]
			f, err := newFilters(cfg, 1/seg.dt)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", e.runs[i].Name, err)
			}
			f.overlap += e.memory * f.every
			byRate[seg] = f
			out = append(out, source{log: e.runs[i].Log, channels: channels, seg: seg, plan: f.plan(blockSamples(cfg, f, seg, e.leastBlock), cfg.chunk)})
		}
	}
	return out, byRate, nil
}

func (e *experiment) workers(cfg *Config) []*worker {
	ws := make([]*worker, cfg.Workers)
	for i := range ws {
		ws[i] = e.worker(cfg)
	}
	return ws
}

func (e *experiment) worker(cfg *Config) *worker {
	w := newWorker(cfg, e.model, e.choice)
	w.runs, w.needs, w.known = e.runs, e.needs(), e.newKnown()
	w.load = make([][]float64, e.model.Joints())
	return w
}

// reduce is the one pass of the fit, or with a change one of the further passes
// that some estimators take. It returns the time blocks and where they lie.
func (e *experiment) reduce(ctx context.Context, change estimate.Change) (*estimate.Reduction, []blockID, error) {
	masks := e.cfg.Model.shape(e.model)
	sum := estimate.NewReduction(len(e.model.Columns()), masks)
	stage := "fitting"
	if change != nil {
		sum = estimate.NewReduction(len(e.model.Columns()), change.Masks(masks))
		stage = "estimating"
	}
	e.leastBlock = max(leastBlock(masks, e.samples(0, e.training)), e.atLeast)
	sources, filters, err := e.sources(e.cfg, 0, e.training)
	if err != nil {
		return nil, nil, err
	}
	total, done := e.samples(0, e.training), 0
	ws := e.workers(e.cfg)
	var open estimate.TimeBlock // the last block, which the next chunk may go on with
	var openID int
	var openSeg *segment
	var where []blockID
	err = pass(ctx, sources, e.cfg.Workers, func(i int, c *chunk) (reduced, error) {
		run := &e.runs[c.seg.run]
		ch, _ := layoutOf(run, e.choice)
		f := filters[c.seg]
		length := blockSamples(e.cfg, f, c.seg, e.leastBlock)
		var out reduced
		if change == nil {
			out = ws[i].reduce(c, f, ch, run.Gains, sum, length)
		} else {
			out = ws[i].reduceChanged(c, f, ch, run.Gains, sum, length, masks, change)
		}
		out.samples = c.last - c.first
		return out, ws[i].failed(c, run)
	}, func(r reduced) error {
		done += r.samples
		e.cfg.Progress(stage, done, total)
		for i, b := range r.blocks {
			if openSeg == r.seg && openID == r.ids[i] {
				for k, f := range b.Joints {
					open.Joints[k].Merge(f, &ws[0].mergeWork)
				}
				continue
			}
			if openSeg != nil {
				sum.Append(open)
				where = append(where, blockID{openSeg, openID})
			}
			open, openID, openSeg = b, r.ids[i], r.seg
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if openSeg != nil {
		sum.Append(open)
		where = append(where, blockID{openSeg, openID})
	}
	return sum, where, nil
}

// samples counts those of runs [first, last).
func (e *experiment) samples(first, last int) int {
	n := 0
	for _, segments := range e.segments[first:last] {
		for k := range segments {
			n += segments[k].n
		}
	}
	return n
}

// compare is the pass that measures the errors of an estimate on every run.
func (e *experiment) compare(ctx context.Context, x []float64, out *Outcome) error {
	var train, all sums
	validation := &estimate.Validation{}
	// Whatever model was fitted, its parameters predict torques.
	cfg := *e.cfg
	cfg.Model = Dynamic
	sources, filters, err := e.sources(&cfg, 0, len(e.runs))
	if err != nil {
		return err
	}
	total, done := e.samples(0, len(e.runs)), 0
	ws := e.workers(&cfg)
	perRun := make([]sums, len(e.runs))
	kept := make([]series, len(e.runs))
	type compared struct {
		run, samples int
		s            sums
	}
	err = pass(ctx, sources, e.cfg.Workers, func(i int, c *chunk) (compared, error) {
		run := &e.runs[c.seg.run]
		ch, _ := layoutOf(run, e.choice)
		return compared{c.seg.run, c.last - c.first, ws[i].compare(c, filters[c.seg], ch, run.Gains, x)}, ws[i].failed(c, run)
	}, func(c compared) error {
		done += c.samples
		e.cfg.Progress("residuals", done, total)
		perRun[c.run].add(&c.s)
		if err := e.hear(c.run, &c.s); err != nil {
			return err
		}
		kept[c.run].limit = e.cfg.SeriesLimit
		kept[c.run].add(&c.s)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range e.runs {
		role := "train"
		if i < e.training {
			train.add(&perRun[i])
		} else {
			role = "validate"
			all.add(&perRun[i])
			validation.Runs = append(validation.Runs, estimate.ValidationRun{Log: e.runs[i].Name, Errors: perRun[i].errors()})
			if perRun[i].n == 0 {
				return fmt.Errorf("%s: no sample is left of it after cutting %g s from both ends; give a smaller --trim", e.runs[i].Name, e.cfg.Trim)
			}
		}
		kept[i].run.Log, kept[i].run.Role = e.runs[i].Name, role
		out.Residuals = append(out.Residuals, kept[i].run)
	}
	if e.training > 0 {
		out.Result.Fit = train.errors()
	}
	if len(validation.Runs) > 0 {
		validation.Errors = all.errors()
		out.Result.Validation = validation
	}
	return nil
}

// fill states in a result what was fitted and how.
func (e *experiment) fill(res *estimate.Result, r *robot.Robot, terms []regressor.Term) {
	res.Schema, res.Model, res.Estimator = estimate.Schema, "dynamic", e.estimator
	for _, t := range terms {
		res.Terms = append(res.Terms, string(t))
	}
	res.Robot = estimate.RobotInfo{Name: r.Name, DOF: e.model.Joints(), SHA256: r.Source.SHA256}
	for _, l := range e.model.JointLinks() {
		res.Joints = append(res.Joints, r.Links[l].Joint.Name)
		unit := "N·m"
		if r.Links[l].Joint.Kind == robot.Prismatic {
			unit = "N"
		}
		res.JointUnits = append(res.JointUnits, unit)
	}
	for i, run := range e.runs {
		role := "train"
		if i >= e.training {
			role = "validate"
		}
		l := estimate.LogInfo{Name: run.Name, Role: role, First: run.First, Last: run.Last}
		if i < len(e.sketches) {
			l.SetPrints(e.sketches[i])
		}
		res.Logs = append(res.Logs, l)
	}
	seg := &e.segments[0][0]
	rate := 1 / seg.dt
	res.Samples = estimate.Samples{Read: e.read, RateHz: rate / float64(e.cfg.Decimate)}
	res.Processing = estimate.Processing{RateHz: rate, CutoffHz: e.cfg.Cutoff, MotionCutoffHz: e.cfg.MotionCutoff, FilterOrder: e.cfg.Order,
		Decimate: e.cfg.Decimate, TrimS: e.cfg.Trim, Velocity: e.choice.velocity, Acceleration: e.choice.acceleration, Torque: "torque",
		Gravity: r.Gravity, Reasons: e.choice.reasons, Seed: int64(e.cfg.Seed)}
	if e.cfg.Differentiator != Central && e.choice.velocity == "position" {
		res.Processing.Differentiator = e.cfg.Differentiator
	}
	if e.cfg.Decimate > 1 {
		res.Processing.CutoffHz = 0
	}
	if g := e.runs[0].Gains; g != nil {
		res.Processing.Torque, res.Processing.Gains = "current", g
	}
	for i, segments := range e.segments {
		for k := range segments {
			if !segments[k].uniform {
				res.Processing.Resampled = true
			}
		}
		if len(segments) > 1 {
			res.Notes = append(res.Notes, fmt.Sprintf("%s has gaps in time: it was cut into %d stretches", e.runs[i].Name, len(segments)))
		}
	}
}
