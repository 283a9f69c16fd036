package series

import (
	"math"
	"slices"

	"ident/result"
)

const (
	longBuckets  = 32_768 // of all runs together: 700 bytes each for seven joints
	leastBuckets = 1024   // of a run
	blockRows    = 256    // about a large residual
	blocksKept   = 3      // of a joint
)

// longRun collects the buckets and the worst rows of a run.
type longRun struct {
	result.LongRun
	room   int     // buckets expected
	count  int     // rows of the bucket being filled
	before float64 // time of the last row
	period float64 // from row to row, s
	apart  float64 // least time between the large residuals of one joint, s
	worst  [][]block
	ends   []int // of the buckets of a chunk
}

// block is the neighbourhood of a large residual.
type block struct {
	at, size float64
	run      result.ResidualRun
}

func newLongRun(p Plan) *longRun {
	buckets := max(leastBuckets, longBuckets/p.Runs)
	rows := (p.Rows + buckets - 1) / buckets
	return &longRun{LongRun: result.LongRun{Rows: rows}, room: p.Rows/rows + 1, period: p.Period, apart: p.Seconds / 50}
}

// curves returns the bounds' tables, and a chunk's values in the same order; the residuals follow from two of them.
func curves(c *result.Curves) [4]*[][]float64 {
	return [4]*[][]float64{&c.Measured, &c.Predicted, &c.Logged, &c.File}
}

func (l *longRun) add(s *Rows) {
	if len(s.T) == 0 {
		return
	}
	from := [4][][]float64{s.Measured, s.Predicted, s.Logged, s.File}
	low, high := curves(&l.Low), curves(&l.High)
	joints := len(s.Measured)
	if l.worst == nil {
		l.worst = make([][]block, joints)
		for i := range from {
			if from[i] != nil {
				*low[i], *high[i] = l.columns(joints), l.columns(joints)
			}
		}
		for _, c := range []*result.Curves{&l.Low, &l.High} {
			c.Residual = l.columns(joints)
			if s.File != nil {
				c.FileResidual = l.columns(joints)
			}
		}
	}
	fresh := l.cut(s.T)
	for n, table := range from {
		for k := range table {
			(*low[n])[k], (*high[n])[k] = l.bound((*low[n])[k], (*high[n])[k], fresh, table[k], nil)
		}
	}
	for k := range s.Measured {
		l.Low.Residual[k], l.High.Residual[k] = l.bound(l.Low.Residual[k], l.High.Residual[k], fresh, s.Measured[k], s.Predicted[k])
		if s.File != nil {
			l.Low.FileResidual[k], l.High.FileResidual[k] = l.bound(l.Low.FileResidual[k], l.High.FileResidual[k], fresh, s.Measured[k], s.File[k])
		}
		l.keep(s, k)
	}
}

// columns makes room for the buckets expected.
func (l *longRun) columns(joints int) [][]float64 {
	out := make([][]float64, joints)
	for k := range out {
		out[k] = make([]float64, 0, l.room)
	}
	return out
}

// cut finds the ends of the buckets of a chunk by its times, and reports whether its first one is not that which the
// chunk before began.
func (l *longRun) cut(t []float64) (fresh bool) {
	l.ends = l.ends[:0]
	for i := 0; i < len(t); {
		// A bucket ends at a gap, that its span hides none.
		if l.count == l.Rows || t[i]-l.before > 1.5*l.period {
			l.count = 0
		}
		begins := l.count == 0
		fresh = fresh || begins && i == 0
		end := i + 1
		for l.count++; end < len(t) && l.count < l.Rows && t[end]-t[end-1] <= 1.5*l.period; end++ {
			l.count++
		}
		l.before = t[end-1]
		if begins {
			l.From, l.To = append(l.From, t[i]), append(l.To, l.before)
		} else {
			l.To[len(l.To)-1] = l.before
		}
		l.ends = append(l.ends, end)
		i = end
	}
	return fresh
}

// bound appends the bounds of the buckets' values, less others where given; unless fresh the first widen the last ones.
func (l *longRun) bound(low, high []float64, fresh bool, values, less []float64) (lows, highs []float64) {
	from := 0
	for _, to := range l.ends {
		lo, hi := math.Inf(1), math.Inf(-1)
		if less == nil {
			for _, v := range values[from:to] {
				lo, hi = min(lo, v), max(hi, v)
			}
		} else {
			other := less[from:to]
			for i, v := range values[from:to] {
				v -= other[i]
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		if from == 0 && !fresh {
			n := len(low) - 1
			low[n], high[n] = min(low[n], lo), max(high[n], hi)
		} else {
			low, high = append(low, lo), append(high, hi)
		}
		from = to
	}
	return low, high
}

// keep keeps the rows about a chunk's largest residual of joint k where it is among the joint's worst.
func (l *longRun) keep(s *Rows, k int) {
	size, at := 0.0, 0
	for i, m := range s.Measured[k] {
		if e := math.Abs(m - s.Predicted[k][i]); e > size {
			size, at = e, i
		}
	}
	list := l.worst[k]
	near := slices.IndexFunc(list, func(b block) bool { return math.Abs(b.at-s.T[at]) < l.apart })
	switch {
	case near >= 0 && list[near].size >= size, near < 0 && len(list) == blocksKept && list[blocksKept-1].size >= size, size == 0:
		return
	case near >= 0:
		list = slices.Delete(list, near, near+1)
	case len(list) == blocksKept:
		list = list[:blocksKept-1]
	}
	a := max(0, min(at-blockRows/2, len(s.T)-blockRows))
	b := min(len(s.T), a+blockRows)
	fresh := block{at: s.T[at], size: size, run: result.ResidualRun{Stride: 1, T: slices.Clone(s.T[a:b])}}
	for i, table := range s.tables() {
		for _, column := range table {
			to := tables(&fresh.run)[i]
			*to = append(*to, slices.Clone(column[a:b]))
		}
	}
	i := 0
	for i < len(list) && list[i].size >= size {
		i++
	}
	l.worst[k] = slices.Insert(list, i, fresh)
}

// finish returns the kept buckets and moments under the name of their run.
func (l *longRun) finish(run *result.ResidualRun) *result.LongRun {
	for _, list := range l.worst {
		for _, b := range list {
			b.run.Log, b.run.Role = run.Log, run.Role
			l.Blocks = append(l.Blocks, b.run)
		}
	}
	return &l.LongRun
}
