package excite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// product is XᵀX/rows of normal numbers, n×n, whose columns are scaled by factors from 1 down to least.
func definiteProduct(rng *rand.Rand, n, rows int, least float64) []float64 {
	x, a := make([]float64, n*rows), make([]float64, n*n)
	for i := range x {
		x[i] = rng.NormFloat64() * math.Pow(least, float64(i%n)/float64(max(n-1, 1)))
	}
	for i := range n {
		for j := range n {
			for k := range rows {
				a[i*n+j] += x[k*n+i] * x[k*n+j] / float64(rows)
			}
		}
	}
	return a
}

// The inverse, its trace, its square and the determinant against the decomposition: relative errors of n roundings times the
// condition number, which is that of the eigenvalues' own smallest, and of its square for A⁻²; ten of them.
func TestInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var v definiteInverse
	for _, n := range []int{1, 2, 3, 7, 8, 9, 43, 69, 43} {
		for _, least := range []float64{1, 0.1, 1e-4} {
			a := definiteProduct(rng, n, 2*n+1, least)
			var s mat.EigenSym
			if !v.Invert(a, n) || !s.Factorize(mat.NewSymDense(n, a), true) {
				t.Fatalf("%d rows, scaled to %g: no inverse", n, least)
			}
			values := s.Values(nil)
			var vectors mat.Dense
			s.VectorsTo(&vectors)
			near := 10 * float64(n) * 0x1p-52 * values[n-1] / values[0]
			trace, determinant, top := 0.0, 0.0, 1/values[0]
			for _, x := range values {
				trace += 1 / x
				determinant += math.Log(x)
			}
			if !(math.Abs(v.Trace-trace) <= near*trace) || !(math.Abs(v.LogDeterminant-determinant) <= near*float64(n)) {
				t.Errorf("%d rows, scaled to %g: trace %g, ln det %g; want %g, %g", n, least, v.Trace, v.LogDeterminant, trace, determinant)
			}
			square := v.Square()
			for i := range n {
				for j := range n {
					once, twice := 0.0, 0.0
					for k, x := range values {
						p := vectors.At(i, k) * vectors.At(j, k) / x
						once += p
						twice += p / x
					}
					if !(math.Abs(v.Rows[i][j]-once) <= near*top) || !(math.Abs(square[i][j]-twice) <= near*top*top) {
						t.Fatalf("%d rows, scaled to %g: entry %d, %d is %g, of the square %g; want %g, %g", n, least, i, j, v.Rows[i][j], square[i][j], once, twice)
					}
				}
			}
		}
	}
	for _, a := range [][]float64{{1, 2, 0, 1}, {1, math.NaN(), 0, 1}, {math.Inf(1), 0, 0, 1}, {0, 0, 0, 1}, {1, 1, 0, 1}} {
		if v.Invert(a, 2) {
			t.Errorf("%v has an inverse", a)
		}
	}
}

func BenchmarkInverse(b *testing.B) {
	for _, n := range []int{43, 69} {
		a := definiteProduct(rand.New(rand.NewPCG(1, 2)), n, 4*n, 0.5)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var v definiteInverse
			for b.Loop() {
				v.Invert(a, n)
				v.Square()
			}
		})
		b.Run(fmt.Sprint(n, "/decomposition"), func(b *testing.B) {
			var s mat.EigenSym
			for b.Loop() {
				s.Factorize(mat.NewSymDense(n, a), true)
			}
		})
	}
}
