package identify

import (
	"context"
	"sort"

	"ident/datasets"
	"ident/filter"
)

// chunk is a stretch of a segment on its uniform clock, with overlap on both
// sides for filters and differences.
type chunk struct {
	index  int // over the whole pass
	seg    *segment
	lo     int // sample of the segment at data[c][0]
	first  int // samples [first, last) of the segment are this chunk's own
	last   int
	data   [][]float64 // per channel, without time
	buffer []float64
}

// chunkPlan says how a segment is cut.
type chunkPlan struct {
	core    int // own samples of a chunk
	overlap int
}

// resampleMargin is the number of rows beyond a stretch that interpolation
// looks at: its slopes need two neighbours, the rest is slack.
const resampleMargin = 8

// produce reads a segment in order and hands out its chunks. get returns a
// chunk to fill; put takes it on.
func produce(ctx context.Context, log *datasets.Log, channels []string, seg *segment, plan chunkPlan, get func() *chunk, put func(*chunk) error) error {
	var win window
	win.cols = make([][]float64, len(channels))
	next := 0 // first own sample of the next chunk
	bad := seg.bad
	emit := func(final bool) error {
		for next < seg.n {
			first, last := next, min(next+plan.core, seg.n)
			lo, hi := max(0, first-plan.overlap), min(seg.n, last+plan.overlap)
			a, b := seg.rows(lo, hi)
			if b > win.end() && !final {
				return nil
			}
			b = min(b, win.end())
			c := get()
			c.seg, c.lo, c.first, c.last = seg, lo, first, last
			c.fill(&win, seg, a, b, hi-lo)
			if err := put(c); err != nil {
				return err
			}
			next = last
			keep, _ := seg.rows(max(0, next-plan.overlap), seg.n)
			win.drop(keep)
		}
		return nil
	}
	err := log.Slice(seg.first, seg.last).Scan(channels, 8192, func(at int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		at += seg.first
		n := len(cols[0])
		for from := 0; from < n; {
			to := n
			if len(bad) > 0 && bad[0] < at+n {
				to = bad[0] - at
			}
			win.append(cols, from, to)
			from = to
			if to < n {
				bad = bad[1:]
				from++
			}
		}
		return emit(false)
	})
	if err != nil {
		return err
	}
	return emit(true)
}

// rows returns the usable rows [a, b) of the segment that samples [lo, hi)
// need.
func (s *segment) rows(lo, hi int) (int, int) {
	if s.uniform {
		return lo, hi
	}
	start, end := s.t0+float64(lo)*s.dt, s.t0+float64(hi-1)*s.dt
	a := sort.SearchFloat64s(s.t, start) - resampleMargin
	b := sort.SearchFloat64s(s.t, end) + resampleMargin
	return max(0, a), min(len(s.t), b)
}

// window holds the usable rows that chunks still need.
type window struct {
	first int // usable row of cols[.][0]
	cols  [][]float64
}

func (w *window) end() int { return w.first + len(w.cols[0]) }

func (w *window) append(cols [][]float64, from, to int) {
	for c := range cols {
		w.cols[c] = append(w.cols[c], cols[c][from:to]...)
	}
}

// drop forgets the rows before keep. Memory is moved only when half is idle.
func (w *window) drop(keep int) {
	n := min(keep-w.first, len(w.cols[0]))
	if n <= 0 || 2*n < len(w.cols[0]) {
		return
	}
	for c := range w.cols {
		w.cols[c] = append(w.cols[c][:0], w.cols[c][n:]...)
	}
	w.first += n
}

// fill copies or resamples the window onto the chunk's n samples.
func (c *chunk) fill(w *window, seg *segment, a, b, n int) {
	channels := len(w.cols) - 1
	if cap(c.buffer) < channels*n {
		c.buffer = make([]float64, channels*n)
	}
	buf := c.buffer[:channels*n]
	c.data = c.data[:0]
	for k := range channels {
		dst := buf[k*n : (k+1)*n : (k+1)*n]
		src := w.cols[k+1][a-w.first : b-w.first]
		if seg.uniform {
			copy(dst, src)
		} else {
			filter.Resample(dst, seg.t[a:b], src, seg.t0+float64(c.lo)*seg.dt, seg.dt)
		}
		c.data = append(c.data, dst)
	}
}
