package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// program is the convex problem
//
//	minimise ½‖R·(C·z + offset)‖² + Σ w_b·D(z_b)   subject to X_b ⪰ εI, x_b ≥ 0, S·z + s₀ in cones
//
// over blocks z_b of bodies, positive and free numbers (type block). The rows
// of C, the measured numbers, come first in the blocks' rows; those of S, which
// only the constraints know, follow.
type program struct {
	blocks []block
	size   int       // of z
	offset []float64 // of C, then of S
	sides  []side
	root   blas64.Triangular // R, upper
	cov    *mat.SymDense     // (RᵀR)⁻¹
	margin float64           // ε

	measured int // rows of C
	degree   float64
}

// side is a constraint on some numbers of S: one that is not negative, or four
// in the second-order cone.
type side struct {
	at, size int
	label    string // in words
}

// finish computes what follows from blocks, sides and root.
func (p *program) finish() error {
	p.measured = len(p.offset)
	for _, s := range p.sides {
		p.measured -= s.size
	}
	n := p.measured
	p.degree = float64(len(p.sides))
	for _, b := range p.blocks {
		p.degree += [...]float64{body: 4, positive: 1, free: 0}[b.kind]
	}
	inv := mat.NewTriDense(n, mat.Upper, nil)
	r := mat.NewTriDense(n, mat.Upper, p.root.Data)
	// A condition number that is high is reported by the solution; what is
	// not finite would go on silently.
	if err := inv.InverseTri(r); err != nil {
		if c, ok := err.(mat.Condition); !ok || math.IsInf(float64(c), 1) {
			return fmt.Errorf("the factor of the rows cannot be inverted: %w", err)
		}
	}
	p.cov = mat.NewSymDense(n, nil)
	p.cov.SymOuterK(1, inv)
	return nil
}

// prior is every body and number at its prior.
func (p *program) prior() []float64 {
	z := make([]float64, p.size)
	for _, b := range p.blocks {
		switch b.kind {
		case body:
			z[b.at], z[b.at+1], z[b.at+2], z[b.at+3] = 1, 1, 1, 1
		case positive:
			z[b.at] = 1
		}
	}
	return z
}

// numbers sets e to C·z + offset, S·z + s₀.
func (p *program) numbers(e, z []float64) {
	copy(e, p.offset)
	p.addProduct(e, z)
}

func (p *program) addProduct(e, z []float64) {
	for k := range p.blocks {
		b := &p.blocks[k]
		part := b.part(z)
		for i, row := range b.rows {
			m := b.m[i][:len(part)]
			sum := 0.0
			for c, v := range part {
				sum += m[c] * v
			}
			e[row] += sum
		}
	}
}

// pull is what forces on the numbers do to a block: its part of Cᵀ·y.
func (b *block) pull(y []float64) (out [10]float64) {
	for i, row := range b.rows {
		f := y[row]
		for c := range b.size {
			out[c] += b.m[i][c] * f
		}
	}
	return out
}

// force sets y to RᵀR·e of the measured numbers and returns ½‖R·e‖².
func (p *program) force(y, e []float64) float64 {
	y = y[:p.measured]
	copy(y, e)
	v := blas64.Vector{N: len(y), Inc: 1, Data: y}
	blas64.Trmv(blas.NoTrans, p.root, v)
	sum := floats.Dot(y, y) / 2
	blas64.Trmv(blas.Trans, p.root, v)
	return sum
}

// objective is the value, and its data part.
func (p *program) objective(z []float64) (value, data float64) {
	e, y := make([]float64, len(p.offset)), make([]float64, p.measured)
	p.numbers(e, z)
	data = p.force(y, e)
	value = data
	for k := range p.blocks {
		b := &p.blocks[k]
		if b.weight > 0 {
			value += b.weight * b.divergence(z)
		}
	}
	return value, data
}

// lessCovariance subtracts (RᵀR)⁻¹·y from the measured numbers.
func (p *program) lessCovariance(e, y []float64) {
	n := p.measured
	blas64.Symv(-1, p.cov.RawSymmetric(), blas64.Vector{N: n, Inc: 1, Data: y[:n]}, 1, blas64.Vector{N: n, Inc: 1, Data: e[:n]})
}
