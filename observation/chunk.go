package observation

import (
	"context"
	"errors"
	"slices"

	"ident/filter"
)

// Source is one segment of a run with the filters for its samples.
type Source struct {
	Run     *Run
	Segment *Segment
	Layout  Layout
	Filters *Filters
	Plan    Plan
	// Samples replace the run's log if not nil: the columns of the layout on the segment's clock.
	Samples [][]float64
	// Rest marks the samples in memory at rest, by joint (nil for a joint without rest). If Rest is nil, it is detected
	// from the positions.
	Rest [][]bool
	// Steps lists in order the samples in memory at which accelerations step. If nil, they are detected from the
	// positions.
	Steps []int

	logged uint64 // mark of the rows that samples in memory were resampled from; 0: they are rows
}

// TellRest detects rest and steps from the positions in memory, so that noise added later does not change them.
func (s *Source) TellRest() {
	s.Rest = s.Filters.rest.tell(s.Positions(s.Samples), new(restWork))
	s.Steps = append([]int{}, s.Filters.steps.find(s.Positions(s.Samples), 0, new(stepWork))...)
}

// stepsOf returns the positions in the chunk at which accelerations step. Call it before the chunk's columns are
// filtered.
func (s *Source) stepsOf(c *Chunk, positions [][]float64, w *stepWork) []int {
	if s.Steps == nil {
		return s.Filters.steps.find(positions, c.Start, w)
	}
	w.found = w.found[:0]
	for _, p := range s.Steps {
		if p >= c.Start && p < c.Start+len(positions[0]) {
			w.found = append(w.found, p-c.Start)
		}
	}
	return w.found
}

// restOf returns which samples of the chunk are at rest. Call it before the chunk's columns are filtered.
func (s *Source) restOf(c *Chunk, positions [][]float64, w *restWork) [][]bool {
	if s.Rest == nil {
		return s.Filters.rest.tell(positions, w)
	}
	out := make([][]bool, len(s.Rest))
	for k, mask := range s.Rest {
		if mask != nil {
			out[k] = mask[c.Start : c.Start+len(positions[k])]
		}
	}
	return out
}

// Chunk is a part of a segment on its uniform clock, with overlap on both
// sides for filters and differences.
type Chunk struct {
	Index       int // number of the chunk in the whole pass
	Source      *Source
	Start       int         // sample of the segment at position 0 of every column
	First, Last int         // samples [First, Last) of the segment are this chunk's own
	Columns     [][]float64 // one for each channel of the layout but time; the motion stage filters them in place

	buffer matrix
	states states // heat, presliding and time at the samples of the columns, for terms of friction that need them
}

// Time returns the time of a position, in seconds of the log's clock.
func (c *Chunk) Time(position int) float64 {
	return c.Source.Segment.T0 + float64(c.Start+position)*c.Source.Segment.DT
}

// Own returns the number of the chunk's own samples.
func (c *Chunk) Own() int { return c.Last - c.First }

// Extra returns the columns of the layout's additional channels; they share the chunk's memory.
func (c *Chunk) Extra() [][]float64 { return c.Source.Layout.extra.of(c.Columns) }

// Positions returns the position columns among columns, one per joint; they share its memory.
func (s *Source) Positions(columns [][]float64) [][]float64 { return s.Layout.position.of(columns) }

// Whole returns a source in memory as one chunk, with its own copy.
func (s *Source) Whole() *Chunk {
	c := &Chunk{Source: s, Last: s.Segment.N}
	for _, x := range s.Samples {
		c.Columns = append(c.Columns, slices.Clone(x))
	}
	if s.Run.States.Any() {
		c.fill(newMemory(s.Run, s.Segment.DT), -1)
	}
	return c
}

// Simulated returns a source of simulated motion with measured torques, on the clock of s: position, velocity,
// acceleration and torque (N·m or N), one slice per joint.
func (s *Source) Simulated(q, dq, ddq, torque [][]float64, f *Filters, plan Plan) Source {
	run := *s.Run
	run.Gains, run.BackEMF, run.Redundant = nil, nil, nil
	return Source{
		Run: &run, Segment: s.Segment, Layout: motionLayout(len(q)), Filters: f, Plan: plan,
		Samples: slices.Concat(q, dq, ddq, torque),
	}
}

// resampleMargin is the number of rows beyond a chunk that interpolation needs: two neighbours for its slopes, and
// slack.
const resampleMargin = 8

// produce reads a segment in order and passes on its chunks: get returns a chunk to fill, put takes it.
func (s *Source) produce(ctx context.Context, get func() *Chunk, put func(*Chunk) error) error {
	seg := s.Segment
	put, err := s.following(ctx, put)
	if err != nil {
		return err
	}
	cut := cutter{source: s, get: get, put: put}
	if s.Samples != nil {
		cut.held = held{cols: s.Samples}
		return cut.emit(true)
	}
	if seg.Uniform {
		return cut.read(ctx)
	}
	cut.held.cols = make([][]float64, len(s.Layout.Channels)-1)
	bad := seg.bad
	err = s.Run.Log.Slice(seg.First, seg.Last).Scan(s.Layout.Channels, scanRows, func(at int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		at += seg.First
		n := len(cols[0])
		for from := 0; from < n; {
			to := n
			if len(bad) > 0 && bad[0] < at+n {
				to = bad[0] - at
			}
			cut.held.append(cols[1:], from, to)
			from = to
			if to < n {
				bad = bad[1:]
				from++
			}
		}
		return cut.emit(false)
	})
	if err != nil {
		return err
	}
	return cut.emit(true)
}

// scanRows is the number of rows decoded at once: those of some twenty channels fit into the second-level cache.
const scanRows = 2048

// cutter cuts a segment into chunks as its rows arrive.
type cutter struct {
	source *Source
	held   held
	times  []float64 // of the rows of a chunk that is resampled
	knots  filter.Knots
	next   int // first own sample of the next chunk
	get    func() *Chunk
	put    func(*Chunk) error
}

// read fills chunks directly with the rows of a uniform segment, which are its samples.
func (u *cutter) read(ctx context.Context) (err error) {
	seg, channels := u.source.Segment, u.source.Layout.Channels[1:]
	rows, err := u.source.Run.Log.Slice(seg.First, seg.Last).Reader(channels)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var before *Chunk
	part := make([][]float64, len(channels))
	for u.next < seg.N {
		c, filled := u.get(), 0
		u.describe(c)
		_, hi := u.samples()
		c.Columns = c.buffer.resize(len(channels), hi-c.Start)
		u.next = c.Last
		if before != nil {
			for k, dst := range c.Columns {
				filled = copy(dst, before.Columns[k][c.Start-before.Start:])
			}
			// Not before now, because put filters its columns in place.
			if err := u.put(before); err != nil {
				return err
			}
		}
		for before = c; filled < hi-c.Start; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(scanRows, hi-c.Start-filled)
			for k, dst := range c.Columns {
				part[k] = dst[filled : filled+n]
			}
			if err := rows.Read(part); err != nil {
				return err
			}
			filled += n
		}
	}
	if before == nil {
		return nil
	}
	return u.put(before)
}

// samples returns the samples [lo, hi) of the next chunk.
func (u *cutter) samples() (lo, hi int) {
	n, plan := u.source.Segment.N, u.source.Plan
	return max(0, u.next-plan.Overlap), min(n, min(u.next+plan.Core, n)+plan.Overlap)
}

// describe sets the place of the next chunk.
func (u *cutter) describe(c *Chunk) {
	lo, _ := u.samples()
	c.Source, c.Start, c.First, c.Last = u.source, lo, u.next, min(u.next+u.source.Plan.Core, u.source.Segment.N)
}

// emit passes on the chunks whose rows are available; final says that the log has ended.
func (u *cutter) emit(final bool) error {
	seg, plan := u.source.Segment, u.source.Plan
	for u.next < seg.N {
		lo, hi := u.samples()
		a, b := u.rows(lo, hi)
		if b > u.held.end() && !final {
			return nil
		}
		b = min(b, u.held.end())
		c := u.get()
		u.describe(c)
		u.next = c.Last
		u.fill(c, a, b, hi-lo)
		if err := u.put(c); err != nil {
			return err
		}
		if u.source.Samples == nil {
			keep, _ := u.rows(max(0, u.next-plan.Overlap), seg.N)
			u.held.drop(keep)
		}
	}
	return nil
}

// rows returns the usable rows [a, b) of the segment that samples [lo, hi)
// need.
func (u *cutter) rows(lo, hi int) (a, b int) {
	s := u.source.Segment
	if u.source.Samples != nil {
		return lo, hi
	}
	start, end := s.T0+float64(lo)*s.DT, s.T0+float64(hi-1)*s.DT
	a = s.t.Search(start) - resampleMargin
	b = s.t.Search(end) + resampleMargin
	return max(0, a), min(s.t.Len(), b)
}

// fill copies or resamples usable rows [a, b) onto the chunk's n samples.
func (u *cutter) fill(c *Chunk, a, b, n int) {
	seg := u.source.Segment
	c.Columns = c.buffer.resize(len(u.held.cols), n)
	resample := u.source.Samples == nil
	if resample {
		u.times = seg.t.Part(u.times[:0], a, b)
		u.knots.Set(u.times)
	}
	for k, dst := range c.Columns {
		src := u.held.cols[k][a-u.held.first : b-u.held.first]
		if !resample {
			copy(dst, src)
		} else {
			u.knots.Resample(dst, src, seg.T0+float64(c.Start)*seg.DT, seg.DT)
		}
	}
}

// held keeps the usable rows, of a clock that is not uniform, that chunks still need.
type held struct {
	first int // usable row of cols[.][0]
	cols  [][]float64
}

func (w *held) end() int { return w.first + len(w.cols[0]) }

func (w *held) append(cols [][]float64, from, to int) {
	for c := range cols {
		w.cols[c] = append(w.cols[c], cols[c][from:to]...)
	}
}

// drop discards the rows before keep. It moves memory only if half of it is idle.
func (w *held) drop(keep int) {
	n := min(keep-w.first, len(w.cols[0]))
	if n <= 0 || 2*n < len(w.cols[0]) {
		return
	}
	for c := range w.cols {
		w.cols[c] = append(w.cols[c][:0], w.cols[c][n:]...)
	}
	w.first += n
}
