package filter_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/dsp/fourier"

	"ident/internal/fourier"
)

// TestCoefficients: every length up to 130, and some of all kinds of factors, gives the sums of the definition.
func TestCoefficients(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lengths := []int{800, 4000, 4096, 799, 1001, 2 * 499, 1009, 2 * 37, 31 * 29, 3125, 2187, 7 * 11 * 13}
	for n := 1; n <= 130; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		x, norm := make([]float64, n), 0.0
		for i := range x {
			x[i] = rng.NormFloat64()
			norm += x[i] * x[i]
		}
		var sine, cosine []float64
		for k := range n {
			s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			sine, cosine = append(sine, s), append(cosine, c)
		}
		want := make([]complex128, n/2+1)
		for k := range want {
			re, im := 0.0, 0.0
			for t, v := range x {
				re += v * cosine[k*t%n]
				im -= v * sine[k*t%n]
			}
			want[k] = complex(re, im)
		}
		f := fourier.New(n)
		for range 2 { // a second time with the memory of the first
			got := f.Coefficients(nil, x)
			if len(got) != len(want) {
				t.Fatalf("%d numbers: %d coefficients, want %d", n, len(got), len(want))
			}
			for k := range got {
				// Sums of n products: n roundings of the norm at most, in either.
				if d := cmplx.Abs(got[k] - want[k]); !(d <= 4e-16*float64(n+8)*math.Sqrt(norm)) {
					t.Fatalf("%d numbers: coefficient %d is %v, want %v", n, k, got[k], want[k])
				}
			}
		}
	}
}

// TestCoefficientsAllocateNothing where the caller gives the memory for the result.
func TestCoefficientsAllocateNothing(t *testing.T) {
	f, x, dst := fourier.New(800), make([]float64, 800), make([]complex128, 401)
	if n := testing.AllocsPerRun(10, func() { f.Coefficients(dst, x) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkCoefficients(b *testing.B) {
	for _, n := range []int{800, 4000, 4096, 16384} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Sin(float64(i * i))
		}
		dst := make([]complex128, n/2+1)
		b.Run("own", func(b *testing.B) {
			f := fourier.New(n)
			for b.Loop() {
				f.Coefficients(dst, x)
			}
		})
		b.Run("gonum", func(b *testing.B) {
			f := gonum.NewFFT(n)
			for b.Loop() {
				f.Coefficients(dst, x)
			}
		})
	}
}
