package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// judge fills in residual deviations, the correction for the samples'
// correlation, the covariance and its freedom. See the package comment for the
// argument.
func (r *Reduction) judge(s *Solution, joints []*triangle.Factor, solver *scaledSVD) {
	root := solver.root()
	n, rank := root.Dims()
	nj := len(r.masks)
	s.Sigma, s.VarianceInflation, s.Leverage = make([]float64, nj), make([]float64, nj), make([]float64, nj)
	parts := make([]*mat.SymDense, nj) // P_j
	rss, unit := make([]float64, nj), make([]float64, nj)
	leak := mat.NewDense(rank, rank, nil) // M = Σ_j ν_j P_j
	for k, f := range joints {
		parts[k] = mat.NewSymDense(rank, nil)
		parts[k].SymOuterK(1, whitened(f, r.masks[k], root, s.Weights[k]).T())
		for i := range rank {
			s.Leverage[k] += parts[k].At(i, i)
		}
		rss[k] = s.Weights[k] * s.Weights[k] * residual(f, r.masks[k], s.X)
		if free := float64(s.Rows[k]) - s.Leverage[k]; free > 0 {
			unit[k] = rss[k] / free // variance of a weighted error, were the errors uncorrelated
		}
		var scaledPart mat.Dense
		scaledPart.Scale(unit[k], parts[k])
		leak.Add(leak, &scaledPart)
	}
	middle := mat.NewSymDense(rank, nil) // Σ_j κ_j ν_j P_j
	effective := -float64(rank)
	shares := make([][]float64, nj) // of joint j in each parameter's variance
	doubt := make([]float64, nj)
	for k := range joints {
		rows, lev := float64(s.Rows[k]), s.Leverage[k]
		s.VarianceInflation[k] = 1
		if score, spread, ok := jointScores(r, k, s, root, leak, unit[k]); ok {
			// The residuals lack the part in the span of the columns, κ·lev of rows
			// unit variances, and κ is the score's variance in their unit:
			// both conditions at once.
			s.VarianceInflation[k] = max(score*rows/(rss[k]+score*lev), leastInflation)
			doubt[k] = spread
		}
		if free := rows - s.VarianceInflation[k]*lev; free > 0 {
			unit[k] = rss[k] / free
			s.Sigma[k] = math.Sqrt(unit[k]) / s.Weights[k]
		}
		parts[k].ScaleSym(s.VarianceInflation[k]*unit[k], parts[k])
		middle.AddSym(middle, parts[k])
		effective += rows / s.VarianceInflation[k]
		var half mat.Dense
		half.Mul(root, parts[k])
		shares[k] = make([]float64, n)
		for i := range n {
			for c, v := range half.RawRowView(i) {
				shares[k][i] += v * root.At(i, c)
			}
		}
	}
	s.DegreesOfFreedom = make([]float64, n)
	for i := range n {
		var whole, relative float64
		for k := range shares {
			whole += shares[k][i]
			relative += doubt[k] * shares[k][i] * shares[k][i]
		}
		s.DegreesOfFreedom[i] = max(effective, 1)
		if whole > 0 {
			s.DegreesOfFreedom[i] = max(1/(1/s.DegreesOfFreedom[i]+relative/(2*whole*whole)), 1)
		}
	}
	var half, cov mat.Dense
	half.Mul(root, middle)
	cov.Mul(&half, root.T())
	s.Covariance = make([][]float64, n)
	for i := range n {
		s.Covariance[i] = make([]float64, n)
		for j := range n {
			s.Covariance[i][j] = (cov.At(i, j) + cov.At(j, i)) / 2
		}
		s.Covariance[i][i] = max(s.Covariance[i][i], 0)
	}
}

// leastInflation bounds κ from below. Residuals that alternate, as after a differentiation, make the factor
// small; factors below a tenth are less likely than errors of their estimate.
const leastInflation = 0.1

// residual is ‖y − W·x‖² of a factor's rows.
func residual(f *triangle.Factor, mask []int, x []float64) float64 {
	sum := f.RSS
	for _, d := range residuals(f, mask, x) {
		sum += d * d
	}
	return sum
}

// residuals returns Z − R·x.
func residuals(f *triangle.Factor, mask []int, x []float64) []float64 {
	d := append([]float64(nil), f.Z...)
	for i := range d {
		for j := i; j < f.N; j++ {
			d[i] -= f.R[i*f.N+j] * x[mask[j]]
		}
	}
	return d
}

// whitened returns the factor's weighted rows in the coordinates of root.
func whitened(f *triangle.Factor, mask []int, root *mat.Dense, weight float64) *mat.Dense {
	_, rank := root.Dims()
	q := mat.NewDense(max(f.N, 1), rank, nil)
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
