package observation

import "ident/filter"

// Filters are the filters of the signal path at one sampling rate.
type Filters struct {
	Motion *MotionFilter
	Rows   *RowFilter
	rest   restStage
	steps  *stepStage  // nil where no steps are eliminated
	torque *filter.SOS // low-pass of the torque before that of the rows, nil for none
	cut    int         // samples cut from both ends of a segment
	guard  int         // samples beside a change of the payload that its wrong moment reaches
}

// NewFilters designs the filters for samples dt seconds apart.
func NewFilters(s Settings, dt float64) (*Filters, error) {
	order := s.Order
	if s.MotionOrder > 0 {
		order = s.MotionOrder
	}
	motion, err := NewMotionFilter(s.MotionCutoff, order, s.Differentiator, dt)
	if err != nil {
		return nil, err
	}
	rows, err := NewRowFilter(s, dt)
	if err != nil {
		return nil, err
	}
	if reach := motion.reach + rows.reach; reach > maxReach {
		return nil, tooLong("the filter", float64(reach))
	}
	f := &Filters{Motion: motion, Rows: rows, cut: samplesOf(s.Trim, dt), guard: rows.support(), torque: s.torqueFilter(motion, rows)}
	if f.torque != nil {
		f.guard += f.torque.Tail(supportTolerance)
	}
	if s.Model == Dynamic {
		if rows.fir == nil && rows.decimator == nil {
			f.steps = newStepStage(s.Steps, f.torque, rows.lowpass, dt)
		}
		f.rest = newRestStage(s.Rest, settledBoth(f.torque, rows, restLeak), dt)
	}
	if s.VelocityLag != nil {
		f.Motion = motion.advanced(s.VelocityLag)
		// Beyond a segment there is no velocity that could be advanced into it.
		f.cut = max(f.cut, f.Motion.reach-motion.reach)
	}
	return f, nil
}

// Overlap returns the number of samples on either side that a row, and its joint's rest, depend on. The filter of the
// torque reaches as far as that of the motion. The sign of a velocity goes through both, but depends on samples beyond
// the overlap only if the velocity is within the filter's tail of zero.
func (f *Filters) Overlap() int {
	rows, told := f.steps.reach()
	return max(f.Motion.reach+f.Rows.reach+rows, f.rest.reach()+rows, told)
}

// Cut returns the number of samples at each end of a segment that give no rows.
func (f *Filters) Cut() int { return f.cut }

// Extent returns the place of a chunk on the clock of its segment. Its own samples, except the cut ends of the segment,
// may be rows.
func (f *Filters) Extent(c *Chunk) Extent {
	begin, end := f.ends(c.Source.Segment)
	first, last := min(max(c.First, begin), c.Last), min(c.Last, end) // a short segment may end before its rows begin
	if last < first {
		last = first
	}
	return Extent{Start: c.Start, Lo: first - c.Start, Hi: last - c.Start, Begin: begin - c.Start, End: end - c.Start}
}

// ends returns the samples [begin, end) of a segment that may be rows.
func (f *Filters) ends(s *Segment) (begin, end int) {
	begin, end = f.cut, s.N-f.cut
	if s.head > 0 {
		begin = max(begin, s.head+f.guard)
	}
	if s.tail > 0 {
		end = min(end, s.N-s.tail-f.guard)
	}
	return begin, end
}

// Row returns the number of rows of the segment before position p of an extent, which must itself be a row.
func (f *Filters) Row(x Extent, p int) int {
	first, every := x.Start+x.Begin, f.Rows.every
	if f.Rows.fir != nil {
		first = max(first, f.Rows.fir.Half())
	}
	first = (first + every - 1) / every * every
	return (x.Start + p - first) / every
}

// Plan says how a segment is cut into chunks.
type Plan struct {
	Core    int // own samples of a chunk
	Overlap int // samples on either side that belong to its neighbours
}

const (
	shortChunk = 2048
	longChunk  = 8192
	keptChunk  = 32768 // where no column is held at the rate of the log
)

// Plan cuts a segment into whole steps of the decimation and whole time blocks of blockSamples. Chunks reach back by
// memory rows. The regressor of a short chunk stays in the second-level cache until it is reduced; a long chunk spends
// less on the overlap. Own samples are sixteen times the overlap within these bounds, and at least twice. A nonzero
// target replaces this rule.
func (f *Filters) Plan(blockSamples, target, memory int) Plan {
	every := f.Rows.every
	overlap := f.Overlap() + memory*every
	if target == 0 {
		longest := longChunk
		if f.Rows.decimator != nil {
			longest = keptChunk
		}
		target = min(max(16*overlap, shortChunk), longest)
	}
	core := max(target, 2*overlap)
	switch {
	case blockSamples <= core:
		core -= core % blockSamples
	default:
		parts := (blockSamples + core - 1) / core
		core = (blockSamples + parts - 1) / parts
		core += (every - core%every) % every
	}
	return Plan{Core: core, Overlap: overlap}
}
