package identify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/closedloop"
	"ident/datasets"
	"ident/estimate"
	"ident/filter"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
	motion "ident/simulate"
)

// Servo is what is known of the controller that moved the robot: the law and the
// channels of its reference. Estimators that simulate the motion need it.
type Servo struct {
	Controller closedloop.Controller
	Reference  []string // channels of the reference positions, one a joint
	Velocity   []string // of the reference velocities; nil to take them from the positions
	Smooth     []float64
}

// ServoMethod is an estimator that simulates the closed loop.
type ServoMethod string

// The estimators that simulate the closed loop (Gautier, Janot and Vandanjon 2013).
const (
	IV    ServoMethod = "iv"    // instruments from the simulated motion
	DIDIM ServoMethod = "didim" // least squares on the simulated motion, repeated
	CLIE  ServoMethod = "clie"  // the simulated torque to fit the measured one
	CLOE  ServoMethod = "cloe"  // the simulated positions to fit the measured ones
	ML    ServoMethod = "ml"    // both, each joint's by its own noise: maximum likelihood
	Auto  ServoMethod = "auto"  // weighted least squares, or iv where a test finds that biased
)

// ServoMethods lists them.
func ServoMethods() []ServoMethod { return []ServoMethod{IV, DIDIM, CLIE, CLOE, ML, Auto} }

// ErrNoServo is wrapped by the error of an estimator that needs a controller where
// none is known.
var ErrNoServo = errors.New("the controller is not known")

// ByServo is the choice of an estimator that simulates the closed loop.
func ByServo(method ServoMethod) Choice {
	return func(r *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		return &servoEstimator{method: method, robot: r, set: set}, nil
	}
}

// servoEstimator estimates with the experiment's controller. The experiment comes
// in as the problem's rows.
type servoEstimator struct {
	method ServoMethod
	robot  *robot.Robot
	set    *baseparams.Set
}

// Name is that of the method.
func (s *servoEstimator) Name() string { return string(s.method) }

// Estimate simulates the training runs under their controller until the estimate
// comes to rest. It holds a run in memory at a time, and the simulated ones. The
// first iterate is weighted least squares; where that has no forward dynamics,
// the robot file's values.
func (s *servoEstimator) Estimate(ctx context.Context, p *estimate.Problem) (*estimate.Solution, error) {
	e, ok := p.Rows.(*experiment)
	if !ok {
		return nil, estimate.ErrPasses
	}
	if e.cfg.Servo == nil && s.method == Auto {
		e.estimator = "auto:wls"
		return p.Reduction.Solve(estimate.WLS, p.MinimumNorm)
	}
	if e.cfg.Servo == nil {
		return nil, fmt.Errorf("%w: %s simulates the motion under it; give its gains with --controller and its reference with --reference", ErrNoServo, s.method)
	}
	if e.cfg.Model != Dynamic || len(s.robot.Loops) > 0 || e.fixed != nil {
		return nil, fmt.Errorf("%s works with the dynamic model of a tree all of whose parameters are sought", s.method)
	}
	loop, err := newServoLoop(ctx, e)
	if err != nil {
		return nil, err
	}
	x, err := s.first(p, loop)
	if err != nil {
		return nil, err
	}
	switch s.method {
	case IV, DIDIM:
		return s.fixedPoint(ctx, loop, x)
	case Auto:
		byInstruments := &servoEstimator{IV, s.robot, s.set}
		sol, err := byInstruments.fixedPoint(ctx, loop, x)
		if err != nil {
			return nil, err
		}
		if e.estimator = "auto:iv"; e.bias != nil && e.bias.Biased() {
			return sol, nil
		}
		e.estimator = "auto:wls"
		return p.Reduction.Solve(estimate.WLS, p.MinimumNorm)
	}
	return s.gaussNewton(ctx, loop, x)
}

// testBias tests an estimate by least squares, where the controller is known. A
// simulation that cannot be done leaves a note and no test.
func (e *experiment) testBias(ctx context.Context, r *robot.Robot, out *Outcome) {
	if e.cfg.Servo == nil || e.bias != nil || e.cfg.Model != Dynamic {
		return
	}
	s := &servoEstimator{IV, r, out.Base}
	if _, err := s.Estimate(ctx, &estimate.Problem{Reduction: out.Reduction, Rows: e}); err != nil {
		out.Result.Notes = append(out.Result.Notes, "least squares was not tested for bias: "+err.Error())
	}
}

// first is the iterate to begin with, one that can be simulated.
func (s *servoEstimator) first(p *estimate.Problem, loop *servoLoop) ([]float64, error) {
	plain, err := p.Reduction.Solve(estimate.WLS, false)
	if err != nil {
		return nil, err
	}
	if _, err = loop.simulate(plain.X, false); err == nil {
		return plain.X, nil
	}
	first := err
	own := fileParameters(s.robot, s.set)
	if _, err = loop.simulate(own, false); err == nil {
		return own, nil
	}
	return nil, fmt.Errorf("%s needs parameters that a robot can move with to begin: least squares: %w; the robot file's values: %w", s.method, first, err)
}

// Iterations of the estimators that simulate: a simulation a run each.
const (
	servoIterations = 40
	// A step below this many deviations of every parameter ends them: what is printed
	// has fewer digits. A noise-free log has no deviations; its steps end at the rounding
	// of the motion's differences, a millionth.
	servoStep     = 1e-2
	servoRounding = 1e-6
)

// fixedPoint repeats least squares on the simulated motion (DIDIM), or with it as
// instruments (IV), at the parameters of the time before.
func (s *servoEstimator) fixedPoint(ctx context.Context, loop *servoLoop, x []float64) (*estimate.Solution, error) {
	var sol *estimate.Solution
	change := math.Inf(1)
	for range servoIterations {
		motions, err := loop.simulate(x, false)
		if err != nil {
			return nil, s.stopped(err, change, x)
		}
		if s.method == IV {
			sol, err = loop.instrumental(ctx, motions)
		} else {
			sol, err = loop.onSimulated(ctx, motions)
		}
		if err != nil {
			return nil, err
		}
		var done bool
		if change, done = atRest(x, sol); done {
			sol.Stack = nil
			return sol, nil
		}
		x = sol.X
	}
	return nil, &estimate.ConvergenceError{Estimator: string(s.method), Iterations: servoIterations, Change: change, X: x, Reason: "the estimate does not come to rest"}
}

// gaussNewton makes the simulated output fit the measured one: torque, position or
// both, each joint's weighted by what is left of it. Steps are halved until the sum
// of squares falls.
func (s *servoEstimator) gaussNewton(ctx context.Context, loop *servoLoop, x []float64) (*estimate.Solution, error) {
	motions, err := loop.simulate(x, true)
	if err != nil {
		return nil, s.stopped(err, math.Inf(1), x)
	}
	change := math.Inf(1)
	for range servoIterations {
		scales := loop.deviations(s.method, motions)
		cost := loop.cost(s.method, motions, scales)
		sol, err := loop.step(ctx, s.method, motions, x, scales)
		if err != nil {
			return nil, err
		}
		var done bool
		if change, done = atRest(x, sol); done {
			sol.Stack = nil
			return sol, nil
		}
		part, reason := 1.0, error(nil)
		for ; part > 1e-3; part /= 2 {
			next := slices.Clone(x)
			for i := range next {
				next[i] += part * (sol.X[i] - x[i])
			}
			var trial []*servoMotion
			if trial, reason = loop.simulate(next, true); reason == nil && loop.cost(s.method, trial, scales) <= cost*(1+1e-12) {
				x, motions = next, trial
				break
			}
		}
		if part <= 1e-3 {
			if reason == nil {
				reason = errors.New("no step along the Gauss-Newton direction makes the sum of squares smaller")
			}
			return nil, s.stopped(reason, change, x)
		}
	}
	return nil, &estimate.ConvergenceError{Estimator: string(s.method), Iterations: servoIterations, Change: change, X: x, Reason: "the estimate does not come to rest"}
}

// stopped is the error of an iterate that cannot be gone on from.
func (s *servoEstimator) stopped(reason error, change float64, x []float64) error {
	return &estimate.ConvergenceError{Estimator: string(s.method), Change: change, X: x, Reason: reason.Error()}
}

// atRest tells how far an estimate is from the last one, in its deviations, and
// whether that is negligible.
func atRest(x []float64, sol *estimate.Solution) (change float64, ok bool) {
	ok = true
	size := 0.0
	for _, v := range sol.X {
		size = max(size, math.Abs(v))
	}
	for i, v := range sol.X {
		d, sigma := math.Abs(v-x[i]), math.Sqrt(sol.Covariance[i][i])
		if d == 0 {
			continue
		}
		change = max(change, d/max(sigma, math.SmallestNonzeroFloat64))
		ok = ok && d <= max(servoStep*sigma, servoRounding*size)
	}
	return change, ok
}

// fileParameters are the robot file's values of the base parameters.
func fileParameters(r *robot.Robot, set *baseparams.Set) []float64 {
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	return set.FromStandard(chi)
}

// servoLoop is the training runs and their controller.
type servoLoop struct {
	e      *experiment
	loop   *closedloop.Loop
	tracks []*track
}

// track is one segment of a run, whole.
type track struct {
	seg       *segment
	reference *motion.Recorded
	chunk     *chunk // what the fit reads of it
	filters   *filters
	t         []float64
	q, tau    [][]float64 // as logged; torque times gain
	start     [2][]float64
}

// servoMotion is a simulated track.
type servoMotion struct {
	*closedloop.Response
	track *track
}

// newServoLoop reads the training runs.
func newServoLoop(ctx context.Context, e *experiment) (*servoLoop, error) {
	servo, n := e.cfg.Servo, e.model.Joints()
	if len(servo.Reference) != n || servo.Velocity != nil && len(servo.Velocity) != n {
		return nil, fmt.Errorf("the controller's reference has %d position and %d velocity channels for %d joints", len(servo.Reference), len(servo.Velocity), n)
	}
	loop, err := closedloop.New(e.model, servo.Controller, closedloop.Options{Smooth: servo.Smooth})
	if err != nil {
		return nil, err
	}
	l := &servoLoop{e: e, loop: loop}
	sources, filters, err := e.sources(e.cfg, 0, e.training)
	if err != nil {
		return nil, err
	}
	extra := append(slices.Clone(servo.Reference), servo.Velocity...)
	for i := range sources {
		run := &e.runs[sources[i].seg.run]
		for _, c := range extra {
			if !run.Log.Has(c) {
				return nil, fmt.Errorf("%s: it has no channel %q for the controller's reference; it has %v", run.Name, c, run.Log.Names())
			}
		}
		sources[i].channels = append(slices.Clone(sources[i].channels), extra...)
		sources[i].plan = chunkPlan{core: sources[i].seg.n}
	}
	w := e.worker(e.cfg)
	err = pass(ctx, sources, 1, func(_ int, c *chunk) (*track, error) {
		run := &e.runs[c.seg.run]
		ch, names := layoutOf(run, e.choice)
		own := len(names) - 1
		t := &track{seg: c.seg, filters: filters[c.seg], chunk: &chunk{seg: c.seg, lo: c.lo, first: c.first, last: c.last}}
		for _, col := range c.data {
			t.chunk.data = append(t.chunk.data, slices.Clone(col))
		}
		for i := range c.seg.n {
			t.t = append(t.t, float64(i)*c.seg.dt)
		}
		given := t.chunk.data[own:]
		t.chunk.data = t.chunk.data[:own]
		// The reference between its samples: polynomials of the fifth degree with the
		// five-point differences, or the velocities of the log, at their ends.
		velocity, slopes := table(n, c.seg.n), table(n, c.seg.n)
		for k := range n {
			filter.Differentiate4(velocity[k], given[k], c.seg.dt)
			if servo.Velocity != nil {
				copy(velocity[k], given[n+k])
			}
			filter.Differentiate4(slopes[k], velocity[k], c.seg.dt)
		}
		var err error
		if t.reference, err = motion.NewRecorded(t.t, given[:n], velocity, slopes); err != nil {
			return nil, fmt.Errorf("%s: the controller's reference: %w", run.Name, err)
		}
		for k := range n {
			t.q = append(t.q, t.chunk.data[ch.q+k])
		}
		// The state to begin with is that of the filtered motion.
		smooth := t.fresh()
		w.rows(smooth, t.filters, ch, run.Gains)
		for k := range n {
			t.tau = append(t.tau, slices.Clone(w.raw[k]))
			t.start[0] = append(t.start[0], smooth.data[ch.q+k][0])
			rate := w.dq[k]
			if ch.dq >= 0 {
				rate = smooth.data[ch.dq+k]
			}
			t.start[1] = append(t.start[1], rate[0])
		}
		return t, nil
	}, func(t *track) error {
		l.tracks = append(l.tracks, t)
		return nil
	})
	return l, err
}

func table(rows, cols int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, cols)
	}
	return out
}

// fresh is a copy of the chunk that a worker may filter in place.
func (t *track) fresh() *chunk {
	c := *t.chunk
	c.data = nil
	for _, col := range t.chunk.data {
		c.data = append(c.data, slices.Clone(col))
	}
	return &c
}

// simulate computes the motion of every track.
func (l *servoLoop) simulate(x []float64, derivatives bool) ([]*servoMotion, error) {
	var out []*servoMotion
	for i, t := range l.tracks {
		l.e.cfg.Progress("simulating", i+1, len(l.tracks))
		r, err := l.loop.Run(x, t.reference, 0, t.seg.dt, t.seg.n, t.start[0], t.start[1], derivatives)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.e.runs[t.seg.run].Name, err)
		}
		out = append(out, &servoMotion{r, t})
	}
	return out, nil
}

// simulated is an experiment on the simulated motion, with the measured torque: the
// same clocks, filters and time blocks.
func (l *servoLoop) simulated(ctx context.Context, motions []*servoMotion) (*experiment, error) {
	cfg := *l.e.cfg
	cfg.Velocity, cfg.Acceleration, cfg.MotionCutoff, cfg.MotionAuto = "measured", "measured", 0, false
	cfg.Progress = func(string, int, int) {}
	e := &experiment{cfg: &cfg, model: l.e.model, training: len(motions), atLeast: l.e.atLeast}
	for i, m := range motions {
		run := Run{Name: l.e.runs[m.track.seg.run].Name, Roles: datasets.Roles{T: "t"}}
		channels, cols := []datasets.Channel{{Name: "t", Unit: "s"}}, [][]float64{m.track.t}
		add := func(kind string, to *[]string, v [][]float64) {
			for k := range v {
				name := fmt.Sprintf("%s%d", kind, k+1)
				*to = append(*to, name)
				channels, cols = append(channels, datasets.Channel{Name: name}), append(cols, v[k])
			}
		}
		add("q", &run.Roles.Q, m.Q)
		add("dq", &run.Roles.DQ, m.DQ)
		add("ddq", &run.Roles.DDQ, m.DDQ)
		add("tau", &run.Roles.Tau, m.track.tau)
		run.Log = datasets.FromColumns(fmt.Sprintf("simulated %d", i+1), channels, cols, nil)
		e.runs = append(e.runs, run)
	}
	return e, e.open(ctx, new(Outcome))
}

// onSimulated is least squares on the simulated motion.
func (l *servoLoop) onSimulated(ctx context.Context, motions []*servoMotion) (*estimate.Solution, error) {
	e, err := l.simulated(ctx, motions)
	if err != nil {
		return nil, err
	}
	sum, _, err := e.reduce(ctx, nil)
	if err != nil {
		return nil, err
	}
	return sum.Solve(estimate.WLS, false)
}

// instrumental estimates with the regressor of the simulated motion as instruments
// for that of the measured one.
//
// It leaves the test of least squares with the experiment; without any noise there
// is none.
func (l *servoLoop) instrumental(ctx context.Context, motions []*servoMotion) (*estimate.Solution, error) {
	e, err := l.simulated(ctx, motions)
	if err != nil {
		return nil, err
	}
	masks := l.e.cfg.Model.shape(l.e.model)
	columns := len(l.e.model.Columns())
	sum := estimate.NewReduction(2*columns, estimate.InstrumentMasks(columns, masks))
	sources, filters, err := e.sources(e.cfg, 0, e.training)
	if err != nil {
		return nil, err
	}
	for i := range sources {
		sources[i].plan = chunkPlan{core: sources[i].seg.n}
	}
	least := leastBlock(sum.Masks(), l.e.samples(0, l.e.training))
	there, here := e.worker(e.cfg), l.e.worker(l.e.cfg)
	var work triangle.Work
	at := 0
	err = pass(ctx, sources, 1, func(_ int, c *chunk) (*chunk, error) {
		t := l.tracks[at]
		at++
		run := &l.e.runs[t.seg.run]
		ch, _ := layoutOf(&e.runs[c.seg.run], e.choice)
		there.rows(c, filters[c.seg], ch, nil)
		ch, _ = layoutOf(run, l.e.choice)
		measured := t.fresh()
		here.rows(measured, t.filters, ch, run.Gains)
		length := blockSamples(l.e.cfg, t.filters, t.seg, least)
		cutter := newCutter(sum, t.seg.run, length/t.filters.every)
		for k := range masks {
			z, s := there.equation(k, c, filters[c.seg], there.own(c))
			w, _ := here.equation(k, measured, t.filters, here.own(measured))
			cutter.add(k, append(append([][]float64{}, z[:len(z)-1]...), w...), s, &work)
		}
		sum.Append(cutter.blocks...)
		return c, nil
	}, func(*chunk) error { return nil })
	if err != nil {
		return nil, err
	}
	sol, err := sum.Instrumental()
	if err != nil {
		return nil, err
	}
	test, err := sum.TestEndogeneity(sol.Weights)
	if err != nil && !errors.Is(err, estimate.ErrNoData) {
		return nil, err
	}
	l.e.bias = test
	return sol, nil
}

// cutter reduces rows of whole segments into time blocks.
type cutter struct {
	sum    *estimate.Reduction
	run    int
	length int // rows
	blocks []estimate.TimeBlock
}

func newCutter(sum *estimate.Reduction, run, length int) *cutter {
	return &cutter{sum: sum, run: run, length: max(length, 1)}
}

// add reduces the rows of one group, the last column being the known side.
func (u *cutter) add(group int, cols [][]float64, s span, work *triangle.Work) {
	last := len(cols) - 1
	part := make([][]float64, last)
	for n, lo := 0, s.lo; lo < s.hi; n++ {
		hi := min(lo+u.length, s.hi)
		if n == len(u.blocks) {
			u.blocks = append(u.blocks, u.sum.NewBlock(u.run))
		}
		for i := range part {
			part[i] = cols[i][lo:hi]
		}
		u.blocks[n].Joints[group].Add(part, cols[last][lo:hi], work)
		lo = hi
	}
}
