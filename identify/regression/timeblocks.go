package regression

import (
	"math"
	"slices"

	"ident/estimate"
	"ident/internal/lanes"
	"ident/internal/triangle"
	"ident/observation"
)

// summaryBytes is the approximate memory limit for the factors of all time blocks.
const summaryBytes = 128 << 20

// leastBlock returns the least length of time blocks that keeps the factors within summaryBytes. A log with a thousand
// gaps has a thousand segments, and the factors of a humanoid are a hundred times those of an arm.
func leastBlock(masks [][]int, samples int) int {
	bytes := 0
	for _, m := range masks {
		bytes += 8 * len(m) * (len(m) + 1)
	}
	blocks := min(max(summaryBytes/max(bytes, 1), 20), 1000)
	return samples / blocks
}

// blockID identifies a time block of a reduction.
type blockID struct {
	seg *observation.Segment
	id  int // within the segment
}

// blockClock locates consecutive rows on the clock of the time blocks.
type blockClock struct {
	start  int // of the first row, in rows
	length int // of a block, in rows
}

// timeBlocks reduces consecutive rows of a run into time blocks. Rows at rest go into separate blocks or are left out.
type timeBlocks struct {
	shape  *estimate.Reduction
	run    int
	weight float64 // of the run, the factor of its rows' inverse variance; 0 is 1
	clock  blockClock
	blocks []estimate.TimeBlock
	ids    []int              // of the blocks, on their clock
	added  []*triangle.Factor // of the lack-of-fit test, by joint; nil for none
	states []blockState

	keepRest bool
	rest     []estimate.TimeBlock // of rows at rest, one a block; without joints where there are none
}

// reduceWork is the scratch memory of one goroutine's reductions.
type reduceWork struct {
	tri    triangle.Work
	part   [][]float64
	scaled []float64
	atRest []bool
}

// weigh multiplies the columns of part by factor, in separate memory, because other spans and the errors need the
// originals.
func (w *reduceWork) weigh(factor float64) {
	n := len(w.part[0])
	w.scaled = slices.Grow(w.scaled[:0], n*len(w.part))[:n*len(w.part)]
	for i, col := range w.part {
		to := w.scaled[i*n : (i+1)*n]
		for k, v := range col {
			to[k] = factor * v
		}
		w.part[i] = to
	}
}

// add reduces the rows of one group (for most models a joint); the last column must be the measurement vector. atRest
// says which rows are at rest, nil for none.
func (b *timeBlocks) add(group int, rows observation.Rows, atRest []bool, w *reduceWork) {
	count := rows.Len()
	for n, lo := 0, 0; lo < count; n++ {
		id := max(b.clock.start+lo, 0) / b.clock.length
		hi := min(count, (id+1)*b.clock.length-b.clock.start)
		if n == len(b.blocks) {
			b.blocks = append(b.blocks, b.shape.NewBlock(b.run))
			b.ids = append(b.ids, id)
			b.rest = append(b.rest, estimate.TimeBlock{Run: b.run})
		}
		for lo < hi {
			end, still := span(atRest, lo, hi)
			if !still || b.keepRest {
				b.addSpan(n, group, rows, lo, end, still, w)
			}
			lo = end
		}
	}
}

// span returns the end of the stretch from lo on, at most hi, whose rows are all at rest or all moving, and which of the
// two.
func span(atRest []bool, lo, hi int) (end int, still bool) {
	if atRest == nil {
		return hi, false
	}
	for end = lo + 1; end < hi && atRest[end] == atRest[lo]; end++ {
	}
	return end, atRest[lo]
}

// addSpan reduces the rows [lo, hi) into block n. If the rows end with the lack-of-fit columns, moving rows go into the
// factor of that test too.
func (b *timeBlocks) addSpan(n, group int, rows observation.Rows, lo, hi int, atRest bool, w *reduceWork) {
	last, block := len(rows.Columns)-1, &b.blocks[n]
	if atRest {
		if block = &b.rest[n]; block.Joints == nil {
			*block = b.shape.NewBlock(b.run)
		}
	}
	w.part = w.part[:0]
	for _, col := range rows.Columns {
		w.part = append(w.part, col[rows.Lo+lo:rows.Lo+hi])
	}
	if b.weight != 0 && b.weight != 1 {
		w.weigh(math.Sqrt(b.weight))
	}
	before := block.Joints[group].YY
	switch {
	case b.added == nil:
		block.Joints[group].Add(w.part[:last], w.part[last], &w.tri)
	case atRest:
		block.Joints[group].Add(w.part[:last-addedTerms], w.part[last], &w.tri)
	default:
		w.tri.AddNested(b.added[group], block.Joints[group], w.part[:last], w.part[last])
	}
	if rows.Measured != nil {
		weight := 1.0
		if b.weight != 0 {
			weight = b.weight
		}
		block.Joints[group].YY = before + weight*lanes.SumSquares(rows.Measured[rows.Lo+lo:rows.Lo+hi])
	}
}

// blockMerger orders the time blocks of chunks and merges blocks that a cut between chunks has split.
type blockMerger struct {
	sum   *estimate.Reduction
	where []blockID
	rest  []estimate.TimeBlock // of rows at rest, beside those of the sum
	last  estimate.TimeBlock   // not yet in the sum: the next chunk may go on with it
	still estimate.TimeBlock   // of rows at rest, beside it
	open  blockID
	added []*triangle.Factor
	work  triangle.Work

	states blockStates // of blocks that are not in the sum yet
}

func (m *blockMerger) add(seg *observation.Segment, b *timeBlocks) {
	m.states.add(seg, b.states)
	for k, f := range b.added {
		if len(m.added) < len(b.added) {
			m.added = append(m.added, f)
			continue
		}
		m.added[k].Merge(f, &m.work)
	}
	for i, block := range b.blocks {
		at := blockID{seg, b.ids[i]}
		if m.open == at {
			for k, f := range block.Joints {
				m.last.Joints[k].Merge(f, &m.work)
			}
			if still := b.rest[i]; m.still.Joints == nil {
				m.still = still
			} else {
				for k, f := range still.Joints {
					m.still.Joints[k].Merge(f, &m.work)
				}
			}
			continue
		}
		m.flush()
		m.last, m.still, m.open = block, b.rest[i], at
	}
}

// flush appends the last block.
func (m *blockMerger) flush() {
	if m.open.seg == nil {
		return
	}
	m.last.State = m.states.take(m.open)
	m.sum.Append(m.last)
	m.rest = append(m.rest, m.still)
	m.where = append(m.where, m.open)
	m.open = blockID{}
}
