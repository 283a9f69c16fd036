package estimate

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// FreedomFactor returns n/(n − p), the factor by which squared residuals are too small, for n independent samples and p
// parameters.
func FreedomFactor(s *Solution) float64 {
	independent := independentSamples(s)
	return independent / math.Max(independent-float64(len(s.X)), 1)
}

// Resolution returns the change of x[k] for which ‖W·dx‖ = part·‖y‖. The estimate must minimise a sum of squares.
func Resolution(s *Solution, k int, part float64) float64 {
	f := s.Stack
	column := 0.0
	for i := range k + 1 {
		column = math.Hypot(column, f.R[i*f.N+k])
	}
	if column == 0 {
		return 0
	}
	return part * math.Sqrt(f.YY) / column
}

// Influences returns, for each time block, how far its rows move the estimate s,
//
//	ψ_b = (RᵀR)⁻¹ Σ_j w_j²·W_bjᵀ(y_bj − W_bj·x)
//
// s must be a least-squares estimate of these rows with full rank.
func (r *Reduction) Influences(s *Solution) [][]float64 {
	n := len(s.X)
	triangle := blas64.Triangular{N: n, Stride: n, Data: s.Stack.R, Uplo: blas.Upper, Diag: blas.NonUnit}
	masks := r.masks
	var out [][]float64
	for _, b := range r.blocks {
		psi := make([]float64, n)
		for k, f := range b.Joints {
			w := s.Weights[k] * s.Weights[k]
			for i := range f.N {
				residual := f.Z[i]
				for j := i; j < f.N; j++ {
					residual -= f.R[i*f.N+j] * s.X[masks[k][j]]
				}
				for j := i; j < f.N; j++ {
					psi[masks[k][j]] += w * f.R[i*f.N+j] * residual
				}
			}
		}
		// Solve Rᵀ·u = score, then R·ψ = u.
		v := blas64.Vector{N: n, Inc: 1, Data: psi}
		blas64.Trsv(blas.Trans, triangle, v)
		blas64.Trsv(blas.NoTrans, triangle, v)
		out = append(out, psi)
	}
	return out
}
