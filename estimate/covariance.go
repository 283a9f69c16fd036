package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// judge fills in residual deviations, the correction for the samples'
// correlation, the covariance and its freedom. See the package comment for the
// argument.
func (r *Reduction) judge(s *Solution, joints []*triangle.Factor, solver *scaled) {
	root := solver.root()
	n, rank := root.Dims()
	nj := len(r.masks)
	s.Sigma, s.Inflation, s.Leverage = make([]float64, nj), make([]float64, nj), make([]float64, nj)
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
		s.Inflation[k] = 1
		if score, spread, ok := r.scores(k, s, root, leak, unit[k]); ok {
			// The residuals lack what the estimate took up, κ·lev of rows
			// unit variances, and κ is the score's variance in their unit:
			// both conditions at once.
			s.Inflation[k] = max(score*rows/(rss[k]+score*lev), leastInflation)
			doubt[k] = spread
		}
		if free := rows - s.Inflation[k]*lev; free > 0 {
			unit[k] = rss[k] / free
			s.Sigma[k] = math.Sqrt(unit[k]) / s.Weights[k]
		}
		parts[k].ScaleSym(s.Inflation[k]*unit[k], parts[k])
		middle.AddSym(middle, parts[k])
		effective += rows / s.Inflation[k]
		var half mat.Dense
		half.Mul(root, parts[k])
		shares[k] = make([]float64, n)
		for i := range n {
			for c, v := range half.RawRowView(i) {
				shares[k][i] += v * root.At(i, c)
			}
		}
	}
	s.Freedom = make([]float64, n)
	for i := range n {
		var whole, relative float64
		for k := range shares {
			whole += shares[k][i]
			relative += doubt[k] * shares[k][i] * shares[k][i]
		}
		s.Freedom[i] = max(effective, 1)
		if whole > 0 {
			s.Freedom[i] = max(1/(1/s.Freedom[i]+relative/(2*whole*whole)), 1)
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

// Residuals that alternate, as after a differentiation, make the factor small;
// a tenth is as far as it is believed.
const leastInflation = 0.1

// fewestBlocks is the number of time blocks below which their scores say
// nothing about correlation.
const fewestBlocks = 4

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

// scores estimates, from the scores of the time blocks, the variance of joint
// k's weighted errors that the estimate feels, κ·ν, and how uncertain that is:
// its relative variance.
func (r *Reduction) scores(k int, s *Solution, root, leak *mat.Dense, unit float64) (variance, spread float64, ok bool) {
	_, rank := root.Dims()
	if unit == 0 || len(r.blocks) < fewestBlocks {
		return 0, 0, false
	}
	var sum, expect float64
	var before, leaked *mat.Dense // the previous block's rows Q, and Q·M
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
		var gram, qm, gm mat.Dense
		gram.Mul(q, q.T())
		qm.Mul(q, leak)
		gm.Mul(&qm, q.T())
		for _, v := range u {
			sum += v * v
		}
		square := inner(&gram, &gram)
		expect += mat.Trace(&gram) - 2*square + inner(&gram, &gm)/unit
		spread += 2 * square
		if before != nil && b.Run == run {
			var cross, cm mat.Dense
			cross.Mul(before, q.T())
			cm.Mul(leaked, q.T())
			c := inner(&cross, &cross)
			for i, v := range u {
				sum += 2 * u0[i] * v
			}
			expect += 2 * (inner(&cross, &cm)/unit - 2*c)
			spread += 4 * c
		}
		before, leaked, u0, run = q, &qm, u, b.Run
	}
	if !(expect > 0) {
		return 0, 0, false
	}
	return max(sum, 0) / expect, spread / (expect * expect), true
}

// inner is Σ a_ij·b_ij.
func inner(a, b *mat.Dense) float64 {
	sum := 0.0
	x, y := a.RawMatrix().Data, b.RawMatrix().Data
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
