package identify

import "ident/estimate"

// blockSamples is how long a time block of a segment is, in samples. Correlation
// of residuals should seldom reach beyond a block's neighbour: four periods of
// the cut-off, but at least eight blocks where the segment is short; a
// hundredth of the segment where that is longer, since more blocks tell little
// more; and no less than least.
func blockSamples(cfg *Config, f *filters, seg *segment, least int) int {
	n := max(seg.n/100, least)
	cutoff := cfg.Cutoff
	if f.fir != nil || f.window > 0 {
		cutoff = 1 / (2 * seg.dt * float64(f.every))
	}
	if cutoff > 0 {
		n = max(n, min(int(4/(cutoff*seg.dt)), seg.n/8))
	}
	n = max(n, 8*f.every)
	return n + (f.every-n%f.every)%f.every
}

// summaryBytes is about how much memory the factors of all time blocks may take.
const summaryBytes = 128 << 20

// leastBlock is the length of time blocks that keeps the summary of so many
// samples small: a log with a thousand gaps has a thousand segments, and the
// factors of a humanoid are a hundred times those of an arm.
func leastBlock(masks [][]int, samples int) int {
	bytes := 0
	for _, m := range masks {
		bytes += 8 * len(m) * (len(m) + 1)
	}
	blocks := min(max(summaryBytes/max(bytes, 1), 20), 1000)
	return samples / blocks
}

// reduced is one chunk's part of the summary.
type reduced struct {
	blocks  []estimate.TimeBlock
	ids     []int // of the blocks within the segment
	seg     *segment
	samples int
}

// reduce turns a chunk into the triangular factors of its time blocks.
func (w *worker) reduce(c *chunk, f *filters, ch layout, gains []float64, shape *estimate.Reduction, blockLen int) reduced {
	w.evaluateRows(c, f, ch, gains)
	out := reduced{seg: c.seg}
	own := w.own(c)
	if own.lo == own.hi {
		return out
	}
	// A row's block is its place on the clock of the rows, that of the middle of
	// what it is made of: then the same noise is in the same block of all models.
	step, start := blockLen/f.every, (c.lo+f.firstRow(c, own))/f.every+f.middle
	for k := range shape.Masks() {
		cols, s := w.equation(k, c, f, own)
		last := len(cols) - 1
		n := 0
		for lo := s.lo; lo < s.hi; n++ {
			at := start + lo - s.lo
			id := max(at, 0) / step
			hi := min(s.hi, lo+(id+1)*step-at)
			if n == len(out.blocks) {
				out.blocks = append(out.blocks, shape.NewBlock(c.seg.run))
				out.ids = append(out.ids, id)
			}
			w.part = w.part[:0]
			for _, col := range cols[:last] {
				w.part = append(w.part, col[lo:hi])
			}
			out.blocks[n].Joints[k].Add(w.part, cols[last][lo:hi], &w.tri)
			lo = hi
		}
	}
	return out
}
