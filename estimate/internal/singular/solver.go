package singular

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// Solver is the factor of a least-squares problem, decomposed or inverted.
type Solver interface {
	Rank() int
	Condition() float64            // of the factor with unit columns
	Solve(z []float64) []float64   // R·x = z, of smallest norm in scaled columns where the rank is not full
	Unexplained([]float64) float64 // squared part of z in the directions that are not determined
	Root() *mat.Dense              // n×rank matrix B with (RᵀR)⁺ = B·Bᵀ
	Undetermined() []int           // columns that take part in the null directions, most involved first
}

// inverted is the inverse of a factor with unit columns whose rank its condition proves.
type inverted struct {
	n               int
	norms           []float64 // of the columns
	scaled, inverse []float64 // row-major
}

// provedCondition is the bound of a condition number up to which a rank is proved: rounding moves singular values by n·ε of
// the largest, and the bound by n·ε·10⁸ of itself, so that the smallest is far above Tolerance.
const provedCondition = 1e8

// Of inverts a factor, or decomposes it where its condition does not prove the rank.
func Of(f *triangle.Factor) (Solver, error) {
	norms := ColumnNorms(f)
	a := withUnitColumns(f, norms)
	if inverse := Inverse(a, f.N); ConditionBound(a, inverse) < provedCondition {
		return &inverted{n: f.N, norms: norms, scaled: a, inverse: inverse}, nil
	}
	return Decompose(f, norms)
}

// withUnitColumns returns the factor with its columns divided by norms, whose zeros are replaced by ones.
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

// Determined returns the rank of a factor with its columns divided by norms, and the squared part of Z in the
// directions that the rows leave open. It is false where numbers are not finite.
func Determined(f *triangle.Factor, norms []float64) (rank int, unexplained float64, ok bool) {
	a := withUnitColumns(f, norms)
	if ConditionBound(a, Inverse(a, f.N)) < provedCondition {
		return f.N, 0, true
	}
	z := slices.Clone(f.Z)
	values, ok := Values(a, f.N, z)
	if !ok {
		return 0, 0, false
	}
	rank = rankOf(values)
	return rank, floats.Dot(z[rank:], z[rank:]), true
}

func (s *inverted) Rank() int { return s.n }

func (s *inverted) Condition() float64 {
	if s.n == 0 {
		return 1
	}
	values, ok := Values(slices.Clone(s.scaled), s.n, make([]float64, s.n))
	if !ok {
		return math.NaN()
	}
	return values[0] / values[s.n-1]
}

// Solve multiplies by the inverse, whose small left residual makes the error that of a substitution, n·ε·|R⁻¹|·|R|·|x| (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §14.2).
func (s *inverted) Solve(z []float64) []float64 {
	x := make([]float64, s.n)
	for i := range x {
		x[i] = floats.Dot(s.inverse[i*s.n+i:(i+1)*s.n], z[i:]) / s.norms[i]
	}
	return x
}

func (s *inverted) Unexplained([]float64) float64 { return 0 }

func (s *inverted) Root() *mat.Dense {
	b := mat.NewDense(s.n, s.n, slices.Clone(s.inverse))
	for i := range s.n {
		floats.Scale(1/s.norms[i], b.RawRowView(i))
	}
	return b
}

func (s *inverted) Undetermined() []int { return nil }
