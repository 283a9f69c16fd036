package regression

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ident/estimate"
	"ident/filter"
	"ident/observation"
	motion "ident/simulate"
	"ident/simulate/servo"
)

// servoLoop holds the training runs and their controller.
type servoLoop struct {
	e      *experiment
	loop   *servo.Loop
	tracks []*track
}

// track is one whole segment of a run.
type track struct {
	source    observation.Source // in memory
	reference *motion.Recorded
	q         [][]float64  // as logged, rad or m
	torque    [][]float64  // measured, unfiltered, N·m or N
	start     [2][]float64 // position and velocity of the filtered motion at the first sample
}

// servoMotion is the simulated motion of a track.
type servoMotion struct {
	*servo.Response
	track *track
}

// newServoLoop reads the training runs into memory.
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
	sources, err := e.trainingSources(0)
	if err != nil {
		return nil, err
	}
	extra := slices.Concat(law.Reference, law.Velocity)
	whole := slices.Clone(sources)
	for i := range whole {
		run := whole[i].Run
		for _, c := range extra {
			if !run.Log.Has(c) {
				return nil, fmt.Errorf("%s: it has no channel %q for the controller's reference; it has %v", run.Name, c, run.Log.Names())
			}
		}
		whole[i].Layout = observation.NewLayout(run, e.choice, extra...)
		whole[i].Plan = observation.Plan{Core: whole[i].Segment.N}
	}
	observer := e.observer()
	err = observation.Pass(ctx, whole, 1, func(_ int, c *observation.Chunk) (*track, error) {
		return newTrack(sources[c.Index], c, law, observer)
	}, func(t *track) error {
		l.tracks = append(l.tracks, t)
		return nil
	})
	return l, err
}

// newTrack stores a segment, which the chunk must hold whole, with the controller's reference.
func newTrack(source observation.Source, c *observation.Chunk, law *Servo, observer *observation.Observer) (*track, error) {
	reference, err := newReference(c, law)
	if err != nil {
		return nil, fmt.Errorf("%s: the controller's reference: %w", source.Run.Name, err)
	}
	for _, x := range c.Columns[:len(c.Columns)-len(c.Extra())] {
		source.Samples = append(source.Samples, slices.Clone(x))
	}
	t := &track{source: source, reference: reference, q: source.Positions(source.Samples)}
	v, err := observer.Observe(t.source.Whole())
	if err != nil {
		return nil, err
	}
	for k := range t.q {
		t.torque = append(t.torque, slices.Clone(v.Torque[k]))
		t.start[0], t.start[1] = append(t.start[0], v.Motion.Q[k][0]), append(t.start[1], v.Motion.DQ[k][0])
	}
	return t, nil
}

// newReference interpolates the reference by polynomials of the fifth degree. Velocities at the samples are the log's,
// or else five-point differences.
func newReference(c *observation.Chunk, law *Servo) (*motion.Recorded, error) {
	n, given := len(law.Reference), c.Extra()
	seg := c.Source.Segment
	t := make([]float64, seg.N)
	for i := range t {
		t[i] = float64(i) * seg.DT
	}
	velocity, acceleration := table(n, seg.N), table(n, seg.N)
	for k := range n {
		filter.Differentiate4(velocity[k], given[k], seg.DT)
		if law.Velocity != nil {
			copy(velocity[k], given[n+k])
		}
		filter.Differentiate4(acceleration[k], velocity[k], seg.DT)
	}
	return motion.NewRecorded(t, given[:n], velocity, acceleration)
}

// simulate computes the motion of every track.
func (l *servoLoop) simulate(x []float64, derivatives bool) ([]*servoMotion, error) {
	var out []*servoMotion
	for i, t := range l.tracks {
		l.e.cfg.Progress("simulating", i+1, len(l.tracks))
		seg := t.source.Segment
		r, err := l.loop.Run(x, t.reference, 0, seg.DT, seg.N, t.start[0], t.start[1], derivatives)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.source.Run.Name, err)
		}
		out = append(out, &servoMotion{r, t})
	}
	return out, nil
}

// simulated returns sources of the simulated motion with the measured torque. Clocks, filters and time blocks are the
// measured ones', without the filter of the motion.
func (l *servoLoop) simulated(motions []*servoMotion) ([]observation.Source, error) {
	settings := l.e.cfg.settings()
	settings.MotionCutoff, settings.VelocityLag = 0, nil
	out := make([]observation.Source, len(motions))
	for i, m := range motions {
		source := &m.track.source
		f, err := observation.NewFilters(settings, source.Segment.DT)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.Run.Name, err)
		}
		plan := f.Plan(f.Rows.BlockSamples(l.e.cfg.Cutoff, source.Segment, l.e.leastBlock(source.Segment.Run)), l.e.cfg.chunk, 0)
		out[i] = source.Simulated(m.Q, m.DQ, m.DDQ, m.track.torque, f, plan)
	}
	return out, nil
}

// onSimulated estimates by least squares on the simulated motion.
func (l *servoLoop) onSimulated(ctx context.Context, motions []*servoMotion) (*estimate.Solution, error) {
	sources, err := l.simulated(motions)
	if err != nil {
		return nil, err
	}
	rows, err := l.e.reduceSources(ctx, sources)
	if err != nil {
		return nil, err
	}
	return rows.sum.Solve(estimate.WLS, false)
}

// instrumental estimates with the regressor of the simulated motion as instruments for the measured one's.
//
// It also returns the bias test of least squares, or nil without noise.
func (l *servoLoop) instrumental(ctx context.Context, motions []*servoMotion) (*estimate.Solution, *estimate.Endogeneity, error) {
	sources, err := l.simulated(motions)
	if err != nil {
		return nil, nil, err
	}
	masks := shape(l.e.cfg.Model, l.e.model)
	columns := len(l.e.model.Columns())
	sum := estimate.NewReduction(2*columns, estimate.InstrumentMasks(columns, masks))
	least := leastBlock(sum.Masks(), l.e.samples(0, l.e.training))
	instruments, measured := l.e.observer(), l.e.observer()
	var work reduceWork
	for i, m := range motions {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		z, err := instruments.Observe(sources[i].Whole())
		if err != nil {
			return nil, nil, err
		}
		w, err := measured.Observe(m.track.source.Whole())
		if err != nil {
			return nil, nil, err
		}
		blocks := l.blocks(sum, m.track, least)
		for k := range masks {
			rows, own := z.Equation(k, z.Extent), w.Equation(k, w.Extent)
			last := len(rows.Columns) - 1
			rows.Columns = slices.Concat(rows.Columns[:last], own.Columns)
			blocks.add(k, rows, nil, &work)
		}
		sum.Append(blocks.blocks...)
	}
	sol, err := sum.Instrumental()
	if err != nil {
		return nil, nil, err
	}
	test, err := sum.TestEndogeneity(sol.Weights)
	if err != nil && !errors.Is(err, estimate.ErrNoData) {
		return nil, nil, err
	}
	return sol, test, nil
}

// blocks returns empty time blocks for a whole track, starting at its first row.
func (l *servoLoop) blocks(sum *estimate.Reduction, t *track, least int) timeBlocks {
	seg, f := t.source.Segment, t.source.Filters.Rows
	return timeBlocks{shape: sum, run: seg.Run, clock: blockClock{length: max(f.BlockSamples(l.e.cfg.Cutoff, seg, least)/f.Every(), 1)}}
}
