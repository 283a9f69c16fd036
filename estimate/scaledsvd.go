package estimate

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// scaledSVD is the singular value decomposition of a factor with unit columns.
type scaledSVD struct {
	n      int
	norms  []float64 // of the columns, 1 where the column is zero
	u, v   mat.Dense
	values []float64
}

// columnNorms returns the norms of the columns that a factor summarises.
func columnNorms(f *triangle.Factor) []float64 {
	norms := make([]float64, f.N)
	for j := range norms {
		for i := range j + 1 {
			norms[j] = math.Hypot(norms[j], f.R[i*f.N+j])
		}
	}
	return norms
}

// newScaledSVD decomposes a factor with its columns divided by norms; zeros are
// replaced by ones.
func newScaledSVD(f *triangle.Factor, norms []float64) (*scaledSVD, error) {
	n := f.N
	s := &scaledSVD{n: n, norms: norms}
	if n == 0 {
		return s, nil
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(n, n, withUnitColumns(f, norms)), mat.SVDFull) {
		return nil, errors.New("the singular values of the regressor did not converge: its rows hold values that are not finite")
	}
	s.values = svd.Values(nil)
	svd.UTo(&s.u)
	svd.VTo(&s.v)
	return s, nil
}

func (s *scaledSVD) rank() int { return rankOf(s.values) }

// rankOf is the rank by singular values in descending order.
func rankOf(values []float64) int {
	rank := 0
	for _, v := range values {
		if v > rankTolerance*values[0] {
			rank++
		}
	}
	return rank
}

func (s *scaledSVD) condition() float64 {
	if s.n == 0 {
		return 1
	}
	return s.values[0] / s.values[s.n-1]
}

// deficient is the error of a factor that does not determine all of so many parameters.
func (s *scaledSVD) deficient(columns int) error {
	return &RankError{Rank: s.rank(), Columns: columns, Undetermined: s.undetermined()}
}

// undetermined ranks the columns by their part in the null directions.
func (s *scaledSVD) undetermined() []int {
	part := make([]float64, s.n)
	for k := s.rank(); k < s.n; k++ {
		for j := range s.n {
			part[j] += s.v.At(j, k) * s.v.At(j, k)
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

// Directions are the combinations of parameters that the rows of an estimate
// determine, in columns of unit norm.
type Directions struct {
	Singular     []float64   // singular values, descending
	Forms        [][]float64 // by singular value: coefficients of the parameters
	Undetermined []int       // columns that take part in the null space, most involved first
}

// Directions decomposes the weighted rows of s, which is the minimum of a sum of
// squares.
func (s *Solution) Directions() (*Directions, error) {
	solver, err := newScaledSVD(s.Stack, columnNorms(s.Stack))
	if err != nil {
		return nil, err
	}
	d := &Directions{Singular: solver.values[:solver.rank()], Undetermined: solver.undetermined()}
	for k := range d.Singular {
		form := make([]float64, solver.n)
		for j := range form {
			form[j] = solver.v.At(j, k) * solver.norms[j]
		}
		d.Forms = append(d.Forms, form)
	}
	return d, nil
}

// unexplained is the squared part of z in the directions that are not determined.
func (s *scaledSVD) unexplained(z []float64) float64 {
	sum := 0.0
	for k := s.rank(); k < s.n; k++ {
		d := 0.0
		for i := range s.n {
			d += s.u.At(i, k) * z[i]
		}
		sum += d * d
	}
	return sum
}

// solve returns the solution of R·x = z, of smallest norm in scaled columns
// where the rank is not full.
func (s *scaledSVD) solve(z []float64) []float64 {
	x := make([]float64, s.n)
	for k := range s.rank() {
		d := 0.0
		for i := range s.n {
			d += s.u.At(i, k) * z[i]
		}
		d /= s.values[k]
		for j := range s.n {
			x[j] += s.v.At(j, k) * d
		}
	}
	for j := range x {
		x[j] /= s.norms[j]
	}
	return x
}

// inverse returns N⁻¹·V·S⁻¹·Uᵀ, the inverse of the factor U·S·Vᵀ·N, of full rank.
func (s *scaledSVD) inverse() *mat.Dense {
	out := new(mat.Dense)
	out.Mul(s.root(), s.u.T())
	return out
}

// root returns the n×rank matrix B with (RᵀR)⁺ = B·Bᵀ, one column of zeros for
// rank zero.
func (s *scaledSVD) root() *mat.Dense {
	b := mat.NewDense(s.n, max(s.rank(), 1), nil)
	for j := range s.n {
		for k := range s.rank() {
			b.Set(j, k, s.v.At(j, k)/s.values[k]/s.norms[j])
		}
	}
	return b
}

func rawCondition(f *triangle.Factor) float64 {
	if f.N == 0 {
		return 1
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewTriDense(f.N, mat.Upper, f.R), mat.SVDNone) {
		return math.NaN()
	}
	return svd.Cond()
}

// rankTolerance is the smallest singular value, of the column-scaled factor
// and relative to the largest, that counts as determined. Rounding in the
// regressor of a noise-free log leaves singular values of 1e-13 or less;
// real logs with any excitation stay above 1e-6.
const rankTolerance = 1e-10
