package lanes

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A combination has the bits of one column after the other, for any length.
func TestCombine(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 57, 63, 64, 65, 69, 73, 81, 89, 97, 100, 105, 113, 120, 121, 127, 128, 129, 200, 256, 300} {
		for count := range 12 {
			from, count := count/6*3, count%6
			dst, coef, cols := make([]float64, n), make([]float64, count), make([][]float64, count)
			for k := range dst {
				dst[k] = rng.NormFloat64()
			}
			want := append([]float64(nil), dst...)
			for i := range cols {
				coef[i], cols[i] = rng.NormFloat64(), make([]float64, from+n+i)
				for k := range cols[i] {
					cols[i][k] = rng.NormFloat64()
				}
				for k := range want {
					want[k] = math.FMA(coef[i], cols[i][from+k], want[k])
				}
			}
			CombineFrom(dst, coef, cols, from)
			for k := range dst {
				if math.Float64bits(dst[k]) != math.Float64bits(want[k]) {
					t.Fatalf("%d entries, %d columns: entry %d is %v, want %v", n, count, k, dst[k], want[k])
				}
			}
		}
	}
}

// A multiple is added with the bits of the plain loop, for any length; zeros keep their signs, and numbers that are none stay.
func TestAxpy(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64}
	for n := range 70 {
		dst, x := make([]float64, n), make([]float64, n+3)
		draw := func() float64 {
			if rng.IntN(5) == 0 {
				return special[rng.IntN(len(special))]
			}
			return rng.NormFloat64()
		}
		for k := range x {
			x[k] = draw()
		}
		for k := range dst {
			dst[k] = draw()
		}
		a := draw()
		want := append([]float64(nil), dst...)
		for k := range want {
			want[k] += a * x[k]
		}
		Axpy(dst, a, x)
		for k := range dst {
			if math.Float64bits(dst[k]) != math.Float64bits(want[k]) && !(math.IsNaN(dst[k]) && math.IsNaN(want[k])) {
				t.Fatalf("%d entries: entry %d is %v, want %v", n, k, dst[k], want[k])
			}
		}
	}
}

func BenchmarkAxpy(b *testing.B) {
	dst, x := make([]float64, 320), make([]float64, 320)
	for b.Loop() {
		Axpy(dst, 0.5, x)
	}
}

func BenchmarkCombine(b *testing.B) {
	dst, coef, cols := make([]float64, 100), make([]float64, 40), make([][]float64, 40)
	for i := range cols {
		cols[i] = make([]float64, 100)
	}
	for b.Loop() {
		Combine(dst, coef, cols)
	}
}
