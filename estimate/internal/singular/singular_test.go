package singular

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// triangular is an upper triangle of order n whose singular values go down to about small.
func triangular(rng *rand.Rand, n int, small float64) []float64 {
	r := make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			r[i*n+j] = rng.NormFloat64() / math.Sqrt(float64(n))
		}
		r[i*n+i] = math.Abs(r[i*n+i]) + 1
	}
	if n > 0 {
		k := rng.IntN(n)
		for i := range k {
			r[i*n+k] *= small
		}
		r[k*n+k] *= small
	}
	return r
}

// Values are those of the whole decomposition, and z goes to Uᵀ·z, a number up to its sign.
func TestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(1, 40).Draw(t, "order")
		a := triangular(rng, n, math.Pow(10, -rapid.Float64Range(0, 14).Draw(t, "smallest")))
		z := make([]float64, n)
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(n, n, slices.Clone(a)), mat.SVDFull) {
			t.Fatal("no decomposition to compare with")
		}
		var u mat.Dense
		svd.UTo(&u)
		want := svd.Values(nil)
		along := mat.NewVecDense(n, nil)
		along.MulVec(u.T(), mat.NewVecDense(n, z))
		got, ok := Values(a, n, z)
		if !ok {
			t.Fatal("no values")
		}
		for i, v := range got {
			if d := math.Abs(v - want[i]); !(d <= 1e-13*want[0]) {
				t.Fatalf("value %d of %d is %g, want %g", i, n, v, want[i])
			}
			gap := math.Inf(1) // to the neighbours: a vector turns by the rounding of the values over it
			if i > 0 {
				gap = want[i-1] - want[i]
			}
			if i+1 < n {
				gap = min(gap, want[i]-want[i+1])
			}
			if d := math.Abs(math.Abs(z[i]) - math.Abs(along.AtVec(i))); !(d <= 1e-12*(1+want[0]/gap)*float64(n)) {
				t.Fatalf("component %d of %d is %g, want %g", i, n, z[i], along.AtVec(i))
			}
		}
	})
}

// Numbers that are not finite have no values.
func TestValuesNotFinite(t *testing.T) {
	if _, ok := Values([]float64{1, math.NaN(), 0, 1}, 2, make([]float64, 2)); ok {
		t.Error("a matrix with a NaN has singular values")
	}
	if v, ok := Values(nil, 0, nil); len(v) != 0 || !ok {
		t.Error("a matrix of no rows has some")
	}
}

// The product of a matrix and its inverse is one, and the bound holds: the largest over the smallest value is no more, and the
// norms of Frobenius are √n of the values at most each.
func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(1, 40).Draw(t, "order")
		r := triangular(rng, n, math.Pow(10, -rapid.Float64Range(0, 10).Draw(t, "smallest")))
		x := Inverse(r, n)
		condition := mat.Cond(mat.NewDense(n, n, slices.Clone(r)), 2)
		var product mat.Dense
		product.Mul(mat.NewDense(n, n, x), mat.NewDense(n, n, r))
		for i := range n {
			for j := range n {
				one := 0.0
				if i == j {
					one = 1
				}
				if d := math.Abs(product.At(i, j) - one); !(d <= 1e-14*condition*float64(n)) {
					t.Fatalf("entry %d, %d of the product is off by %g, condition %g", i, j, d, condition)
				}
			}
		}
		if b := ConditionBound(r, x); !(b >= condition*(1-1e-4)) || !(b <= condition*float64(n)*(1+1e-4)) {
			t.Fatalf("condition %g of order %d, bound %g", condition, n, b)
		}
	})
}

// A zero on the diagonal, or a number that is not finite, has no bound.
func TestConditionBoundSingular(t *testing.T) {
	for _, bad := range []float64{0, math.NaN(), math.Inf(1)} {
		r := []float64{1, 2, 0, bad}
		if b := ConditionBound(r, Inverse(r, 2)); b < 1e300 {
			t.Errorf("a diagonal of 1 and %g has a condition of at most %g", bad, b)
		}
	}
}

// BenchmarkRank is the rank of 69 columns: by the bound, by values, and with vectors.
func BenchmarkRank(b *testing.B) {
	const n = 69
	r := triangular(rand.New(rand.NewPCG(1, 2)), n, 1)
	z := make([]float64, n)
	b.Run("bound", func(b *testing.B) {
		for b.Loop() {
			ConditionBound(r, Inverse(r, n))
		}
	})
	b.Run("values", func(b *testing.B) {
		for b.Loop() {
			Values(slices.Clone(r), n, z)
		}
	})
	b.Run("vectors", func(b *testing.B) {
		for b.Loop() {
			var svd mat.SVD
			svd.Factorize(mat.NewDense(n, n, slices.Clone(r)), mat.SVDFull)
		}
	})
}
