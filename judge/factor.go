package judge

import (
	"math"

	"ident/internal/lanes"
	"ident/internal/triangle"
)

// inverse holds V = U⁻ᵀ of a positive matrix UᵀU, row by row, so that its inverse is VᵀV.
type inverse struct {
	n    int
	v    [][]float64 // row i has i+1 entries that are not zero
	u    [][]float64
	coef []float64
}

func newInverse(n int) *inverse {
	s := &inverse{n: n, coef: make([]float64, n)}
	u, v := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		s.u, s.v = append(s.u, u[i*n:(i+1)*n]), append(s.v, v[i*n:(i+1)*n])
	}
	return s
}

// of inverts k + λ·1, for the symmetric k. It returns false if that is not positive.
func (s *inverse) of(k [][]float64, lambda float64) bool {
	for i, row := range s.u {
		copy(row[i:], k[i][i:])
		row[i] += lambda
	}
	if !triangle.Cholesky(s.u, s.coef) {
		return false
	}
	for i := range s.n {
		row := s.v[i][:i+1]
		clear(row)
		for l := range i {
			s.coef[l] = -s.u[l][i]
		}
		lanes.Combine(row[:i], s.coef[:i], s.v[:i])
		row[i] = 1
		by := 1 / s.u[i][i]
		for c := range row {
			row[c] *= by
		}
	}
	return true
}

// times returns the inverse times x.
func (s *inverse) times(x []float64) []float64 {
	out := make([]float64, s.n)
	for i, row := range s.v {
		sum := 0.0
		for c, v := range row[:i+1] {
			sum += v * x[c]
		}
		lanes.Axpy(out[:i+1], sum, row[:i+1])
	}
	return out
}

// block returns the rows and columns [from, to) of the inverse.
func (s *inverse) block(from, to int) [][]float64 {
	m := to - from
	out := make([][]float64, m)
	for i := range out {
		out[i] = make([]float64, m)
	}
	coef := s.coef[:s.n-from]
	for i := range out {
		for k, row := range s.v[from:] {
			coef[k] = row[from+i]
		}
		lanes.CombineFrom(out[i], coef, s.v[from:], from)
	}
	return out
}

// leftOut returns the residuals, by joint, that ridge regression with the kernel and weight of s leaves of each fold, predicted from
// the others. Fold f has the rows [from[f], from[f+1]); joints[j][f] are the residuals of all rows of joint j by coefficients fitted
// without it. The residuals of a fold whose part of the inverse is not positive, by rounding, are infinite.
func (s *inverse) leftOut(from []int, joints [][][]float64) [][]float64 {
	out := make([][]float64, len(joints))
	for j := range out {
		out[j] = make([]float64, s.n)
	}
	for f := range len(from) - 1 {
		a, b := from[f], from[f+1]
		if a == b {
			continue
		}
		whole := s.block(a, b)
		positive := triangle.Cholesky(whole, s.coef)
		for j, without := range joints {
			x := out[j][a:b]
			if !positive {
				for i := range x {
					x[i] = math.Inf(1)
				}
				continue
			}
			copy(x, s.times(without[f])[a:b])
			triangle.SolveCholesky(whole, x)
		}
	}
	return out
}
