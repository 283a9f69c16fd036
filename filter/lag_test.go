package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// motion is a sum of incommensurate sinusoids up to a frequency, in hertz.
func motion(seed uint64, highest float64) func(t float64) float64 {
	r := rand.New(rand.NewPCG(seed, 11))
	type wave struct{ a, w, p float64 }
	waves := make([]wave, 15)
	for i := range waves {
		waves[i] = wave{r.NormFloat64(), 2 * math.Pi * highest * (0.03 + 0.97*r.Float64()), 7 * r.Float64()}
	}
	return func(t float64) float64 {
		sum := 0.0
		for _, v := range waves {
			sum += v.a * math.Sin(v.w*t+v.p)
		}
		return sum
	}
}

func TestLagOfBandLimitedSignals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const dt, maxLag = 0.002, 0.05
		seed := rapid.Uint64Range(1, 1000).Draw(t, "seed")
		highest := rapid.Float64Range(2, 120).Draw(t, "highest") // Hz; half the Nyquist frequency is 125
		lag := rapid.Float64Range(-0.045, 0.045).Draw(t, "lag")
		gain := rapid.Float64Range(0.01, 100).Draw(t, "gain")
		offset := rapid.Float64Range(-10, 10).Draw(t, "offset")
		f := motion(seed, highest)
		x, y := make([]float64, 4000), make([]float64, 4000)
		for i := range x {
			x[i] = f(float64(i) * dt)
			y[i] = gain*f(float64(i)*dt-lag) + gain*offset
		}
		got, quality := Lag(x, y, dt, maxLag)
		if math.Abs(got-lag) > 1e-3*dt {
			t.Fatalf("lag %g, want %g: off by %g samples", got, lag, (got-lag)/dt)
		}
		if highest < 8 && quality < 0.9 {
			t.Fatalf("quality %g", quality)
		}
	})
}

func TestLagUnderNoise(t *testing.T) {
	const dt, lag = 0.001, 0.0034
	f := motion(3, 8)
	x, y := noise(20000, 5), noise(20000, 6)
	sx, sy := 0.0, 0.0
	for i := range x {
		sx += f(float64(i)*dt) * f(float64(i)*dt) / float64(len(x))
	}
	sy = math.Sqrt(sx)
	for i := range x {
		x[i] = f(float64(i)*dt) + 0.1*sy*x[i]
		y[i] = f(float64(i)*dt-lag) + 0.1*sy*y[i]
	}
	s, err := Butterworth(4, 20, 1/dt)
	if err != nil {
		t.Fatal(err)
	}
	s.ZeroPhaseColumns([][]float64{x, y}, nil)
	got, quality := Lag(x, y, dt, 0.02)
	if math.Abs(got-lag) > 0.1*dt || quality < 0.95 {
		t.Errorf("lag %g with quality %g, want %g", got, quality, lag)
	}
}

func TestLagWithoutAnswer(t *testing.T) {
	n := 2000
	still, wave, fast := make([]float64, n), make([]float64, n), make([]float64, n)
	bad := make([]float64, n)
	for i := range wave {
		still[i] = 0.3
		wave[i] = math.Sin(0.02 * float64(i))
		fast[i] = math.Sin(0.5 * float64(i))
		bad[i] = wave[i]
	}
	bad[700] = math.NaN()
	for name, c := range map[string]struct{ x, y []float64 }{
		"constant":     {still, wave},
		"constant y":   {wave, still},
		"NaN":          {bad, wave},
		"NaN in y":     {wave, bad},
		"too short":    {wave[:40], wave[:40]},
		"empty":        {nil, nil},
		"unrelated":    {noise(n, 1), noise(n, 2)},
		"many periods": {fast, fast},
	} {
		lag, quality := Lag(c.x, c.y, 0.01, 0.5)
		if !(quality < 0.1) || math.IsNaN(lag) || math.Abs(lag) > 0.5 {
			t.Errorf("%s: lag %g with quality %g", name, lag, quality)
		}
	}
	// The true lag lies outside the range that is searched.
	shifted := append(make([]float64, 100), wave[:n-100]...)
	if lag, quality := Lag(wave[200:], shifted[200:], 0.01, 0.2); quality != 0 {
		t.Errorf("lag %g with quality %g outside the range", lag, quality)
	}
}

func BenchmarkLag(b *testing.B) {
	x, y := noise(10000, 1), noise(10000, 2)
	for b.Loop() {
		Lag(x, y, 0.001, 0.05)
	}
}
