package excite

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
	"ident/regressor"
)

// spectrum computes the singular values of a model's regressor along a motion,
// its columns scaled to unit norm; one goroutine's own.
type spectrum struct {
	m       *regressor.Model
	samples int
	motion  [3][][]float64 // q, dq, ddq: [joint][sample]
	w       [][]float64    // regressor, joints below each other: [column][row]
	norms   []float64      // of the columns
	sigma   []float64      // singular values, descending
	v       mat.Dense      // right singular vectors
	ws      *regressor.Workspace
	block   *regressor.Block
	cols    [][]float64 // what the factor consumes
	y       []float64
	factor  *triangle.Factor
	work    triangle.Work
}

func newSpectrum(m *regressor.Model, samples int) *spectrum {
	joints, n := m.Joints(), len(m.Columns())
	e := &spectrum{m: m, samples: samples, ws: m.NewWorkspace(), block: m.NewBlock(samples),
		factor: triangle.New(n), y: make([]float64, joints*samples), norms: make([]float64, n),
		w: grid(n, joints*samples), cols: grid(n, joints*samples)}
	for k := range e.motion {
		e.motion[k] = grid(joints, samples)
	}
	return e
}

func grid(n, m int) [][]float64 {
	g := make([][]float64, n)
	for i := range g {
		g[i] = make([]float64, m)
	}
	return g
}

// rows evaluates the regressor along the motion.
func (e *spectrum) rows() {
	e.m.Eval(e.block, e.motion[0], e.motion[1], e.motion[2], e.ws)
	for k := range e.m.Joints() {
		for i, c := range e.m.Mask(k) {
			copy(e.w[c][k*e.samples:], e.block.Joint[k][i])
		}
	}
}

// reduce factors the rows with columns of unit norm and returns false where a
// column is zero or not finite.
func (e *spectrum) reduce() bool {
	for c, w := range e.w {
		e.norms[c] = floats.Norm(w, 2)
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

// singular computes the singular values of the factor, and the right vectors
// if asked for.
func (e *spectrum) singular(vectors bool) bool {
	n := e.factor.N
	kind := mat.SVDNone
	if vectors {
		kind = mat.SVDThinV
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, n, e.factor.R), kind) {
		return false
	}
	e.sigma = svd.Values(nil)
	if vectors {
		e.v.Reset()
		svd.VTo(&e.v)
	}
	return true
}

// condition returns the scaled condition number along the motion, +Inf where
// columns are not excited.
func (e *spectrum) condition() float64 {
	e.rows()
	if !e.reduce() || !e.singular(false) {
		return math.Inf(1)
	}
	return ratio(e.sigma)
}

// unscale turns the factor of the scaled columns into that of the columns.
func (e *spectrum) unscale() {
	for c, v := range e.norms {
		for i := range c + 1 {
			e.factor.R[i*e.factor.N+c] *= v
		}
	}
}

func ratio(sigma []float64) float64 {
	small := sigma[len(sigma)-1]
	if !(small > 0) {
		return math.Inf(1)
	}
	return sigma[0] / small
}
