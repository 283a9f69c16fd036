package conic

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// MatrixDual returns the dual of X − εI of block k, a Semidefinite one.
func (h *Solver) MatrixDual(k int) Sym4 { return h.scalings[k].bound.z }

// BoundDual returns the dual of x ≥ 0 of block k, a Nonnegative one.
func (h *Solver) BoundDual(k int) float64 { return h.scalings[k].low.z }

// ConstraintDual returns the dual of constraint k, of which a constraint of one
// row has the first entry alone.
func (h *Solver) ConstraintDual(k int) (z [4]float64) {
	if h.p.Constraints[k].Size == 1 {
		z[0] = h.nonneg[h.coneIndex[k]].z
		return z
	}
	return h.cones[h.coneIndex[k]].z
}

// VarianceReduction returns, of each measured row, the part of its variance from
// the data alone that prior and constraints take away at the present point, the
// diagonal of Cov·M⁻¹·Cov over that of Cov; nil where M cannot be factorised.
func (h *Solver) VarianceReduction() []float64 {
	p := h.p
	p.AffineMap(h.affine, h.Z)
	if h.updateScalings() != nil || h.factorise() != nil {
		return nil
	}
	n, m := p.Measured, len(p.Offset)
	half := mat.NewDense(m, n, nil) // U⁻ᵀ·D·Cov, M = (U·D⁻¹)ᵀ·(U·D⁻¹)
	for i := range n {
		for j := range n {
			half.Set(i, j, h.unit[i]*p.covariance.At(i, j))
		}
	}
	r := h.newton.RawSymmetric()
	blas64.Trsm(blas.Left, blas.Trans, 1, blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: m, Data: r.Data, Stride: r.Stride}, half.RawMatrix())
	part := make([]float64, n)
	for k := range part {
		sum := 0.0
		for i := range m {
			v := half.At(i, k)
			sum += v * v
		}
		if v := p.covariance.At(k, k); v > 0 {
			part[k] = min(sum/v, 1)
		}
	}
	return part
}
