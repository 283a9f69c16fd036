package doctor

import (
	"math"

	"ident/internal/projection"
)

// jointFit is one joint's equation fitted by itself, with the columns of the model in it. It knows nothing
// of the other joints' torques, so that a wrong sign or scale of one torque leaves every such fit as good as
// it was: its residual is the noise of that joint.
type jointFit struct {
	joint   int
	lost    []bool // rows that do not count: they are zero everywhere
	rows    int    // number of those that do
	cols    []int  // of the model of torqueRows
	extra   [][]float64
	basis   projection.Basis
	y       []float64 // torque, N·m or N
	rest    []float64 // its residual
	sigma   float64   // standard deviation of a row's residual
	inflate float64   // factor on variances for the correlation of the rows
}

// newJointFit fits joint j, or returns nil where the rows are too few.
func newJointFit(tr *torqueRows, j int) *jointFit {
	f := &jointFit{joint: j, lost: tr.lost[j], cols: tr.model.Mask(j), basis: projection.Basis{Rows: len(tr.t)}}
	for _, l := range f.lost {
		if !l {
			f.rows++
		}
	}
	// A fit with nearly as many columns as rows proves nothing.
	if f.rows < max(fewestRows, 3*len(tr.w[j])) {
		return nil
	}
	for _, c := range tr.w[j] {
		f.basis.Offer(f.masked(c))
	}
	f.setTorque(f.masked(tr.y[j]))
	return f
}

// masked is a column with the rows that do not count set to zero.
func (f *jointFit) masked(x []float64) []float64 {
	y := make([]float64, len(x))
	for k, v := range x {
		if !f.lost[k] {
			y[k] = v
		}
	}
	return y
}

// size is the RMS of the joint's torque.
func (f *jointFit) size() float64 { return projection.Norm(f.y) / math.Sqrt(float64(f.rows)) }

// added fits extra columns to the residual.
func (f *jointFit) added(cols ...[]float64) (gain, bool) {
	masked := make([][]float64, len(cols))
	for i, c := range cols {
		masked[i] = f.masked(c)
	}
	return added(&f.basis, f.rest, f.rows, f.inflate, masked...)
}

// setTorque fits another, masked, torque.
func (f *jointFit) setTorque(y []float64) {
	f.y = y
	f.rest = f.basis.Residual(f.y)
	free := float64(max(f.rows-len(f.basis.Q), 1))
	f.sigma = projection.Norm(f.rest) / math.Sqrt(free)
	f.inflate = projection.Inflation(f.rest)
}

// extend fits with more columns.
func (f *jointFit) extend(cols [][]float64) {
	f.extra = append(f.extra, cols...)
	for _, c := range cols {
		f.basis.Offer(f.masked(c))
	}
	f.setTorque(f.y)
}

// divideTorque divides the torque, and its residual with it; the noise stays that of the log's torque.
func (f *jointFit) divideTorque(by float64) {
	for i := range f.y {
		f.y[i] /= by
		f.rest[i] /= by
	}
}

// gain is the effect of columns that are added to a fit.
type gain struct {
	coef   []float64 // of the columns
	share  float64   // part of the residual sum of squares that they explain
	effect float64   // RMS of their contribution to the residual
	sure   float64   // standard deviations between the contribution and nothing
	sd     float64   // of the first coefficient
	score  float64   // of the hypothesis among others: n·log(RSS₀/RSS) - k·log n
}

// added fits extra columns to the residual of a basis. rows is the number of independent rows, inflate
// the correlation's factor on variances.
func added(b *projection.Basis, rest []float64, rows int, inflate float64, cols ...[]float64) (gain, bool) {
	left := projection.Basis{Rows: b.Rows}
	for _, c := range cols {
		v := b.Residual(c)
		// A column whose residual is less than a thousandth of it is in the model already.
		if projection.Norm(v) > 1e-3*projection.Norm(c) {
			left.Offer(v)
		} else {
			left.Offered++
		}
	}
	k := float64(len(left.Q))
	if k == 0 || len(left.Kept) == 0 || (len(cols) == 1 && left.Kept[0] != 0) {
		return gain{}, false
	}
	before := projection.Dot(rest, rest)
	g := gain{coef: left.Solve(rest)}
	after := left.Residual(rest)
	rss := projection.Dot(after, after)
	if before <= 0 {
		return gain{}, false
	}
	n := float64(rows - len(b.Q))
	g.share = 1 - rss/before
	g.effect = math.Sqrt(math.Max(before-rss, 0) / float64(rows))
	if free := n - k; free > 10 && rss > 0 {
		inflate = math.Min(inflate, math.Max(projection.Inflation(after), 1))
		noise := rss / free * inflate
		g.sure = math.Sqrt((before - rss) / k / noise)
		g.sd = math.Sqrt(noise) / left.R[0]
		effective := n / inflate
		g.score = effective*math.Log(before/rss) - k*math.Log(effective)
	}
	return g, true
}
