package eigen_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
)

// gram is XᵀX/rows of normal numbers, with columns that depend on others where rows are few, and the identity for no rows.
func gram(rng *rand.Rand, n, rows int) []float64 {
	x := make([]float64, n*rows)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range rows {
				a[i*n+j] += x[k*n+i] * x[k*n+j] / float64(rows)
			}
			if rows == 0 && i == j {
				a[i*n+j] = 1
			}
		}
	}
	return a
}

// Values and vectors are those of the matrix: A·v = λ·v, vectors are orthonormal, values ascend. The error of each is a few
// roundings of the norm, times the rows: 1e-12 of a norm below ten.
func TestSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s eigen.Symmetric
	for _, n := range []int{0, 1, 2, 3, 4, 5, 17, 43, 64, 43} {
		for _, rows := range []int{0, 1, n / 2, n, 4 * n} {
			a := gram(rng, n, rows)
			if !s.Factorize(a, n) {
				t.Fatalf("%d columns of %d rows: no convergence", n, rows)
			}
			values := slices.Clone(s.Values)
			if !s.FactorizeValues(a, n) || !slices.Equal(values, s.Values) {
				t.Fatalf("%d columns of %d rows: values alone are %v, with vectors %v", n, rows, s.Values, values)
			}
			s.Factorize(a, n)
			const near = 1e-12
			for k, v := range s.Vectors {
				if k > 0 && s.Values[k] < s.Values[k-1] {
					t.Errorf("%d columns of %d rows: values do not ascend", n, rows)
				}
				for i := range n {
					left := -s.Values[k] * v[i]
					for j := range n {
						left += a[i*n+j] * v[j]
					}
					if !(math.Abs(left) < near) {
						t.Fatalf("%d columns of %d rows, value %d: A·v - λ·v is %g", n, rows, k, left)
					}
				}
				for l, w := range s.Vectors[:k+1] {
					dot := 0.0
					if l == k {
						dot = -1
					}
					for i := range v {
						dot += v[i] * w[i]
					}
					if !(math.Abs(dot) < near) {
						t.Fatalf("%d columns of %d rows, vectors %d and %d: product off by %g", n, rows, k, l, dot)
					}
				}
			}
		}
	}
	if s.Factorize([]float64{1, math.NaN(), 0, 1}, 2) || s.Factorize([]float64{math.Inf(1)}, 1) {
		t.Error("numbers that are not finite have a decomposition")
	}
}

func BenchmarkSymmetric(b *testing.B) {
	for _, n := range []int{43, 64} {
		a := gram(rand.New(rand.NewPCG(1, 2)), n, 4*n)
		b.Run(fmt.Sprintf("%d/rows", n), func(b *testing.B) {
			var s eigen.Symmetric
			for b.Loop() {
				s.Factorize(a, n)
			}
		})
		b.Run(fmt.Sprintf("%d/values", n), func(b *testing.B) {
			var s eigen.Symmetric
			for b.Loop() {
				s.FactorizeValues(a, n)
			}
		})
		b.Run(fmt.Sprintf("%d/columns", n), func(b *testing.B) {
			for b.Loop() {
				var e mat.EigenSym
				e.Factorize(mat.NewSymDense(n, a), true)
			}
		})
	}
}
