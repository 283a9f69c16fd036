package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// program is the convex problem
//
//	minimise ½‖R·(C·z + offset)‖² + w·Σ D(z_b)   subject to X_b ⪰ εI, x_b ≥ 0
//
// over blocks z_b of bodies, positive and free numbers (type block).
type program struct {
	blocks []block
	size   int // of z
	offset []float64
	root   blas64.Triangular // R, upper
	cov    *mat.SymDense     // (RᵀR)⁻¹
	margin float64           // ε

	degree float64 // of the barrier: four a body, one a positive number
}

// finish computes what follows from blocks and root.
func (p *program) finish() error {
	n := len(p.offset)
	p.degree = 0
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

// prior is the start: every body and number at its prior.
func (p *program) prior() []float64 {
	z := make([]float64, p.size)
	for _, b := range p.blocks {
		switch b.kind {
		case body:
			z[b.at], z[b.at+1], z[b.at+2], z[b.at+3] = 2, 2, 2, 2
		case positive:
			z[b.at] = 2
		}
	}
	return z
}

// miss is C·z + offset.
func (p *program) miss(z []float64) []float64 {
	e := append([]float64(nil), p.offset...)
	p.addProduct(e, z)
	return e
}

func (p *program) addProduct(e, z []float64) {
	for _, b := range p.blocks {
		for i, row := range b.rows {
			for k, v := range b.m[i*b.size : (i+1)*b.size] {
				e[row] += v * z[b.at+k]
			}
		}
	}
}

// whiten returns R·e.
func (p *program) whiten(e []float64) []float64 {
	out := append([]float64(nil), e...)
	blas64.Trmv(blas.NoTrans, p.root, blas64.Vector{N: len(out), Inc: 1, Data: out})
	return out
}

// objective is the value without the barrier.
func (p *program) objective(z []float64, w float64) float64 {
	r := p.whiten(p.miss(z))
	sum := floats.Dot(r, r) / 2
	for _, b := range p.blocks {
		sum += w * b.divergence(z)
	}
	return sum
}

// measured returns M = (RᵀR)⁻¹ + C·B⁻¹·Cᵀ, upper triangle, where B is the
// curvature of prior and barrier.
func (p *program) measured(at []local) *mat.SymDense {
	n := len(p.offset)
	m := mat.NewSymDense(n, append([]float64(nil), p.cov.RawSymmetric().Data...))
	data := m.RawSymmetric().Data
	var w []float64
	for k := range p.blocks {
		b, l := &p.blocks[k], &at[k]
		var scale [10]float64
		for i := range b.size {
			scale[i] = 1 / math.Sqrt(l.curvature[i])
		}
		w = w[:0]
		for i, row := range b.rows {
			v := b.turn(l, b.m[i*b.size:(i+1)*b.size])
			for c := range b.size {
				v[c] *= scale[c]
			}
			w = append(w, v[:b.size]...)
			for j := range i + 1 {
				// Rows ascend, so the entry is in the upper triangle.
				o := w[j*b.size : (j+1)*b.size]
				sum := 0.0
				for c, x := range o {
					sum += x * v[c]
				}
				data[b.rows[j]*n+row] += sum
			}
		}
	}
	return m
}

// step is one Newton direction and its decrement: the square root of twice
// what the second-order model gains.
type step struct {
	z         []float64
	numbers   []float64 // C·z
	decrement float64
}

// newton solves for the step of ½‖R·(C·z + offset)‖² + ν·D + μ·φ. With B block
// diagonal and its inverse known in closed form (X·G·X for the log-determinant
// alone), the system is one of the measured numbers:
//
//	((RᵀR)⁻¹ + C·B⁻¹·Cᵀ)·y = e − C·B⁻¹·g,   d = −B⁻¹·(g + Cᵀ·y)
//
// It never forms CᵀRᵀRC, whose null space, what no data determine, would drown in
// the rounding of its large entries.
func (p *program) newton(e []float64, at []local) (*step, error) {
	n := len(e)
	m := p.measured(at)
	scale := make([]float64, n) // to a unit diagonal: the numbers' units differ
	for i := range n {
		scale[i] = 1 / math.Sqrt(m.At(i, i))
	}
	for i := range n {
		row := m.RawSymmetric().Data[i*n : (i+1)*n]
		for j := i; j < n; j++ {
			row[j] *= scale[i] * scale[j]
		}
	}
	// Straight from LAPACK: mat.Cholesky would estimate a condition number at
	// the price of half a factorisation.
	chol, ok := lapack64.Potrf(m.RawSymmetric())
	if !ok {
		return nil, fmt.Errorf("the Newton system is not positive definite to rounding: the data's condition number is too high")
	}
	slopes := make([][10]float64, len(at))
	for k := range at {
		slopes[k] = at[k].slope
	}
	s := &step{z: make([]float64, p.size), numbers: make([]float64, n)}
	// The forces of the measured numbers on what the data leave open cancel,
	// and lose digits; the residual of the whole system brings them back.
	ahead := e
	for range 1 + refinements {
		p.solve(s, ahead, slopes, at, chol, scale)
		ahead = append([]float64(nil), e...)
		floats.Add(ahead, s.numbers)
		force := p.whiten(ahead)
		blas64.Trmv(blas.Trans, p.root, blas64.Vector{N: n, Inc: 1, Data: force})
		for k := range p.blocks {
			b, l := &p.blocks[k], &at[k]
			v := b.turn(l, s.z[b.at:b.at+b.size])
			pull := b.pull(l, force)
			for i := range b.size {
				slopes[k][i] = l.slope[i] + l.curvature[i]*v[i] + pull[i]
			}
		}
		ahead = make([]float64, n)
	}
	gain := 0.0
	for k := range p.blocks {
		b, l := &p.blocks[k], &at[k]
		v := b.turn(l, s.z[b.at:b.at+b.size])
		for i := range b.size {
			gain += l.curvature[i] * v[i] * v[i]
		}
	}
	r := p.whiten(s.numbers)
	s.decrement = math.Sqrt(gain + floats.Dot(r, r))
	return s, nil
}

// refinements of a Newton step.
const refinements = 2

// pull is Cᵀ·y of a block, in the coordinates of l.
func (b *block) pull(l *local, y []float64) [10]float64 {
	var v [10]float64
	for i, row := range b.rows {
		for c, m := range b.m[i*b.size : (i+1)*b.size] {
			v[c] += m * y[row]
		}
	}
	return b.turn(l, v[:])
}

// solve adds to s the solution for the miss e and the slopes.
func (p *program) solve(s *step, e []float64, slopes [][10]float64, at []local, chol blas64.Triangular, scale []float64) {
	n := len(e)
	y := append([]float64(nil), e...)
	for k := range p.blocks {
		b, l := &p.blocks[k], &at[k]
		var g [10]float64
		for i := range b.size {
			g[i] = slopes[k][i] / l.curvature[i]
		}
		g = b.back(l, &g)
		for i, row := range b.rows {
			y[row] -= floats.Dot(b.m[i*b.size:(i+1)*b.size], g[:b.size])
		}
	}
	floats.Mul(y, scale)
	lapack64.Potrs(chol, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: y})
	floats.Mul(y, scale)
	for k := range p.blocks {
		b, l := &p.blocks[k], &at[k]
		d := b.pull(l, y)
		for i := range b.size {
			d[i] = -(slopes[k][i] + d[i]) / l.curvature[i]
		}
		d = b.back(l, &d)
		floats.Add(s.z[b.at:b.at+b.size], d[:b.size])
	}
	clear(s.numbers)
	p.addProduct(s.numbers, s.z)
}

// evaluate returns every block's curvature at z, and false outside.
func (p *program) evaluate(z []float64, nu, mu float64) ([]local, bool) {
	at := make([]local, len(p.blocks))
	for k := range p.blocks {
		var inside bool
		if at[k], inside = p.blocks[k].evaluate(z, nu, mu, p.margin); !inside {
			return nil, false
		}
	}
	return at, true
}

// slope is the derivative of the merit function at z along a step.
func (p *program) slope(at []local, e []float64, s *step) float64 {
	r, d := p.whiten(e), p.whiten(s.numbers)
	sum := floats.Dot(r, d)
	for k := range p.blocks {
		b, l := &p.blocks[k], &at[k]
		v := b.turn(l, s.z[b.at:b.at+b.size])
		for i := range min(b.size, 4) {
			sum += l.slope[i] * v[i]
		}
	}
	return sum
}
