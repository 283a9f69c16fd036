package trialfit

import (
	"math"

	"ident/doctor/internal/projection"
)

// Basis is an orthonormal basis of the columns of a fit, rows by columns, with the factor that maps them
// onto it.
type Basis = projection.Basis

// Blocks is such a basis of the equations of all joints, made of those of each.
type Blocks = projection.Blocks

// Joint is one joint's equation fitted by itself, with the columns of the model in it. It does not depend on the other
// joints' torques, so a wrong sign or scale of one torque does not make any of these fits worse: the residual is the
// noise of the joint.
type Joint struct {
	Index   int
	Lost    []bool // rows left out; all their values are zero
	Rows    int    // number of rows that are not Lost
	Cols    []int  // the model's columns in this joint's equation
	extra   [][]float64
	Basis   Basis
	Y       []float64 // torque, N·m or N
	Rest    []float64 // residual of Y
	Sigma   float64   // standard deviation of a row's residual
	Inflate float64   // factor on variances for the correlation of the rows
}

// NewJoint fits joint j, or returns nil where the rows are too few.
func NewJoint(tr *Rows, j int) *Joint { return newJoint(tr, j, tr.Lost[j]) }

// rowsOfColumn: a joint is fitted only if it has at least this many rows per column. With nearly as many columns as
// rows, a fit proves nothing.
const rowsOfColumn = 3

// newJoint fits a joint's equation without the rows marked in lost.
func newJoint(tr *Rows, j int, lost []bool) *Joint {
	f := &Joint{Index: j, Lost: lost, Cols: tr.Model.Mask(j), Basis: projection.Basis{Rows: len(tr.T)}}
	for _, l := range f.Lost {
		if !l {
			f.Rows++
		}
	}
	if f.Rows < max(fewestRows, rowsOfColumn*len(tr.W[j])) {
		return nil
	}
	var cols [][]float64
	for _, c := range tr.W[j] {
		cols = append(cols, f.counted(c))
	}
	f.Basis.Offer(cols...)
	f.SetTorque(f.Masked(tr.Y[j]))
	return f
}

// Masked returns a column with the rows that do not count set to zero.
func (f *Joint) Masked(x []float64) []float64 {
	y := make([]float64, len(x))
	for k, v := range x {
		if !f.Lost[k] {
			y[k] = v
		}
	}
	return y
}

// counted returns Masked(x), or x itself if no row is lost. The result must not be changed.
func (f *Joint) counted(x []float64) []float64 {
	if f.Rows == len(x) {
		return x
	}
	return f.Masked(x)
}

// count sets the lost rows of a column to zero, in place, and returns it.
func (f *Joint) count(x []float64) []float64 {
	if f.Rows < len(x) {
		for k, lost := range f.Lost {
			if lost {
				x[k] = 0
			}
		}
	}
	return x
}

// Size returns the RMS of the joint's torque.
func (f *Joint) Size() float64 { return projection.Norm(f.Y) / math.Sqrt(float64(f.Rows)) }

// Added fits extra columns to the residual.
func (f *Joint) Added(cols ...[]float64) (Gain, bool) {
	masked := make([][]float64, len(cols))
	for i, c := range cols {
		masked[i] = f.counted(c)
	}
	return Added(&f.Basis, f.Rest, f.Rows, f.Inflate, masked...)
}

// AddedEach does what Added does for several sets of columns, one at a time. For a set that certainly explains less of
// the residual than the fraction least[i] it reports no more than that.
func (f *Joint) AddedEach(sets [][][]float64, least []float64) (gains []Gain, ok []bool) {
	var cols [][]float64
	for _, set := range sets {
		for _, c := range set {
			cols = append(cols, f.counted(c))
		}
	}
	gains, ok = make([]Gain, len(sets)), make([]bool, len(sets))
	candidates := f.Basis.Candidates(cols...)
	for i, set := range sets {
		n := len(set)
		if projection.MostExplained(f.Rest, inModel, candidates[:n]...) >= least[i] {
			gains[i], ok[i] = Added(&f.Basis, f.Rest, f.Rows, f.Inflate, cols[:n]...)
		}
		cols, candidates = cols[n:], candidates[n:]
	}
	return gains, ok
}

// SetTorque fits another, masked, torque.
func (f *Joint) SetTorque(y []float64) {
	f.Y = y
	f.Rest = f.Basis.Residual(f.Y)
	free := float64(max(f.Rows-f.Basis.Rank(), 1))
	f.Sigma = projection.Norm(f.Rest) / math.Sqrt(free)
	f.Inflate = projection.Inflation(f.Rest)
}

// Extend fits with more columns.
func (f *Joint) Extend(cols [][]float64) {
	f.extra = append(f.extra, cols...)
	for _, c := range cols {
		f.Basis.Offer(f.counted(c))
	}
	f.SetTorque(f.Y)
}

// DivideTorque divides the torque and its residual by a factor. The noise level stays that of the logged torque.
func (f *Joint) DivideTorque(by float64) {
	for i := range f.Y {
		f.Y[i] /= by
		f.Rest[i] /= by
	}
}

// Gain is the effect of columns that are added to a fit.
type Gain struct {
	Coef   []float64 // coefficients of the added columns
	Share  float64   // fraction of the residual sum of squares that the columns explain
	Effect float64   // RMS of their contribution to the residual
	Sure   float64   // the same contribution in standard deviations
	SD     float64   // standard deviation of the first coefficient
	Score  float64   // score for comparing hypotheses: n·log(RSS₀/RSS) - k·log n
}

// Space is the space that the columns of a fit span.
type Space interface {
	Rank() int
	Residuals(y ...[]float64) [][]float64
}

// Added fits extra columns to the residual of a basis. rows is the number of independent rows, inflate
// the correlation's factor on variances.
func Added(b Space, rest []float64, rows int, inflate float64, cols ...[]float64) (Gain, bool) {
	return added(b, rest, rows, inflate, cols, b.Residuals(cols...))
}

// inModel: if projection leaves less than this fraction of a column, the model already contains it.
const inModel = 1e-3

// added does the same as Added, with the residuals of the columns given.
func added(b Space, rest []float64, rows int, inflate float64, cols, residuals [][]float64) (Gain, bool) {
	var left projection.Few
	for i, v := range residuals {
		if projection.Norm(v) > inModel*projection.Norm(cols[i]) {
			left.Offer(v)
		} else {
			left.Offered++
		}
	}
	k := float64(len(left.Kept))
	if k == 0 || (len(cols) == 1 && left.Kept[0] != 0) {
		return Gain{}, false
	}
	before := projection.Dot(rest, rest)
	var g Gain
	var after []float64
	g.Coef, after = left.Fit(rest)
	rss := projection.Dot(after, after)
	if before <= 0 {
		return Gain{}, false
	}
	n := float64(rows - b.Rank())
	g.Share = 1 - rss/before
	g.Effect = math.Sqrt(math.Max(before-rss, 0) / float64(rows))
	if free := n - k; free > 10 && rss > 0 {
		inflate = math.Min(inflate, math.Max(projection.Inflation(after), 1))
		noise := rss / free * inflate
		g.Sure = math.Sqrt((before - rss) / k / noise)
		g.SD = math.Sqrt(noise) / left.R[0]
		effective := n / inflate
		g.Score = effective*math.Log(before/rss) - k*math.Log(effective)
	}
	return g, true
}
