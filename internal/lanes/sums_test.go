package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Sums of integers are exact in any order.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) })
		x := rapid.SliceOfN(whole, 1, 20).Draw(t, "x")
		y := rapid.SliceOfN(whole, len(x), len(x)).Draw(t, "y")
		var sum, squares, apart float64
		low, high := math.Inf(1), math.Inf(-1)
		for i, v := range x {
			sum += v
			squares += v * v
			apart += (v - y[i]) * (v - y[i])
			low, high = min(low, v), max(high, v)
		}
		if got := Sum(x); got != sum {
			t.Errorf("sum %g, want %g", got, sum)
		}
		if got := SumSquares(x); got != squares {
			t.Errorf("squares %g, want %g", got, squares)
		}
		if got := SquaredDistance(x, y); got != apart {
			t.Errorf("squared distance %g, want %g", got, apart)
		}
		if l, h := Range(x); l != low || h != high {
			t.Errorf("range %g to %g, want %g to %g", l, h, low, high)
		}
	})
}

// Zeros of both signs and NaN are their own signs.
func TestSigns(t *testing.T) {
	inf := math.Inf(1)
	x := []float64{3, -2, 0, math.Copysign(0, -1), 5e-324, -5e-324, inf, -inf, math.NaN(), math.MaxFloat64}
	want := []float64{1, -1, 0, math.Copysign(0, -1), 1, -1, 1, -1, math.NaN(), 1}
	for from := range x { // vectors and the entries behind them
		got := make([]float64, len(x)-from)
		Signs(got, x[from:])
		for i, v := range got {
			if math.Float64bits(v) != math.Float64bits(want[from+i]) {
				t.Errorf("sign of %g is %g, want %g", x[from+i], v, want[from+i])
			}
		}
	}
}

func TestMaxAbs(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for n := range 20 {
		x, want := make([]float64, n), 0.0
		for i := range x {
			x[i] = rng.NormFloat64()
			want = max(want, math.Abs(x[i]))
		}
		if got := MaxAbs(x); got != want {
			t.Errorf("%v: %g, want %g", x, got, want)
		}
	}
}
