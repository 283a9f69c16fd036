package estimate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/singular"
	"ident/internal/triangle"
)

// solver is the factor of a least-squares problem, decomposed or inverted.
type solver interface {
	rank() int
	condition() float64            // of the factor with unit columns
	solve(z []float64) []float64   // R·x = z, of smallest norm in scaled columns where the rank is not full
	unexplained([]float64) float64 // squared part of z in the directions that are not determined
	root() *mat.Dense              // n×rank matrix B with (RᵀR)⁺ = B·Bᵀ
	deficient(columns int) error   // of a rank below so many columns
}

// scaledInverse is the inverse of a factor with unit columns whose rank its condition proves.
type scaledInverse struct {
	n               int
	norms           []float64 // of the columns
	scaled, inverse []float64 // row-major
}

// provedCondition is the bound of a condition number up to which a rank is proved: rounding moves singular values by n·ε of
// the largest, and the bound by n·ε·10⁸ of itself, so that the smallest is far above rankTolerance.
const provedCondition = 1e8

// solverOf inverts a factor, or decomposes it where its condition does not prove the rank.
func solverOf(f *triangle.Factor) (solver, error) {
	norms := columnNorms(f)
	a := withUnitColumns(f, norms)
	if inverse := singular.Inverse(a, f.N); singular.ConditionBound(a, inverse) < provedCondition {
		return &scaledInverse{n: f.N, norms: norms, scaled: a, inverse: inverse}, nil
	}
	return newScaledSVD(f, norms)
}

// withUnitColumns is the factor with its columns divided by norms, whose zeros are replaced by ones.
func withUnitColumns(f *triangle.Factor, norms []float64) []float64 {
	for j, norm := range norms {
		if norm == 0 {
			norms[j] = 1
		}
	}
	a := make([]float64, f.N*f.N)
	for i := range f.N {
		for j := i; j < f.N; j++ {
			a[i*f.N+j] = f.R[i*f.N+j] / norms[j]
		}
	}
	return a
}

// determined is the rank of a factor with its columns divided by norms, and the squared part of Z in the directions that the
// rows leave open. It is false where numbers are not finite.
func determined(f *triangle.Factor, norms []float64) (rank int, unexplained float64, ok bool) {
	a := withUnitColumns(f, norms)
	if singular.ConditionBound(a, singular.Inverse(a, f.N)) < provedCondition {
		return f.N, 0, true
	}
	z := slices.Clone(f.Z)
	values, ok := singular.Values(a, f.N, z)
	if !ok {
		return 0, 0, false
	}
	rank = rankOf(values)
	return rank, floats.Dot(z[rank:], z[rank:]), true
}

func (s *scaledInverse) rank() int { return s.n }

func (s *scaledInverse) condition() float64 {
	if s.n == 0 {
		return 1
	}
	values, ok := singular.Values(slices.Clone(s.scaled), s.n, make([]float64, s.n))
	if !ok {
		return math.NaN()
	}
	return values[0] / values[s.n-1]
}

func (s *scaledInverse) solve(z []float64) []float64 {
	x := make([]float64, s.n)
	for i := range x {
		x[i] = floats.Dot(s.inverse[i*s.n+i:(i+1)*s.n], z[i:]) / s.norms[i]
	}
	return x
}

func (s *scaledInverse) unexplained([]float64) float64 { return 0 }

func (s *scaledInverse) root() *mat.Dense {
	b := mat.NewDense(s.n, s.n, slices.Clone(s.inverse))
	for i := range s.n {
		floats.Scale(1/s.norms[i], b.RawRowView(i))
	}
	return b
}

func (s *scaledInverse) deficient(columns int) error {
	return &RankError{Rank: s.n, Columns: columns}
}
