package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// judge fills in residual deviations, the correction for the samples'
// correlation and the covariance.
//
// Write the weighted rows of block b and joint j as Q_bj·R with R the stacked
// factor, so that Σ Q_bjᵀQ_bj = I, and P_bj = Q_bjᵀQ_bj. With residuals e the
// scores u_bj = Q_bjᵀ·e_bj have, for uncorrelated errors of unit variance,
//
//	E‖u_bj‖² = tr P_bj − tr P_bj²,   E u_bjᵀu_b'j = −tr P_bj·P_b'j.
//
// Correlated errors make the sum of ‖u_bj‖² + 2·u_bjᵀu_{b+1,j} over the blocks
// larger. As long as the correlation is shorter than a block, the sum holds
// every correlated pair of samples, and its ratio to the expectation above is
// the factor by which the variance of the estimate exceeds that of
// uncorrelated samples, averaged over the directions that joint j determines.
// Averaging over directions is what makes the factor precise: a sandwich with
// one variance for each direction (Liang and Zeger 1986) has the same mean but
// needs many more blocks than parameters.
func (r *Reduction) judge(s *Solution, joints []*triangle.Factor, solver *scaled) {
	root := solver.root()
	n, rank := root.Dims()
	nj := len(r.masks)
	s.Sigma, s.Inflation, s.Leverage = make([]float64, nj), make([]float64, nj), make([]float64, nj)
	s.Freedom = -float64(rank)
	middle := mat.NewSymDense(rank, nil) // Σ_j κ_j ρ_j P_j
	for k, f := range joints {
		q := whitened(f, r.masks[k], root, s.Weights[k])
		var p mat.SymDense
		p.SymOuterK(1, q.T())
		for i := range rank {
			s.Leverage[k] += p.At(i, i)
		}
		free := float64(s.Rows[k]) - s.Leverage[k]
		if free > 0 {
			s.Sigma[k] = math.Sqrt(residual(f, r.masks[k], s.X) / free)
		}
		unit := s.Sigma[k] * s.Weights[k] // deviation of a weighted residual
		s.Inflation[k] = r.inflation(k, s, root, unit)
		if unit > 0 {
			p.ScaleSym(s.Inflation[k]*unit*unit, &p)
			middle.AddSym(middle, &p)
		}
		s.Freedom += float64(s.Rows[k]) / s.Inflation[k]
	}
	s.Freedom = max(s.Freedom, 1)
	var half, cov mat.Dense
	half.Mul(root, middle)
	cov.Mul(&half, root.T())
	s.Covariance = make([][]float64, n)
	for i := range n {
		s.Covariance[i] = make([]float64, n)
		for j := range n {
			s.Covariance[i][j] = (cov.At(i, j) + cov.At(j, i)) / 2
		}
	}
}

// residual is ‖y − W·x‖² of a factor's rows.
func residual(f *triangle.Factor, mask []int, x []float64) float64 {
	sum := f.RSS
	for i := range f.N {
		d := f.Z[i]
		for j := i; j < f.N; j++ {
			d -= f.R[i*f.N+j] * x[mask[j]]
		}
		sum += d * d
	}
	return sum
}

// whitened returns the factor's weighted rows in the coordinates of root.
func whitened(f *triangle.Factor, mask []int, root *mat.Dense, weight float64) *mat.Dense {
	_, rank := root.Dims()
	if f.N == 0 {
		return mat.NewDense(1, rank, nil)
	}
	q := mat.NewDense(f.N, rank, nil)
	for i := range f.N {
		row := q.RawRowView(i)
		for j := i; j < f.N; j++ {
			v := weight * f.R[i*f.N+j]
			if v == 0 {
				continue
			}
			for c, b := range root.RawRowView(mask[j]) {
				row[c] += v * b
			}
		}
	}
	return q
}

// inflation is the variance factor of joint k: see judge. With too few blocks
// to tell, or a factor that uncorrelated samples would show as well, it is 1.
func (r *Reduction) inflation(k int, s *Solution, root *mat.Dense, unit float64) float64 {
	_, rank := root.Dims()
	if unit == 0 || len(r.blocks) < 4 {
		return 1
	}
	var sum, expect, spread float64
	var before *mat.Dense
	var u0 []float64
	run := -1
	for _, b := range r.blocks {
		f := b.Joints[k]
		if f.Rows == 0 {
			before = nil
			continue
		}
		q := whitened(f, r.masks[k], root, s.Weights[k])
		u := make([]float64, rank)
		for i := range f.N {
			d := f.Z[i]
			for j := i; j < f.N; j++ {
				d -= f.R[i*f.N+j] * s.X[r.masks[k][j]]
			}
			for c, v := range q.RawRowView(i) {
				u[c] += v * s.Weights[k] * d
			}
		}
		var gram mat.Dense
		gram.Mul(q, q.T())
		square := sumSquares(&gram)
		for _, v := range u {
			sum += v * v
		}
		expect += mat.Trace(&gram) - square
		spread += 2 * square
		if before != nil && b.Run == run {
			var cross mat.Dense
			cross.Mul(before, q.T())
			c := sumSquares(&cross)
			for i, v := range u {
				sum += 2 * u0[i] * v
			}
			expect -= 2 * c
			spread += 4 * c
		}
		before, u0, run = q, u, b.Run
	}
	if !(expect > 0) {
		return 1
	}
	factor := sum / (expect * unit * unit)
	// For uncorrelated Gaussian errors the factor has about this deviation
	// around one; within two of it there is nothing to correct.
	if deviation := math.Sqrt(spread) / expect; math.Abs(factor-1) < 2*deviation {
		return 1
	}
	// Residuals that alternate, as after a differentiation, may make the
	// factor small; a tenth is as far as it is believed.
	return max(factor, 0.1)
}

func sumSquares(m *mat.Dense) float64 {
	sum := 0.0
	for _, v := range m.RawMatrix().Data {
		sum += v * v
	}
	return sum
}
