package observation

import (
	"math"
	"math/rand/v2"
	"testing"
)

// White noise of 0.5 mrad leaves the cut-off of slow motions where it is. The band is that of 98 % of the velocity's power, found on
// bins of 1/T; noise that stands out of its own floor by motionFloor = 20 (a bin of probability e⁻²⁰ for one segment, 2e-9) must not
// happen in 40 logs of 5000 bins, so a difference of two bins of 1/25 Hz, times five, is the tolerance.
func TestCutoffUnderNoise(t *testing.T) {
	const rate, rows = 200.0, 5000
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		clean, noisy := make([]float64, rows), make([]float64, rows)
		f := 0.1 + 0.4*rng.Float64()
		for k := range clean {
			clean[k] = 0.6 * math.Sin(2*math.Pi*f*float64(k)/rate)
			noisy[k] = clean[k] + 5e-4*rng.NormFloat64()
		}
		a, b := ChooseCutoff([][]float64{clean}, rate), ChooseCutoff([][]float64{noisy}, rate)
		if math.Abs(a.Cutoff-b.Cutoff) > 2*5/25.0 || b.TooNear {
			t.Errorf("motion of %.2f Hz: %.3g Hz clean, %.3g Hz under noise", f, a.Cutoff, b.Cutoff)
		}
	}
}

func TestCutoffTooNear(t *testing.T) {
	const rate, rows = 30.0, 900
	x := make([]float64, rows)
	for k := range x {
		x[k] = math.Sin(2 * math.Pi * 2.5 * float64(k) / rate)
	}
	if c := ChooseCutoff([][]float64{x}, rate); !c.TooNear || c.Cutoff != RateShare*rate {
		t.Errorf("%+v", c)
	}
}
