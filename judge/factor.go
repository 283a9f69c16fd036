package judge

import (
	"math"

	"ident/internal/lanes"
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
	for i := range s.n {
		row := s.u[i][i:]
		copy(row, k[i][i:])
		row[0] += lambda
		for l := range i {
			s.coef[l] = -s.u[l][i]
		}
		lanes.CombineFrom(row, s.coef[:i], s.u[:i], i)
		if !(row[0] > 0) {
			return false
		}
		by := 1 / math.Sqrt(row[0])
		for c := range row {
			row[c] *= by
		}
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

// solved returns x of a·x = b for a positive symmetric a, which it overwrites.
func solved(a [][]float64, b []float64) []float64 {
	n := len(b)
	x := append([]float64(nil), b...)
	for i := range n { // a = LLᵀ, L in the lower triangle
		for j := range i + 1 {
			s := a[i][j]
			for l := range j {
				s -= a[i][l] * a[j][l]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(s, math.SmallestNonzeroFloat64))
			} else {
				a[i][j] = s / a[j][j]
			}
		}
	}
	for i := range n {
		for l := range i {
			x[i] -= a[i][l] * x[l]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for l := i + 1; l < n; l++ {
			x[i] -= a[l][i] * x[l]
		}
		x[i] /= a[i][i]
	}
	return x
}

// LeftOut returns the residuals that ridge regression with kernel k and the weight λ leaves of each fold, predicted from the
// others. Fold f has the rows [from[f], from[f+1]); without[f] are the residuals of all rows by coefficients fitted without it. It
// returns nil if k + λ·1 is not positive.
func LeftOut(k [][]float64, lambda float64, from []int, without [][]float64) []float64 {
	s := newInverse(len(k))
	if !s.of(k, lambda) {
		return nil
	}
	return s.leftOut(from, [][][]float64{without})[0]
}

// leftOut is LeftOut of several joints.
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
		for j, without := range joints {
			m := whole
			if len(joints) > 1 {
				m = make([][]float64, len(whole))
				for i := range m {
					m[i] = append([]float64(nil), whole[i]...)
				}
			}
			copy(out[j][a:b], solved(m, s.times(without[f])[a:b]))
		}
	}
	return out
}
