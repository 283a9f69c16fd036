package conic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Program is the problem that the package comment states. The rows of C, the measured
// rows, come first in the affine map, those of S follow: a block's Rows and an
// Offset count through both.
type Program struct {
	Blocks      []Block
	Size        int       // length of z
	Offset      []float64 // c₀, then s₀
	Constraints []Constraint
	Factor      blas64.Triangular // R, upper
	covariance  *mat.SymDense     // (RᵀR)⁻¹
	Margin      float64           // ε

	Measured int // rows of C
	degree   float64
}

// Constraint holds rows At to At+Size−1 of the affine map in a cone: one row is not
// negative, four are in the second-order cone.
type Constraint struct {
	At, Size int
	Label    string // for messages
}

// Prepare computes the degree of the cones and (RᵀR)⁻¹ from the exported fields. It is
// called once, before NewSolver.
func (p *Program) Prepare() error {
	p.Measured = len(p.Offset)
	for _, s := range p.Constraints {
		p.Measured -= s.Size
	}
	n := p.Measured
	p.degree = float64(len(p.Constraints))
	for _, b := range p.Blocks {
		p.degree += [...]float64{Semidefinite: 4, Nonnegative: 1, Free: 0}[b.Kind]
	}
	inv := mat.NewTriDense(n, mat.Upper, nil)
	r := mat.NewTriDense(n, mat.Upper, p.Factor.Data)
	// The solution reports a high condition number; an infinite one would yield NaN
	// without an error.
	if err := inv.InverseTri(r); err != nil {
		if c, ok := err.(mat.Condition); !ok || math.IsInf(float64(c), 1) {
			return fmt.Errorf("the factor of the rows cannot be inverted: %w", err)
		}
	}
	p.covariance = mat.NewSymDense(n, nil)
	p.covariance.SymOuterK(1, inv)
	return nil
}

// SetFactor sets the diagonal entry f of R of a measured row that R joins to no other row, before or after Prepare.
func (p *Program) SetFactor(row int, f float64) {
	p.Factor.Data[row*p.Factor.Stride+row] = f
	if p.covariance != nil {
		inv := 1 / f
		p.covariance.SetSym(row, row, inv*inv)
	}
}

// start returns X = I for every matrix, one for every Nonnegative number, zero for the
// free ones.
func (p *Program) start() []float64 {
	z := make([]float64, p.Size)
	for _, b := range p.Blocks {
		switch b.Kind {
		case Semidefinite:
			z[b.At], z[b.At+1], z[b.At+2], z[b.At+3] = 1, 1, 1, 1
		case Nonnegative:
			z[b.At] = 1
		}
	}
	return z
}

// AffineMap sets e to C·z + c₀ and S·z + s₀.
func (p *Program) AffineMap(e, z []float64) {
	copy(e, p.Offset)
	p.addLinear(e, z)
}

func (p *Program) addLinear(e, z []float64) {
	for k := range p.Blocks {
		b := &p.Blocks[k]
		part := b.Variables(z)
		for i, row := range b.Rows {
			m := b.Coefficients[i][:len(part)]
			sum := 0.0
			for c, v := range part {
				sum += m[c] * v
			}
			e[row] += sum
		}
	}
}

// Adjoint returns the block's part of (C;S)ᵀ·y.
func (b *Block) Adjoint(y []float64) (out [10]float64) {
	for i, row := range b.Rows {
		f := y[row]
		for c := range b.Size {
			out[c] += b.Coefficients[i][c] * f
		}
	}
	return out
}

// Gradient sets y to RᵀR·e, the gradient of ½‖R·e‖² over the measured rows, and
// returns ½‖R·e‖².
func (p *Program) Gradient(y, e []float64) float64 {
	y = y[:p.Measured]
	copy(y, e)
	v := blas64.Vector{N: len(y), Inc: 1, Data: y}
	blas64.Trmv(blas.NoTrans, p.Factor, v)
	sum := floats.Dot(y, y) / 2
	blas64.Trmv(blas.Trans, p.Factor, v)
	return sum
}

// Objective returns the value at z, and its least-squares part.
func (p *Program) Objective(z []float64) (value, data float64) {
	e, y := make([]float64, len(p.Offset)), make([]float64, p.Measured)
	p.AffineMap(e, z)
	data = p.Gradient(y, e)
	value = data
	for k := range p.Blocks {
		b := &p.Blocks[k]
		if b.Weight > 0 {
			value += b.Weight * b.Divergence(z)
		}
	}
	return value, data
}

// subtractCovariance subtracts (RᵀR)⁻¹·y from the measured rows of e.
func (p *Program) subtractCovariance(e, y []float64) {
	n := p.Measured
	blas64.Symv(-1, p.covariance.RawSymmetric(), blas64.Vector{N: n, Inc: 1, Data: y[:n]}, 1, blas64.Vector{N: n, Inc: 1, Data: e[:n]})
}
