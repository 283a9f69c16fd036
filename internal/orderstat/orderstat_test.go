package orderstat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMedian: the median is the value that sorting puts in the middle, for orders that are bad for a selection too, for
// equal values and for NaN.
func TestMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 16, 17, 18, 100, 1001, 4096} {
		for kind, at := range []func(k int) float64{
			func(int) float64 { return rng.NormFloat64() },
			func(k int) float64 { return float64(k) },
			func(k int) float64 { return -float64(k) },
			func(k int) float64 { return float64(min(k, n-k)) },
			func(int) float64 { return float64(rng.IntN(3)) },
			func(k int) float64 { return math.Log(rng.Float64() - 0.1) },
		} {
			x := make([]float64, n)
			for k := range x {
				x[k] = at(k)
			}
			before := slices.Clone(x)
			got := Median(x)
			for k := range x {
				if math.Float64bits(x[k]) != math.Float64bits(before[k]) {
					t.Fatal("the values were moved")
				}
			}
			slices.Sort(x)
			if want := x[n/2]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%d values, kind %d: median %g, want %g", n, kind, got, want)
			}
		}
	}
}

func BenchmarkMedian(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 8192)
	for k := range x {
		x[k] = rng.NormFloat64()
	}
	for b.Loop() {
		Median(x)
	}
}
