package excite

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
	"ident/regressor"
)

// spectrum computes the singular values of a model's rows along a motion,
// weighted, together with rows that are known before; one goroutine's own.
type spectrum struct {
	m       *regressor.Model
	samples int
	use     []int          // columns of the model that the criterion looks at
	place   []int          // of a column of the model in use, -1 for none
	weight  []float64      // of a joint's rows
	motion  [3][][]float64 // q, dq, ddq: [joint][sample]
	w       [][]float64    // weighted rows, joints below each other, then known: [use][row]
	norms   []float64      // what the columns are divided by
	fixed   []float64      // if set, the norms
	sigma   []float64      // singular values, descending
	v       mat.Dense      // right singular vectors
	ws      *regressor.Workspace
	block   *regressor.Block
	cols    [][]float64 // what the factor consumes
	y       []float64
	factor  *triangle.Factor
	work    triangle.Work
}

func newSpectrum(m *regressor.Model, samples int, use []int, weight []float64, known [][]float64) *spectrum {
	if use == nil {
		for c := range m.Columns() {
			use = append(use, c)
		}
	}
	joints, n := m.Joints(), len(use)
	rows := joints*samples + len(known)
	e := &spectrum{m: m, samples: samples, use: use, weight: weight, ws: m.NewWorkspace(), block: m.NewBlock(samples),
		factor: triangle.New(n), y: make([]float64, rows), norms: make([]float64, n), w: grid(n, rows), cols: grid(n, rows)}
	e.place = make([]int, len(m.Columns()))
	for c := range e.place {
		e.place[c] = -1
	}
	for i, c := range use {
		e.place[c] = i
		for k, row := range known {
			e.w[i][joints*samples+k] = row[c]
		}
	}
	for k := range e.motion {
		e.motion[k] = grid(joints, samples)
	}
	if weight == nil {
		e.weight = make([]float64, joints)
		for k := range e.weight {
			e.weight[k] = 1
		}
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
}

// gather weighs the block's rows.
func (e *spectrum) gather() {
	for k := range e.m.Joints() {
		for a, c := range e.m.Mask(k) {
			if i := e.place[c]; i >= 0 {
				floats.ScaleTo(e.w[i][k*e.samples:(k+1)*e.samples], e.weight[k], e.block.Joint[k][a])
			}
		}
	}
}

// reduce factors the rows with scaled columns and returns false where a column
// is zero or not finite.
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

// singular computes the singular values of the factor, and the right vectors
// if asked for.
func (e *spectrum) singular(vectors bool) bool {
	n := e.factor.N
	kind := mat.SVDNone
	if vectors {
		kind = mat.SVDThinV
	}
	var svd mat.SVD
	for _, x := range e.factor.R {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
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
	e.gather()
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

// deviations returns the standard deviation of each column's parameter, for
// rows of unit noise, from the singular values and vectors at hand.
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

func ratio(sigma []float64) float64 {
	small := sigma[len(sigma)-1]
	if !(small > 0) {
		return math.Inf(1)
	}
	return sigma[0] / small
}
