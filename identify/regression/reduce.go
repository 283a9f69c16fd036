package regression

import (
	"context"
	"slices"

	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
)

// reduction holds the reduced rows of a fit and the places of its time blocks.
type reduction struct {
	sum    *estimate.Reduction
	blocks []blockID
	added  []*triangle.Factor   // of the lack-of-fit test, by joint; nil where there is none
	rest   []estimate.TimeBlock // of rows at rest that are not in the sum, one a block; without joints where there are none
	all    *estimate.Reduction  // with the rows at rest; nil where it is not made
}

// reducer turns chunks into the triangular factors of their time blocks.
type reducer struct {
	observer *observation.Observer
	shape    *estimate.Reduction
	work     reduceWork
	extender extender
	further  [][]float64
	beside   wideWork
	lengths  map[*observation.Segment]int // of time blocks, in rows
	keepRest bool                         // rows at rest are reduced too, apart from the others
}

// apply reduces the rows of a chunk. The centre of a row on the clock of the rows decides its block, so that the same
// noise is in the same block for all models.
func (r *reducer) apply(c *observation.Chunk) (timeBlocks, error) { return r.reduce(c, nil) }

// applyTested is apply, with the factors of the lack-of-fit test.
func (r *reducer) applyTested(c *observation.Chunk) (timeBlocks, error) {
	return r.reduce(c, &r.extender)
}

func (r *reducer) reduce(c *observation.Chunk, tested *extender) (timeBlocks, error) {
	v, err := r.observer.Observe(c)
	if err != nil || v.Empty() {
		return timeBlocks{}, err
	}
	out := r.blocks(&v)
	out.added = tested.begin(&v, nil)
	for k := range r.shape.Masks() {
		rows, atRest := r.rows(&v, k, nil, &out)
		out.add(k, rows, atRest, &r.work)
	}
	return out, nil
}

// rows returns the rows of equation k and which of them are at rest. The columns are the model's, further, and, if
// tested, the lack-of-fit terms.
func (r *reducer) rows(v *observation.Observation, k int, further [][]float64, out *timeBlocks) (observation.Rows, []bool) {
	if out.added != nil {
		r.further = append(append(r.further[:0], further...), r.extender.terms(v, k)...)
		further = r.further
	}
	rows := v.Extended(k, further, v.Extent)
	return rows, r.atRest(v, k, rows.Len())
}

// atRest reports which of an observation's own rows are at rest, nil for none.
func (r *reducer) atRest(v *observation.Observation, k, rows int) []bool {
	out := v.AtRest(r.work.atRest, k, rows, v.Extent)
	if out != nil {
		r.work.atRest = out
	}
	return out
}

// blocks returns empty time blocks for an observation's own rows.
func (r *reducer) blocks(v *observation.Observation) timeBlocks {
	source := v.Chunk.Source
	out := timeBlocks{shape: r.shape, run: source.Segment.Run, weight: source.Run.Weight, keepRest: r.keepRest,
		clock: blockClock{start: source.Filters.Rows.Centre(v.Extent), length: r.lengths[source.Segment]}}
	out.states = statesOf(v, out.clock)
	return out
}

// applyChanged reduces the rows after change. The chunk must reach back by the memory of change.
func (r *reducer) applyChanged(c *observation.Chunk, masks [][]int, change estimate.Change) (timeBlocks, error) {
	v, err := r.observer.Observe(c)
	if err != nil || v.Empty() {
		return timeBlocks{}, err
	}
	at := v.Row(v.Extent)
	lead := min(change.Memory(), at)
	s := &estimate.Batch{Run: c.Source.Segment.Run, At: at - lead, Lead: lead, Masks: masks}
	rows := 0
	for k := range masks {
		eq := v.Equation(k, v.Back(lead))
		n := eq.Len()
		if rows = n - lead; rows <= 0 {
			return timeBlocks{}, nil
		}
		store := make([]float64, len(eq.Columns)*n)
		kept := make([][]float64, len(eq.Columns))
		for i, col := range eq.Columns {
			kept[i] = store[i*n : (i+1)*n]
			copy(kept[i], col[eq.Lo:eq.Hi])
		}
		last := len(kept) - 1
		s.Columns, s.Y = append(s.Columns, kept[:last]), append(s.Y, kept[last])
		if eq.Measured != nil {
			s.Measured = append(s.Measured, slices.Clone(eq.Measured[eq.Lo:eq.Hi]))
		}
	}
	for k := range masks {
		atRest := v.AtRest(nil, k, lead+rows, v.Back(lead))
		if atRest != nil && s.LeftOut == nil {
			s.LeftOut = make([][]bool, len(masks))
		}
		if atRest != nil {
			s.LeftOut[k] = atRest
		}
	}
	change.Apply(s)
	out := r.blocks(&v)
	for k, cols := range s.Columns {
		changed := observation.Rows{Columns: append(cols[:len(cols):len(cols)], s.Y[k]), Lo: lead, Hi: lead + rows}
		if s.Measured != nil {
			changed.Measured = s.Measured[k]
		}
		var left []bool
		if s.LeftOut != nil {
			left = remembered(s.LeftOut[k], lead)
		}
		out.add(k, changed, left, &r.work)
	}
	return out, nil
}

// remembered reports, for each row after the first memory rows, whether it or any of the memory rows before it is at
// rest.
func remembered(atRest []bool, memory int) []bool {
	if atRest == nil {
		return nil
	}
	last := -1 - memory
	for i, still := range atRest {
		if still {
			last = i
		}
		atRest[i] = i-last <= memory
	}
	return atRest[memory:]
}

// reduce runs the single pass of the fit.
func (e *experiment) reduce(ctx context.Context) (reduction, error) {
	sources, err := e.trainingSources(0)
	if err != nil {
		return reduction{}, err
	}
	return e.pass(ctx, sources, newSum(e), func(done, total int) { e.cfg.Progress("fitting", done, total) }, (*reducer).applyTested)
}

// newSum returns a reduction without rows.
func newSum(e *experiment) *estimate.Reduction {
	return estimate.NewReduction(len(e.model.Columns()), shape(e.cfg.Model, e.model))
}

// reduceSources runs the pass of the fit over sources in place of the training runs'.
func (e *experiment) reduceSources(ctx context.Context, sources []observation.Source) (reduction, error) {
	return e.pass(ctx, sources, newSum(e), func(int, int) {}, (*reducer).apply)
}

// pass reduces the chunks of sources with stage and sums the results in the order of the chunks.
func (e *experiment) pass(ctx context.Context, sources []observation.Source, sum *estimate.Reduction, progress func(done, total int),
	stage func(*reducer, *observation.Chunk) (timeBlocks, error)) (reduction, error) {
	lengths, total, done := map[*observation.Segment]int{}, 0, 0
	for i := range sources {
		seg, rows := sources[i].Segment, sources[i].Filters.Rows
		lengths[seg] = rows.BlockSamples(e.cfg.Cutoff, seg, e.leastBlock(seg.Run)) / rows.Every()
		total += seg.N
	}
	reducers := stages(e.cfg.Workers, func() *reducer {
		return &reducer{observer: e.observer(), shape: sum, lengths: lengths, extender: newExtender(e, total), keepRest: e.cfg.Rest == RestAuto || e.cfg.Rest == restWeigh}
	})
	type reduced struct {
		timeBlocks
		seg     *observation.Segment
		samples int
	}
	merger := blockMerger{sum: sum, states: blockStates{}}
	err := observation.Pass(ctx, sources, e.cfg.Workers, func(i int, c *observation.Chunk) (reduced, error) {
		b, err := stage(reducers[i], c)
		return reduced{b, c.Source.Segment, c.Own()}, err
	}, func(r reduced) error {
		done += r.samples
		progress(done, total)
		merger.add(r.seg, &r.timeBlocks)
		return nil
	})
	if err != nil {
		return reduction{}, err
	}
	merger.flush()
	return coarsened(e, reduction{sum: sum, blocks: merger.where, added: merger.added, rest: merger.rest}), nil
}
