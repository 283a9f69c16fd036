package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The order is that of the standard library, whatever the distribution.
func TestSortSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func(i int) float64{
		"normal": func(int) float64 { return r.NormFloat64() },
		"motion": func(i int) float64 { return 2 + math.Sin(0.003*float64(i)) },
		"grid":   func(i int) float64 { return math.Round(50*math.Sin(0.01*float64(i))) / 50 },
		"one":    func(int) float64 { return -0.5 },
		"far":    func(i int) float64 { return math.Ldexp(r.NormFloat64(), r.IntN(2000)-1000) },
		"small":  func(int) float64 { return 5e-324 * float64(r.IntN(20)) },
		"large":  func(int) float64 { return math.Copysign(math.MaxFloat64, r.NormFloat64()) },
		"outlier": func(i int) float64 {
			if i == 17 {
				return 1e12
			}
			return r.Float64()
		},
	} {
		for _, n := range []int{0, 1, 2, 3, 100, 5000} {
			x := make([]float64, n)
			for i := range x {
				x[i] = draw(i)
			}
			want := slices.Sorted(slices.Values(x))
			if got := sortSpread(x); !slices.Equal(got, want) {
				t.Errorf("%d values, %s: another order", n, name)
			}
		}
	}
}

func BenchmarkQuantum(b *testing.B) {
	x := make([]float64, 5000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = math.Sin(0.01*float64(i)) + 1e-5*r.NormFloat64()
	}
	for b.Loop() {
		Quantum(x)
	}
}
