package identify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ident/datasets"
	"ident/estimate"
	"ident/filter"
	"ident/internal/triangle"
	"ident/servo"
	motion "ident/simulate"
)

// servoLoop is the training runs and their controller.
type servoLoop struct {
	e      *experiment
	loop   *servo.Loop
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
	*servo.Response
	track *track
}

// newServoLoop reads the training runs.
func newServoLoop(ctx context.Context, e *experiment) (*servoLoop, error) {
	law, n := e.cfg.Servo, e.model.Joints()
	if len(law.Reference) != n || law.Velocity != nil && len(law.Velocity) != n {
		return nil, fmt.Errorf("the controller's reference has %d position and %d velocity channels for %d joints", len(law.Reference), len(law.Velocity), n)
	}
	loop, err := servo.New(e.model, law.Controller, servo.Options{Smooth: law.Smooth})
	if err != nil {
		return nil, err
	}
	l := &servoLoop{e: e, loop: loop}
	sources, filters, err := e.sources(e.cfg, 0, e.training)
	if err != nil {
		return nil, err
	}
	extra := append(slices.Clone(law.Reference), law.Velocity...)
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
			if law.Velocity != nil {
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
