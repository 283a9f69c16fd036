package excite

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/internal/triangle"
	"ident/regressor"
)

// weighting turns regressor rows into rows of unit noise.
type weighting struct {
	use   []int       // columns of the model in the criterion, nil for all
	joint []float64   // factor of a joint's rows, nil for one
	prior [][]float64 // rows of prior knowledge, [row][column of the model]
	norms []float64   // fixed norms of the columns in use, nil for the rows' own
}

func (w *weighting) columns(m *regressor.Model) []int {
	if w.use != nil {
		return w.use
	}
	all := make([]int, len(m.Columns()))
	for c := range all {
		all[c] = c
	}
	return all
}

// spectrum computes the singular values of a model's weighted rows along a
// motion, stacked on the rows of prior knowledge: fill motion, then evalRows, then
// decompose. It belongs to one goroutine.
type spectrum struct {
	m       *regressor.Model
	samples int
	use     []int          // columns of the model in the criterion
	index   []int          // of a column of the model in use, -1 for none
	weight  []float64      // of a joint's rows
	motion  [3][][]float64 // q, dq, ddq: [order][joint][sample]
	w       [][]float64    // weighted rows, each joint's step below those before, then prior, between them zeros: [use][row]
	step    int            // multiple of eight: columns of a joint begin where vector registers are filled quickest
	norms   []float64      // divisors of the columns, [use]
	fixed   []float64      // norms given in advance, nil for the rows' own
	sigma   []float64      // singular values, descending
	v       mat.Dense      // right singular vectors
	ws      *regressor.Workspace
	block   *regressor.Block
	cols    [][]float64 // scaled columns, overwritten by the factorisation
	y       []float64   // right-hand side of the factorisation, zero
	factor  *triangle.Factor
	gram    []float64 // products of the scaled columns, n×n
	eigen   eigen.Symmetric
	inverse definiteInverse // of gram
	known   []float64       // products of the prior rows, n×n, nil without any
	blocks  []jointRows
	part    [][]float64 // vectors scaled by slopes, [use][vector]
	scale   []float64   // of the vectors in part
	all     []int       // 0 … n-1
	work    triangle.Work
}

// jointRows are a joint's rows in w: those of its own columns in use, whose numbers are at.
type jointRows struct {
	at   []int
	cols [][]float64
}

func newSpectrum(m *regressor.Model, samples int, w weighting) *spectrum {
	use := w.columns(m)
	joints, n := m.Joints(), len(use)
	step := (samples + 7) / 8 * 8
	rows := joints*step + (len(w.prior)+7)/8*8
	e := &spectrum{m: m, samples: samples, step: step, use: use, weight: w.joint, fixed: w.norms, ws: m.NewWorkspace(), block: m.NewBlock(samples),
		factor: triangle.New(n), y: make([]float64, rows), norms: make([]float64, n), w: cut(make([]float64, n*rows), rows), cols: grid(n, rows)}
	e.index = make([]int, len(m.Columns()))
	for c := range e.index {
		e.index[c] = -1
	}
	for i, c := range use {
		e.index[c] = i
		for k, row := range w.prior {
			e.w[i][joints*step+k] = row[c]
		}
	}
	e.gram, e.part, e.scale, e.all = make([]float64, n*n), grid(n, n), make([]float64, n), make([]int, n)
	for i := range e.all {
		e.all[i] = i
	}
	for k := range joints {
		var b jointRows
		for _, c := range m.Mask(k) {
			if i := e.index[c]; i >= 0 {
				b.at, b.cols = append(b.at, i), append(b.cols, e.w[i][k*step:][:samples])
			}
		}
		e.blocks = append(e.blocks, b)
	}
	if len(w.prior) > 0 {
		e.known = make([]float64, n*n)
		var rows [][]float64
		for i := range n {
			rows = append(rows, e.w[i][joints*step:])
		}
		e.work.Gram(e.known, n, e.all, rows)
	}
	for k := range e.motion {
		e.motion[k] = grid(joints, samples)
	}
	if w.joint == nil {
		e.weight = make([]float64, joints)
		for k := range e.weight {
			e.weight[k] = 1
		}
	}
	return e
}

// grid returns n slices of m zeros.
func grid(n, m int) [][]float64 {
	g := make([][]float64, n)
	for i := range g {
		g[i] = make([]float64, m)
	}
	return g
}

// cut returns the rows of m numbers in one memory.
func cut(memory []float64, m int) (rows [][]float64) {
	for ; len(memory) > 0; memory = memory[m:] {
		rows = append(rows, memory[:m:m])
	}
	return rows
}

// evalRows evaluates the regressor along the motion and weighs its rows.
func (e *spectrum) evalRows() {
	e.m.Eval(e.block, e.motion[0], e.motion[1], e.motion[2], e.ws)
	for k := range e.m.Joints() {
		for a, c := range e.m.Mask(k) {
			if i := e.index[c]; i >= 0 {
				floats.ScaleTo(e.w[i][k*e.step:][:e.samples], e.weight[k], e.block.Joint[k][a])
			}
		}
	}
}

// reduce computes the triangular factor of the rows with scaled columns. It returns
// false where a column is zero or not finite.
func (e *spectrum) reduce() bool {
	for c, w := range e.w {
		if e.fixed != nil {
			e.norms[c] = e.fixed[c]
		} else {
			e.norms[c] = length(w)
		}
		if !(e.norms[c] > 0) || math.IsInf(e.norms[c], 0) {
			return false
		}
		floats.ScaleTo(e.cols[c], 1/e.norms[c], w)
	}
	e.factor.Reset()
	clear(e.y)
	e.factor.Add(e.cols, e.y, &e.work)
	return true
}

// decompose computes the singular values of the rows with scaled columns, and the
// right singular vectors if asked for. It returns false where a column is zero or
// not finite.
func (e *spectrum) decompose(vectors bool) bool {
	return e.reduce() && e.decomposeReduced(vectors)
}

func (e *spectrum) decomposeReduced(vectors bool) bool {
	kind := mat.SVDNone
	if vectors {
		kind = mat.SVDThinV
	}
	svd, ok := decomposeFactor(e.factor.R, e.factor.N, kind)
	if !ok {
		return false
	}
	e.sigma = svd.Values(nil)
	if vectors {
		e.v.Reset()
		svd.VTo(&e.v)
	}
	return true
}

// squareError bounds the relative error of the smallest eigenvalue of the columns' products, and of functions of their
// inverse, for which these are taken in place of a factorisation of the rows.
const (
	squareError = 1e-8
	rounding    = 0x1p-52
)

// products computes those of the scaled columns in gram. It returns false where a column is zero or not finite.
func (e *spectrum) products() bool {
	n := len(e.use)
	g := e.gram
	clear(g)
	copy(g, e.known)
	for _, b := range e.blocks {
		e.work.Gram(g, n, b.at, b.cols)
	}
	for c := range n {
		e.norms[c] = math.Sqrt(g[c*n+c])
		if e.fixed != nil {
			e.norms[c] = e.fixed[c]
		}
		if !(e.norms[c] > 0) || math.IsInf(e.norms[c], 0) {
			return false
		}
	}
	for c, norm := range e.norms {
		row := g[c*n+c : (c+1)*n]
		for i := range row {
			row[i] /= norm * e.norms[c+i]
			if math.IsNaN(row[i]) || math.IsInf(row[i], 0) {
				return false
			}
		}
	}
	return true
}

// invert computes the inverse of the columns' products, and returns their trace; false where the inverse may have errors above
// squareError: some n roundings times a condition number that is at most the product of both traces.
func (e *spectrum) invert() (trace float64, ok bool) {
	n := len(e.use)
	for c := range n {
		trace += e.gram[c*n+c]
	}
	ok = e.inverse.Invert(e.gram, n) && float64(n)*rounding*trace*e.inverse.Trace < squareError
	return trace, ok
}

// decomposeQuickly is decompose from the eigenvalues of the columns' products, without a factorisation of the
// rows. Their error, some n roundings of the largest, is squareError of the
// smallest or less; elsewhere decompose does the work.
func (e *spectrum) decomposeQuickly(vectors bool) bool {
	return e.products() && e.decomposeProducts(vectors)
}

func (e *spectrum) decomposeProducts(vectors bool) bool {
	n, g := len(e.use), e.gram
	factorize := e.eigen.FactorizeValues
	if vectors {
		factorize = e.eigen.Factorize
	}
	if !factorize(g, n) {
		return e.decompose(vectors)
	}
	square := e.eigen.Values
	if !(square[0]*squareError > float64(n)*rounding*square[n-1]) {
		return e.decompose(vectors)
	}
	e.sigma = e.sigma[:0]
	for i := n - 1; i >= 0; i-- {
		e.sigma = append(e.sigma, math.Sqrt(square[i]))
	}
	if !vectors {
		return true
	}
	e.v.Reset()
	e.v.ReuseAs(n, n)
	to := e.v.RawMatrix().Data
	for i, v := range e.eigen.Vectors {
		for c, x := range v {
			to[c*n+n-1-i] = x
		}
	}
	return true
}

// decomposeFactor returns the singular value decomposition of an n×n matrix, row-major;
// false where an entry is not finite.
func decomposeFactor(r []float64, n int, kind mat.SVDKind) (*mat.SVD, bool) {
	for _, x := range r {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, false
		}
	}
	var svd mat.SVD
	return &svd, svd.Factorize(mat.NewDense(n, n, r), kind)
}

// unscaledFactor returns the triangular factor of the rows without the columns'
// scaling, n×n, row-major.
func (e *spectrum) unscaledFactor() []float64 {
	r, n := slices.Clone(e.factor.R), e.factor.N
	for c, v := range e.norms {
		for i := range c + 1 {
			r[i*n+c] *= v
		}
	}
	return r
}

// condition returns the condition numbers along a motion of the duration of the
// samples: columns scaled to unit norm, and as they are; +Inf where a column is not
// excited.
func (e *spectrum) condition() (scaled, raw float64) {
	e.evalRows()
	if !e.decompose(false) {
		return math.Inf(1), math.Inf(1)
	}
	scaled = ratio(e.sigma)
	if math.IsInf(scaled, 1) {
		return scaled, scaled
	}
	svd, ok := decomposeFactor(e.unscaledFactor(), e.factor.N, mat.SVDNone)
	if !ok {
		return scaled, math.Inf(1)
	}
	return scaled, ratio(svd.Values(nil))
}

// deviations returns the standard deviation of each used column's parameter, for
// rows of unit noise, after decompose(true).
func (e *spectrum) deviations() []float64 {
	n := len(e.sigma)
	out := make([]float64, n)
	for c := range n {
		for i, s := range e.sigma {
			out[c] = math.Hypot(out[c], e.v.At(c, i)/s)
		}
		out[c] /= e.norms[c]
	}
	return out
}

// ratio returns the condition number of singular values in descending order.
func ratio(sigma []float64) float64 {
	small := sigma[len(sigma)-1]
	if !(small > 0) {
		return math.Inf(1)
	}
	return sigma[0] / small
}
