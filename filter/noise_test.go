package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// excitation is a motion of five harmonics of 0.1 Hz and the amplitude of a radian, sampled at a rate.
func excitation(rng *rand.Rand, rate float64, n int) []float64 {
	x := make([]float64, n)
	for h := 1; h <= 5; h++ {
		a, p := rng.NormFloat64()/float64(h), 2*math.Pi*rng.Float64()
		for i := range x {
			x[i] += a * math.Sin(2*math.Pi*0.1*float64(h)*float64(i)/rate+p)
		}
	}
	return x
}

// White noise of any size is measured on any motion, within five standard errors of 1/√(0.24·n), 0.24·n being
// the number of bins.
func TestNoiseOfPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rate := rapid.SampledFrom([]float64{100, 200, 1000}).Draw(t, "rate")
		n := rapid.IntRange(2000, 20000).Draw(t, "samples")
		sigma := math.Pow(10, rapid.Float64Range(-5, -2).Draw(t, "decade"))
		x := excitation(rng, rate, n)
		for i := range x {
			x[i] += sigma * rng.NormFloat64()
		}
		got := MeasureNoise(x, rate)
		if limit := 5 / math.Sqrt(0.24*float64(n)); math.Abs(got.Sigma/sigma-1) > limit {
			t.Fatalf("noise of %g measured as %g", sigma, got.Sigma)
		}
		if got.Quantum != 0 {
			t.Fatalf("values without a grid have the step %g", got.Quantum)
		}
	})
}

// Encoders of 12 to 16 bits on a motion that moves a count a sample or more: the error is that of rounding.
func TestNoiseOfEncoders(t *testing.T) {
	for bits := 12; bits <= 16; bits++ {
		step := 2 * math.Pi / float64(int(1)<<bits)
		rng := rand.New(rand.NewPCG(uint64(bits), 2))
		x := excitation(rng, 200, 8000)
		for i := range x {
			x[i] = step * math.Round(x[i]/step)
		}
		got, want := MeasureNoise(x, 200), step/math.Sqrt(12)
		if math.Abs(got.Quantum/step-1) > 1e-6 {
			t.Errorf("%d bits: step %g, want %g", bits, got.Quantum, step)
		}
		// From below the bound is the deviation of rounding itself.
		if got.Sigma < want*(1-1e-6) || got.Sigma > 1.1*want {
			t.Errorf("%d bits: noise %g, want %g", bits, got.Sigma, want)
		}
	}
}

// Coloured noise is stronger than its upper half tells; near the motion it shows.
func TestNoiseOfColour(t *testing.T) {
	const rate, phi, sigma = 200, 0.7, 1e-3
	rng := rand.New(rand.NewPCG(4, 3))
	x := excitation(rng, rate, 16000)
	e := 0.0
	for i := range x {
		e = phi*e + math.Sqrt(1-phi*phi)*sigma*rng.NormFloat64()
		x[i] += e
	}
	s := NewMotionSpectrum(x, rate)
	// Density of the noise at a quarter to half the rate: σ²(1-φ²)/(1+φ²-2φ cos), 0.34 to 0.18 of σ².
	if got := s.Noise() / sigma; got < 0.4 || got > 0.6 {
		t.Errorf("the upper half has %.2f of the noise", got)
	}
	// At 5 to 15 Hz, 0.16 to 0.47 rad a sample: 4.5 to 1.8 of σ².
	if got := math.Sqrt(s.level(5, 15)) / sigma; got < 1.3 || got > 2.2 {
		t.Errorf("near the motion the noise is %.2f", got)
	}
}

// The band is that of the motion: the highest harmonic has 98 % of the velocity's power below or at it.
func TestMotionBand(t *testing.T) {
	const rate, n = 200, 16000
	for _, f := range []float64{0.5, 1, 2.5, 5} {
		for _, sigma := range []float64{0, 1e-4, 1e-3} {
			rng := rand.New(rand.NewPCG(uint64(10*f), 4))
			x := make([]float64, n)
			for i := range x {
				at := 2 * math.Pi * float64(i) / rate
				x[i] = math.Sin(0.2*f*at) + 0.5*math.Sin(f*at+1) + sigma*rng.NormFloat64()
			}
			// Hann's window spreads a line over two bins on either side.
			got, step := MeasureNoise(x, rate).Band, rate/12000.
			if math.Abs(got-f) > 3*step {
				t.Errorf("motion up to %g Hz under noise of %g: band of %g Hz", f, sigma, got)
			}
		}
	}
}

// Signals without noise, without motion, or too short.
func TestNoiseOfNothing(t *testing.T) {
	if got := MeasureNoise(make([]float64, 1000), 100); got != (ChannelNoise{}) {
		t.Errorf("a constant channel: %+v", got)
	}
	if got := MeasureNoise(make([]float64, 50), 100); got != (ChannelNoise{}) {
		t.Errorf("a short channel: %+v", got)
	}
	rng := rand.New(rand.NewPCG(6, 5))
	x := excitation(rng, 200, 8000)
	// Rounding of third differences of radians, 1e-16·√20.
	if got := MeasureNoise(x, 200).Sigma; got > 1e-14 {
		t.Errorf("an exact motion has the noise %g", got)
	}
	if s := NewMotionSpectrum(nil, 100); !math.IsNaN(s.Noise()) || s.Band(0) != 0 {
		t.Error("no samples have a spectrum")
	}
}

func TestQuantum(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 6))
	free := make([]float64, 3000)
	for i := range free {
		free[i] = rng.NormFloat64()
	}
	if got := Quantum(free); got != 0 {
		t.Errorf("arbitrary values have the step %g", got)
	}
	printed := make([]float64, len(free))
	for i, v := range free {
		printed[i] = math.Round(v*1e4) / 1e4
	}
	if got := Quantum(printed); math.Abs(got-1e-4) > 1e-10 {
		t.Errorf("four decimals have the step %g", got)
	}
	if got := Quantum([]float64{1, 2, 1, 2, 3}); got != 0 {
		t.Errorf("three values have the step %g", got)
	}
}

func BenchmarkMeasureNoise(b *testing.B) {
	x := excitation(rand.New(rand.NewPCG(7, 7)), 1000, 60000)
	b.SetBytes(int64(8 * len(x)))
	for b.Loop() {
		MeasureNoise(x, 1000)
	}
}
