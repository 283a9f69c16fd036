package filter

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The share is that of white noise through the filter.
func TestWhiteShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, rate = 40000, 200.0
	for _, l := range []LowPass{{Cutoff: 10, Order: 2}, {Cutoff: 20, Order: 2}, {Cutoff: 5, Order: 4}, {Cutoff: 15, Order: 1}} {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		s, err := Butterworth(l.Order, l.Cutoff, rate)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, n)
		s.ZeroPhase(y, x, new(Work))
		sum := 0.0
		for _, v := range y[n/10 : n-n/10] {
			sum += v * v
		}
		got := sum / (0.8 * n)
		// The deviation of a mean square of noise with n·share independent values is √(2/(n·share)) of it; three of them, and what the
		// bilinear form of the filter takes at high cut-offs.
		if want := l.WhiteShare(rate); math.Abs(got/want-1) > 3*math.Sqrt(2/(0.8*n*want))+0.03 {
			t.Errorf("%+v: %.4f of the noise passes, not %.4f", l, got, want)
		}
	}
	if (LowPass{}).WhiteShare(100) != 1 || (LowPass{Cutoff: 60, Order: 2}).WhiteShare(100) != 1 {
		t.Error("without a filter not all passes")
	}
}
