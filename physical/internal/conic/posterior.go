package conic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// NewSolverAt does what NewSolver does, but starts at z, which must be inside all cones. If the minimum is near z, it
// takes fewer steps.
func NewSolverAt(p *Program, z []float64) *Solver {
	h := NewSolver(p)
	copy(h.Z, z)
	p.AffineMap(h.affine, h.Z)
	p.Gradient(h.y, h.affine)
	h.initialiseDuals(warmBarrier)
	return h
}

// warmBarrier is the barrier weight of a start near a minimum, in half squared deviations for each degree of the cones.
const warmBarrier = 1e-2

// Form is a linear form of a program's variables, Σ Coefficients[i]·z of block Blocks[i].
type Form struct {
	Blocks       []int
	Coefficients [][10]float64
}

// Posterior is the inverse of the Hessian of the whole objective, barriers included, at the present point of a solver: the covariance
// of the variables to second order, where the objective is minus the logarithm of their density.
type Posterior struct {
	h    *Solver
	rows []int // that take part
	m    blas64.Triangular
}

// Posterior returns the covariance at the present point with the rows for which keep is true, or with all where it is nil. A solver
// has one Posterior at a time: the next Minimise or Posterior overwrites its factors.
func (h *Solver) Posterior(keep func(row int) bool) (*Posterior, error) {
	p := h.p
	p.AffineMap(h.affine, h.Z)
	if err := h.updateScalings(); err != nil {
		return nil, err
	}
	if err := h.factorise(); err != nil {
		return nil, err
	}
	out := &Posterior{h: h}
	place := make([]int, len(p.Offset))
	for i := range p.Offset {
		place[i] = -1
		if keep == nil || keep(i) {
			place[i] = len(out.rows)
			out.rows = append(out.rows, i)
		}
	}
	n := len(out.rows)
	out.m = blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Stride: max(n, 1), Data: make([]float64, n*n)}
	m := out.m.Data
	for a, i := range out.rows {
		for b := a; b < n; b++ {
			if j := out.rows[b]; j < p.Measured {
				m[a*n+b] = p.covariance.At(i, j)
			}
		}
	}
	for k, s := range p.Constraints {
		if place[s.At] < 0 {
			continue
		}
		for a := range s.Size {
			for b := a; b < s.Size; b++ {
				m[place[s.At+a]*n+place[s.At+b]] = h.constraintVariance(k, a, b)
			}
		}
	}
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		for i, row := range b.Rows {
			for j := range i + 1 {
				if from, to := place[b.Rows[j]], place[row]; from >= 0 && to >= 0 {
					m[from*n+to] += dot10(&c.reducedRows[i], &c.reducedRows[j], b.Size)
				}
			}
		}
	}
	if n == 0 {
		return out, nil
	}
	if _, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: m}); !ok {
		return nil, fmt.Errorf("the standard deviations of the bodies cannot be computed: their covariance is singular to rounding")
	}
	return out, nil
}

// constraintVariance is entry a, b of the inverse Hessian of a constraint's barrier.
func (h *Solver) constraintVariance(k, a, b int) float64 {
	if h.p.Constraints[k].Size == 1 {
		v := &h.nonneg[h.coneIndex[k]]
		return v.s / v.z
	}
	v, sum := &h.cones[h.coneIndex[k]], 0.0
	for c := range 4 {
		sum += v.w[a][c] * v.w[c][b]
	}
	return sum
}

func dot10(a, b *[10]float64, n int) float64 {
	sum := 0.0
	for i := range n {
		sum += a[i] * b[i]
	}
	return sum
}

// Deviation returns the standard deviation of a form.
func (p *Posterior) Deviation(f *Form) float64 {
	total, along := 0.0, make([]float64, len(p.h.p.Offset))
	for i, k := range f.Blocks {
		b, c := &p.h.p.Blocks[k], &p.h.scalings[k]
		var reduced [10]float64
		if b.Kind == Semidefinite {
			c.reduceRow(&f.Coefficients[i], &reduced)
		} else {
			reduced[0] = f.Coefficients[i][0] / c.chol[0][0]
		}
		total += dot10(&reduced, &reduced, b.Size)
		for j, row := range b.Rows {
			along[row] += dot10(&c.reducedRows[j], &reduced, b.Size)
		}
	}
	v := blas64.Vector{N: len(p.rows), Inc: 1, Data: make([]float64, len(p.rows))}
	for i, row := range p.rows {
		v.Data[i] = along[row]
	}
	if v.N > 0 {
		blas64.Trsv(blas.Trans, p.m, v)
		total -= blas64.Dot(v, v)
	}
	return math.Sqrt(max(total, 0))
}

// DataShare returns, of each of the first n measured rows, the diagonal of I − (RᵀR)⁻¹·M⁻¹: its share of the degrees of freedom that
// the data decide. Their sum is the trace of the matrix that maps the data onto the fit. All rows must take part.
func (p *Posterior) DataShare(n int) []float64 {
	m := p.m.N
	inv := mat.NewDense(m, n, nil) // M⁻¹ of the first n columns
	for i := range n {
		inv.Set(i, i, 1)
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, p.m, inv.RawMatrix())
	blas64.Trsm(blas.Left, blas.NoTrans, 1, p.m, inv.RawMatrix())
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
		for j := range n {
			out[i] -= p.h.p.covariance.At(i, j) * inv.At(j, i)
		}
	}
	return out
}
