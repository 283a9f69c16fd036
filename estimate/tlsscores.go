package estimate

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// totalInflation returns the factor by which the variance of a total least-squares
// estimate exceeds that of independent rows, from the scores of the time blocks,
//
//	u_b = W_bᵀ·r_b + N²x·‖r_b‖²/(1 + ‖N·x‖²),    Σ_b u_b = 0
//
// with N the columns' errors. In the coordinates C^(-1/2)·A⁻¹, in which the printed
// covariance is one and A = RᵀR − rss·N², independent scores have the covariances
// F_b = C^(-1/2)A⁻¹·A_b·C^(1/2), and their common part has gone into the
// estimate: E u_b·u_c = δ·tr F_b − tr F_bF_c. The sum over neighbours is compared
// with that, as in the package comment.
func (r *Reduction) totalInflation(s *Solution, noise []float64, rss float64) float64 {
	n := r.columns
	if len(r.blocks) < fewestBlocks || rss == 0 {
		return 1
	}
	root := mat.NewTriDense(n, mat.Upper, s.Stack.R)
	var a, inv, whiten mat.Dense
	a.Mul(root.T(), root)
	square := 1.0
	for i, v := range noise {
		a.Set(i, i, a.At(i, i)-rss*v*v)
		square += v * v * s.X[i] * s.X[i]
	}
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, s.Covariance[i][j])
		}
	}
	var chol mat.Cholesky
	var lower, up mat.TriDense
	if inv.Inverse(&a) != nil || !chol.Factorize(cov) {
		return 1 // the covariance holds the same inverse: it is no better known
	}
	chol.LTo(&lower)
	if up.InverseTri(&lower) != nil {
		return 1
	}
	whiten.Mul(&up, &inv)
	var sum, expect float64
	before, score, u := make([]float64, n), make([]float64, n), make([]float64, n)
	var own, past, part mat.Dense // F of this block and of the one before
	for i, b := range r.blocks {
		clear(u)
		gram := mat.NewDense(n, n, nil) // A_b
		for k, f := range b.Joints {
			mask, w := r.masks[k], s.Weights[k]*s.Weights[k]
			left := f.RSS
			for row, d := range residuals(f, mask, s.X) {
				left += d * d
				for j := row; j < f.N; j++ {
					v := w * f.R[row*f.N+j]
					u[mask[j]] += v * d
					for l := row; l < f.N; l++ {
						gram.Set(mask[j], mask[l], gram.At(mask[j], mask[l])+v*f.R[row*f.N+l])
					}
				}
			}
			for j, v := range noise {
				u[j] += w * left * v * v * s.X[j] / square
				gram.Set(j, j, gram.At(j, j)-w*left*v*v/square)
			}
		}
		for j := range score {
			score[j] = floats.Dot(whiten.RawRowView(j), u)
		}
		part.Mul(&whiten, gram)
		own.Mul(&part, &lower)
		sum += floats.Dot(score, score)
		part.Mul(&own, &own)
		expect += mat.Trace(&own) - mat.Trace(&part)
		if i > 0 && r.blocks[i-1].Run == b.Run {
			sum += 2 * floats.Dot(before, score)
			part.Mul(&own, &past)
			expect -= 2 * mat.Trace(&part)
		}
		copy(before, score)
		past.CloneFrom(&own)
	}
	if !(expect > 0) {
		return 1
	}
	return max(sum/expect, leastInflation)
}
