package singular

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// Decomposition is U·diag(Values)·Vᵀ of a factor with unit columns.
type Decomposition struct {
	N      int
	Norms  []float64 // of the columns, 1 where the column is zero
	U, V   mat.Dense
	Values []float64 // descending
}

// ColumnNorms returns the norms of the columns that a factor summarises.
func ColumnNorms(f *triangle.Factor) []float64 {
	norms := make([]float64, f.N)
	for j := range norms {
		for i := range j + 1 {
			norms[j] = math.Hypot(norms[j], f.R[i*f.N+j])
		}
	}
	return norms
}

// Decompose decomposes a factor with its columns divided by norms; zeros are
// replaced by ones.
func Decompose(f *triangle.Factor, norms []float64) (*Decomposition, error) {
	n := f.N
	s := &Decomposition{N: n, Norms: norms}
	if n == 0 {
		return s, nil
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, n, withUnitColumns(f, norms)), mat.SVDFull) {
		return nil, errors.New("the singular values of the regressor did not converge: its rows hold values that are not finite")
	}
	s.Values = svd.Values(nil)
	svd.UTo(&s.U)
	svd.VTo(&s.V)
	return s, nil
}

// Rank returns the number of singular values above the tolerance.
func (s *Decomposition) Rank() int { return rankOf(s.Values) }

// rankOf returns the rank by singular values in descending order.
func rankOf(values []float64) int {
	rank := 0
	for _, v := range values {
		if v > Tolerance*values[0] {
			rank++
		}
	}
	return rank
}

// Condition returns the condition number of the factor with unit columns.
func (s *Decomposition) Condition() float64 {
	if s.N == 0 {
		return 1
	}
	return s.Values[0] / s.Values[s.N-1]
}

// Undetermined ranks the columns by their part in the null directions.
func (s *Decomposition) Undetermined() []int {
	part := make([]float64, s.N)
	for k := s.Rank(); k < s.N; k++ {
		for j := range s.N {
			part[j] += s.V.At(j, k) * s.V.At(j, k)
		}
	}
	var out []int
	for {
		best := -1
		for j, p := range part {
			// A hundredth of a unit direction is where a share stops being a cause.
			if p > 1e-2 && (best < 0 || p > part[best]) {
				best = j
			}
		}
		if best < 0 {
			return out
		}
		out = append(out, best)
		part[best] = 0
	}
}

// Unexplained returns the squared part of z in the directions that are not determined.
func (s *Decomposition) Unexplained(z []float64) float64 {
	sum := 0.0
	for k := s.Rank(); k < s.N; k++ {
		d := 0.0
		for i := range s.N {
			d += s.U.At(i, k) * z[i]
		}
		sum += d * d
	}
	return sum
}

// Solve returns the solution of R·x = z, of smallest norm in scaled columns
// where the rank is not full.
func (s *Decomposition) Solve(z []float64) []float64 {
	x := make([]float64, s.N)
	for k := range s.Rank() {
		d := 0.0
		for i := range s.N {
			d += s.U.At(i, k) * z[i]
		}
		d /= s.Values[k]
		for j := range s.N {
			x[j] += s.V.At(j, k) * d
		}
	}
	for j := range x {
		x[j] /= s.Norms[j]
	}
	return x
}

// Inverse returns N⁻¹·V·S⁻¹·Uᵀ, the inverse of the factor U·S·Vᵀ·N, of full rank.
func (s *Decomposition) Inverse() *mat.Dense {
	out := new(mat.Dense)
	out.Mul(s.Root(), s.U.T())
	return out
}

// Root returns the n×rank matrix B with (RᵀR)⁺ = B·Bᵀ, one column of zeros for
// rank zero.
func (s *Decomposition) Root() *mat.Dense {
	b := mat.NewDense(s.N, max(s.Rank(), 1), nil)
	for j := range s.N {
		for k := range s.Rank() {
			b.Set(j, k, s.V.At(j, k)/s.Values[k]/s.Norms[j])
		}
	}
	return b
}

// Condition returns the condition number of a factor as it is, without scaling.
func Condition(f *triangle.Factor) float64 {
	if f.N == 0 {
		return 1
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewTriDense(f.N, mat.Upper, f.R), mat.SVDNone) {
		return math.NaN()
	}
	return svd.Cond()
}

// Tolerance is the smallest singular value, of the column-scaled factor
// and relative to the largest, that counts as determined. Rounding in the
// regressor of a noise-free log leaves singular values of 1e-13 or less;
// real logs with any excitation stay above 1e-6.
const Tolerance = 1e-10
