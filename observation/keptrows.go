package observation

import (
	"slices"

	"ident/filter"
	"ident/regressor"
)

// After a low-pass, neighbouring rows are so alike that few of them hold all the information: those at KeepRate. Then
// only these are computed. The regressor of some hundred samples, which fits into the second-level cache, goes into the
// moments of a filter.Decimator before the next samples are evaluated; no column is ever held at the sampling rate.

// keptStep divides the number of samples between kept rows.
const keptStep = 8

// keptEvery returns the number of samples between rows at a rate in hertz, 1 if all rows are kept.
func keptEvery(s Settings, rate float64) int {
	if !(s.KeepRate > 0) || s.Model != Dynamic {
		return 1
	}
	return max(int(min(rate/s.KeepRate, maxReach)+1e-9)/keptStep*keptStep, 1)
}

// keep computes the kept rows of columns. Both ends are continued by point reflection, which matters only at the ends of
// a segment.
func (f *RowFilter) keep(cols [][]float64, x Extent, w *RowWork) Rows {
	lo, n := f.grid(x), len(cols[0])
	if whole, tail := (n-lo)/f.every, f.reach-f.every; len(cols) >= fewColumns && f.abreast() && x.Start > 0 && x.Lo-lo >= tail && lo+whole*f.every-x.Hi >= tail {
		f.keepInside(cols, lo, whole, w)
		first, count := f.kept(x)
		at := (first - lo) / f.every
		return Rows{Columns: w.thinned.rows, Lo: at, Hi: at + count}
	}
	blocks := max((n-lo+f.every-1)/f.every, 0)
	out := w.thinned.resize(len(cols), blocks)
	if blocks > 0 {
		w.moments = grown(w.moments, f.decimator.Moments(blocks))
		for k, col := range cols {
			f.decimator.Block(w.moments, col[lo:], blocks, 0)
			f.decimator.Rows(out[k], w.moments, filter.Ends{First: col[lo], Last: col[n-1], Samples: n - lo, ReflectedFirst: x.Start == 0, ReflectedLast: true})
		}
	}
	first, count := f.kept(x)
	at := (first - lo) / f.every
	return Rows{Columns: out, Lo: at, Hi: at + count}
}

// fewColumns is the number of columns from which processing sixteen rows at once pays.
const fewColumns = 8

// abreast reports whether groups of the decimator are short enough for the second-level cache.
func (f *RowFilter) abreast() bool { return f.decimator.Group() <= maxGroup }

// keepInside computes blocks kept rows from position lo on, for columns whose ends lie beyond the filter's tail.
func (f *RowFilter) keepInside(cols [][]float64, lo, blocks int, w *RowWork) {
	d, group := f.decimator, f.decimator.Group()
	w.abreast.Begin(d, w.thinned.resize(len(cols), blocks))
	side := w.side.resize(len(cols), group)
	for hi := lo + blocks*f.every; lo < hi; lo += group {
		n := min(group, hi-lo)
		for k, col := range cols {
			d.SideBySide(side[k], col[lo:lo+n])
		}
		w.abreast.Add(side, n/f.every)
	}
	w.abreast.Finish()
}

// grid returns the first position of an extent that lies on the grid of rows.
func (f *RowFilter) grid(x Extent) int { return (f.every - x.Start%f.every) % f.every }

// kept returns the position of the first row of an extent, and the number of rows.
func (f *RowFilter) kept(x Extent) (first, count int) {
	first = f.First(x)
	return first, max((x.Hi-first+f.every-1)/f.every, 0)
}

// keptRows evaluates the regressor of a chunk and keeps a part of the filtered rows.
type keptRows struct {
	block   *regressor.Block
	samples int // of the block
	batch   regressor.Batch
	moments matrix
	rows    matrix
	ends    []filter.Ends
	first   int // position of the first row
	joint   [][][]float64

	abreast filter.ColumnDecimator
	side    regressor.Batch // samples of a group side by side
	store   []float64       // of side
	all     [][]float64     // columns of the block, joint after joint
}

// Samples of a block: its columns, some twenty thousand numbers for a seven-joint arm, fit into the second-level cache,
// and nearly fill the vector machine's blocks.
const (
	leastBlock = 256
	maxBlock   = 512
	maxGroup   = 1024 // of groups side by side
)

// blockOf returns the number of samples evaluated at once: whole steps between rows, with the fewest idle vector lanes.
func blockOf(every int) int {
	best, idle := 0, 1.0
	for n := (leastBlock + every - 1) / every * every; n <= maxBlock; n += every {
		lanes := (n + regressor.Lanes - 1) / regressor.Lanes * regressor.Lanes
		if free := float64(lanes-n) / float64(lanes); free < idle {
			best, idle = n, free
		}
	}
	return max(best, every)
}

// apply evaluates the samples on which rows depend, without those in the motion filter's reach at an end of the chunk
// that is not the segment's.
func (s *keptRows) apply(c *Chunk, model *regressor.Model, in regressor.Batch, unactuated []bool, ws *regressor.Workspace) {
	f, n := c.Source.Filters, len(in.Q[0])
	every := f.Rows.every
	lo, hi := 0, n
	if c.Start > 0 {
		lo = f.Motion.reach + f.Rows.grid(Extent{Start: c.Start + f.Motion.reach})
	}
	end := c.Start+n == c.Source.Segment.N
	if !end {
		hi = max(n-f.Motion.reach, lo)
		hi -= (hi - lo) % every
	}
	if c.Start > 0 && !end && f.Rows.abreast() {
		s.evaluateGroups(f.Rows, model, in, unactuated, ws, lo, hi)
	} else {
		s.evaluate(f.Rows, model, in, unactuated, ws, lo, hi, filter.Ends{ReflectedFirst: c.Start == 0, ReflectedLast: end})
	}
}

// evaluateGroups computes the rows of whole blocks of samples [lo, hi), continued by constants at both ends, for a chunk
// with neighbours.
func (s *keptRows) evaluateGroups(f *RowFilter, model *regressor.Model, in regressor.Batch, unactuated []bool, ws *regressor.Workspace, lo, hi int) {
	d, group := f.decimator, f.decimator.Group()
	s.begin(model, lo, (hi-lo)/f.every, group)
	s.abreast.Begin(d, s.rows.rows)
	for at := lo; at < hi; at += group {
		n := min(group, hi-at)
		s.batch.Part(&in, at, at+n)
		taken := 0
		s.side.Each(&s.batch, func(x []float64) []float64 {
			if x == nil {
				return nil
			}
			if len(s.store) < taken+group {
				s.store = append(s.store, make([]float64, group)...) // signals before keep their memory
			}
			y := s.store[taken : taken+group : taken+group]
			taken += group
			d.SideBySide(y, x)
			return y
		})
		s.block.Resize(group)
		model.EvalBatch(s.block, s.side, ws)
		zeroUnactuated(s.block, unactuated)
		s.abreast.Add(s.all, n/f.every)
	}
	s.abreast.Finish()
}

// begin makes room for rows in blocks from position first on, and for the samples evaluated at once.
func (s *keptRows) begin(model *regressor.Model, first, blocks, samples int) {
	s.first = first
	if s.block == nil || s.samples != samples {
		s.samples = samples
		s.block = model.NewBlock(samples)
	}
	s.block.Resize(samples)
	s.all = s.all[:0]
	for _, cols := range s.block.Joint {
		s.all = append(s.all, cols...)
	}
	rows := s.rows.resize(len(s.all), blocks)
	s.joint = s.joint[:0]
	for _, cols := range s.block.Joint {
		s.joint = append(s.joint, rows[:len(cols)])
		rows = rows[len(cols):]
	}
}

// evaluate computes the rows of samples [lo, hi); how says how their ends are continued.
func (s *keptRows) evaluate(f *RowFilter, model *regressor.Model, in regressor.Batch, unactuated []bool, ws *regressor.Workspace, lo, hi int, how filter.Ends) {
	d, every := f.decimator, f.every
	blocks := (hi - lo + every - 1) / every
	s.begin(model, lo, blocks, blockOf(every))
	columns := len(s.all)
	moments := s.moments.resize(columns, d.Moments(blocks))
	s.ends = slices.Grow(s.ends[:0], columns)[:columns]
	ends := s.ends
	for at := lo; at < hi; at += s.samples {
		to := min(at+s.samples, hi)
		s.block.Resize(to - at)
		s.batch.Part(&in, at, to)
		model.EvalBatch(s.block, s.batch, ws)
		zeroUnactuated(s.block, unactuated)
		i := 0
		for _, cols := range s.block.Joint {
			for _, x := range cols {
				d.Block(moments[i], x, blocks, (at-lo)/every)
				if at == lo {
					ends[i].First = x[0]
				}
				ends[i].Last = x[len(x)-1]
				i++
			}
		}
	}
	for i := range ends {
		ends[i].Samples, ends[i].ReflectedFirst, ends[i].ReflectedLast = hi-lo, how.ReflectedFirst, how.ReflectedLast
	}
	d.RowsOf(s.rows.rows, moments, ends)
}

// KeptRegressor computes the rows of a regressor that a filter keeps, for a motion in memory. It serves one model and
// one goroutine; the zero value is ready to use.
type KeptRegressor struct{ rows keptRows }

// Eval evaluates a model along a motion, continued by point reflection at both ends. It returns the rows at samples 0,
// f.Every(), …: [joint][column of its mask][row]. The caller may change them; the next call overwrites them. Eval panics
// unless f keeps only a part of its rows.
func (k *KeptRegressor) Eval(f *RowFilter, model *regressor.Model, in regressor.Batch, ws *regressor.Workspace) [][][]float64 {
	if f.decimator == nil {
		panic("observation: kept rows of a filter that keeps all")
	}
	k.rows.evaluate(f, model, in, nil, ws, 0, len(in.Q[0]), filter.Ends{ReflectedFirst: true, ReflectedLast: true})
	return k.rows.joint
}

// columns appends count rows of a joint, starting with the one at position first.
func (s *keptRows) columns(to [][]float64, joint, first, count, every int) [][]float64 {
	at := (first - s.first) / every
	for _, col := range s.joint[joint] {
		to = append(to, col[at:at+count])
	}
	return to
}
