package conic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Kind is the cone of a block's variables.
type Kind int

const (
	Semidefinite Kind = iota // a symmetric 4×4 matrix X ⪰ εI in ten variables
	Nonnegative              // a number x ≥ 0
	Free                     // a number of any sign
)

// Block is a group of variables, its coefficients in the affine map,
// row Rows[i] = … + Σ_k Coefficients[i][k]·z[At+k], and its prior.
type Block struct {
	Kind         Kind
	At           int
	Size         int
	Rows         []int // ascending
	Coefficients [][10]float64
	Weight       float64 // w of the prior
	PriorKnown   bool    // the source of the prior gives a value; not used by the solver
	// Quadratic is the prior; nil is the log-determinant divergence.
	Quadratic *Quadratic
}

// Quadratic is ½‖F·(z − c)‖². The factor keeps the digits of soft directions
// beside stiff ones, which the product FᵀF would lose.
type Quadratic struct {
	F      [10][10]float64
	Centre [10]float64
}

// UnitQuadratic is ½‖z − c‖².
func UnitQuadratic(c ...float64) *Quadratic {
	q := new(Quadratic)
	copy(q.Centre[:], c)
	for i := range q.F {
		q.F[i][i] = 1
	}
	return q
}

// deviation returns F·(z − c).
func (q *Quadratic) deviation(z []float64) (out [10]float64) {
	for i := range z {
		for j, v := range z {
			out[i] += q.F[i][j] * (v - q.Centre[j])
		}
	}
	return out
}

// gradient returns Fᵀ·F·(z − c).
func (q *Quadratic) gradient(z []float64) (out [10]float64) {
	for i, v := range q.deviation(z) {
		for j := range z {
			out[j] += q.F[i][j] * v
		}
	}
	return out
}

func (q *Quadratic) value(z []float64) float64 {
	sum := 0.0
	for _, v := range q.deviation(z) {
		sum += v * v / 2
	}
	return sum
}

// AddRow appends the coefficients m of the block's variables in a row of the affine
// map. Rows come in ascending order.
func (b *Block) AddRow(row int, m [10]float64) {
	b.Rows, b.Coefficients = append(b.Rows, row), append(b.Coefficients, m)
}

// Variables returns the block's part of z, without a copy.
func (b *Block) Variables(z []float64) []float64 { return z[b.At : b.At+b.Size] }

// Divergence returns D: tr X − 4 − log det X for a matrix, x − 1 − log x for a number,
// or the block's quadratic.
func (b *Block) Divergence(z []float64) float64 {
	part := b.Variables(z)
	if b.Quadratic != nil {
		return b.Quadratic.value(part)
	}
	if b.Kind == Nonnegative {
		return part[0] - 1 - math.Log(part[0])
	}
	s := Sym4(part)
	e := NewEigen(&s)
	return e.divergence()
}

// slope returns the divergence and its gradient.
func (b *Block) slope(z []float64) (divergence float64, out [10]float64) {
	part := b.Variables(z)
	if b.Quadratic != nil || b.Kind == Nonnegative {
		if b.Quadratic != nil {
			out = b.Quadratic.gradient(part)
		} else {
			out[0] = 1 - 1/part[0]
		}
		return b.Divergence(z), out
	}
	s := Sym4(part)
	e := NewEigen(&s)
	var v Sym4
	for i := range 4 {
		v[i] = 1 - 1/e.Values[i]
	}
	t := Transpose(&e.Rows)
	return e.divergence(), Congruence(&t, &v)
}

// divergence is tr X − 4 − log det X of the matrix.
func (e *Eigen) divergence() (sum float64) {
	for _, v := range e.Values {
		sum += v - 1 - math.Log(v)
	}
	return sum
}

// dualDecrease bounds the decrease of w·D − ⟨A, z⟩ to its minimum from a point with the
// gradient r, given square = rᵀ·(D″)⁻¹·r.
func (b *Block) dualDecrease(square float64) float64 {
	if b.Quadratic != nil {
		return square / b.Weight / 2
	}
	delta := math.Sqrt(square) / b.Weight
	switch {
	case !(delta < 1):
		return math.Inf(1)
	case delta < 1e-3: // ω(δ) cancels there: its first term, times a bound on the others
		return b.Weight * delta * delta / 2 * (1 + delta)
	}
	return b.Weight * (-delta - math.Log1p(-delta))
}

// dualNormSquared returns rᵀ·(D″)⁻¹·r for the Hessian D″ of the block's divergence.
func (b *Block) dualNormSquared(z []float64, r *[10]float64) float64 {
	part := b.Variables(z)
	if b.Quadratic == nil {
		if b.Kind == Nonnegative {
			return part[0] * part[0] * r[0] * r[0]
		}
		s, v := Sym4(part), Sym4(*r)
		x, f := s.Matrix(), v.Matrix()
		t := Mul(&x, &f)
		sum := 0.0
		for i := range 4 {
			for j := range 4 {
				sum += t[i][j] * t[j][i]
			}
		}
		return sum
	}
	// rᵀ·(FᵀF)⁻¹·r = ‖F⁻ᵀ·r‖².
	n := b.Size
	if n == 1 {
		x := r[0] / b.Quadratic.F[0][0]
		return x * x
	}
	f, x := mat.NewDense(n, n, nil), mat.NewVecDense(n, append([]float64(nil), r[:n]...))
	for i := range n {
		f.SetRow(i, b.Quadratic.F[i][:n])
	}
	var lu mat.LU
	lu.Factorize(f)
	if err := lu.SolveVecTo(x, true, x); err != nil {
		if _, ok := err.(mat.Condition); !ok || lu.Det() == 0 {
			return math.Inf(1)
		}
	}
	return mat.Dot(x, x)
}
