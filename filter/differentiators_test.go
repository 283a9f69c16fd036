package filter_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/filter"
)

// Polynomials up to the degree, and their derivatives, come back exactly, ends included.
func TestSavitzkyGolayPolynomials(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := rapid.IntRange(1, 20).Draw(t, "half")
		degree := rapid.IntRange(0, min(2*half, 6)).Draw(t, "degree")
		derivative := rapid.IntRange(0, min(degree, 3)).Draw(t, "derivative")
		n := rapid.IntRange(2*half+1, 80).Draw(t, "n")
		c := rapid.SliceOfN(rapid.Float64Range(-1, 1), degree+1, degree+1).Draw(t, "coefficients")
		const dt = 0.02
		x, want := make([]float64, n), make([]float64, n)
		for k := range x {
			s := float64(k)*dt - 0.3
			for i, v := range c {
				x[k] += v * math.Pow(s, float64(i))
				f := v
				for d := range derivative {
					f *= float64(i - d)
				}
				if i >= derivative {
					want[k] += f * math.Pow(s, float64(i-derivative))
				}
			}
		}
		got := make([]float64, n)
		filter.NewSavitzkyGolay(half, degree, derivative).Apply(got, x, dt)
		// Weights of a derivative at an end grow as (degree²/window)^derivative.
		scale := math.Pow(float64(degree*degree+1)/(float64(half)*dt), float64(derivative))
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-10*scale*10 {
				t.Fatalf("half %d degree %d derivative %d: sample %d of %d is %g, want %g", half, degree, derivative, k, n, got[k], want[k])
			}
		}
	})
}

// The classical figures of Savitzky and Golay: five and seven points, quadratic.
func TestSavitzkyGolayTable(t *testing.T) {
	impulse := make([]float64, 15)
	impulse[7] = 1
	got := make([]float64, 15)
	filter.NewSavitzkyGolay(2, 2, 0).Apply(got, impulse, 1)
	for i, w := range []float64{-3, 12, 17, 12, -3} {
		if math.Abs(got[5+i]-w/35) > 1e-14 {
			t.Errorf("tap %d: %g, want %g", i, got[5+i], w/35)
		}
	}
	filter.NewSavitzkyGolay(3, 2, 1).Apply(got, impulse, 1)
	for i, w := range []float64{3, 2, 1, 0, -1, -2, -3} {
		if math.Abs(got[4+i]-w/28) > 1e-14 {
			t.Errorf("derivative tap %d: %g, want %g", i, got[4+i], w/28)
		}
	}
	s := filter.NewSavitzkyGolay(5, 3, 1)
	if g := s.Response(0.5, 100); math.Abs(g/(2*math.Pi*0.5)-1) > 1e-3 {
		t.Errorf("gain of the derivative at 0.5 Hz: %g", g)
	}
}

// A Fourier series of few harmonics is differentiated exactly, and the average over periods has noise
// smaller by the root of their number.
func TestPeriodic(t *testing.T) {
	const n, dt, periods = 400, 0.005, 25
	rng := rand.New(rand.NewPCG(1, 9))
	base := 2 * math.Pi / (n * dt)
	f := func(s float64, order int) (v float64) {
		for h := 1; h <= 5; h++ {
			w := base * float64(h)
			v += math.Pow(w, float64(order)) * math.Sin(w*s+float64(h)+float64(order)*math.Pi/2) / float64(h*h)
		}
		return v
	}
	exact := make([]float64, n)
	x := make([]float64, n*periods+17)
	for k := range x {
		x[k] = f(float64(k)*dt, 0) + 0.01*rng.NormFloat64()
	}
	for k := range exact {
		exact[k] = f(float64(k)*dt, 0)
	}
	for order := range 3 {
		got := make([]float64, n)
		filter.SpectralDerivative(got, exact, dt, order, 5)
		for k := range got {
			if math.Abs(got[k]-f(float64(k)*dt, order)) > 1e-9*math.Pow(base*5, float64(order)) {
				t.Fatalf("order %d at %d: %g, want %g", order, k, got[k], f(float64(k)*dt, order))
			}
		}
	}
	mean, spread := make([]float64, n), make([]float64, n)
	if c := filter.PeriodAverage(mean, spread, x, n); c != periods {
		t.Fatalf("%d periods", c)
	}
	var e, s float64
	for k := range mean {
		e += (mean[k] - exact[k]) * (mean[k] - exact[k]) / n
		s += spread[k] * spread[k] / n
	}
	if r := math.Sqrt(e) / (0.01 / math.Sqrt(periods)); math.Abs(r-1) > 0.15 {
		t.Errorf("noise of the mean is %.3g of the expected one", r)
	}
	if r := math.Sqrt(s) / 0.01; math.Abs(r-1) > 0.05 {
		t.Errorf("spread is %.3g of the expected one", r)
	}
	if p, quality := filter.Period(x, 100, 1000); math.Abs(p-n) > 0.2 || quality < 0.99 {
		t.Errorf("period %g with %g", p, quality)
	}
}

// On a steady clock the smoother has the documented zero-phase gain; on a jittering one with holes its
// errors stay as small, and agree with its standard deviations.
func TestSmoother(t *testing.T) {
	const dt, noise = 0.01, 1e-3
	s := filter.SmootherCutoff(8, noise, dt)
	n := 3000
	clock := make([]float64, n)
	for k := range clock {
		clock[k] = float64(k) * dt
	}
	for _, f := range []float64{1, 4, 8, 12} {
		x, q := make([]float64, n), make([]float64, n)
		for k := range x {
			x[k] = math.Cos(2 * math.Pi * f * (clock[k] - clock[n/2]))
		}
		s.Smooth(q, nil, nil, nil, clock, x)
		want := 1 / (1 + math.Pow(f/8, 6))
		// The formula is that of continuous time; at a twelfth of the rate sampling changes it by percents.
		if math.Abs(q[n/2]-want) > 0.02 {
			t.Errorf("gain at %g Hz: %.4f, want %.4f", f, q[n/2], want)
		}
	}
	rng := rand.New(rand.NewPCG(5, 5))
	path := func(s float64) float64 { return 0.8*math.Sin(2*s) + 0.3*math.Sin(7*s+1) }
	speed := func(s float64) float64 { return 1.6*math.Cos(2*s) + 2.1*math.Cos(7*s+1) }
	x, dq, sd := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range clock {
		clock[k] += dt * 0.4 * (2*rng.Float64() - 1)
		x[k] = path(clock[k]) + noise*rng.NormFloat64()
		if k%50 == 7 {
			x[k] = math.NaN()
		}
	}
	s.Smooth(nil, dq, nil, sd, clock, x)
	var e, claimed float64
	for k := 100; k < n-100; k++ {
		d := dq[k] - speed(clock[k])
		e += d * d
		claimed += sd[k] * sd[k]
	}
	// The motion is smoother than a jerk that is white noise.
	if r := math.Sqrt(e / claimed); r < 0.6 || r > 1.1 {
		t.Errorf("velocity errors are %.3g of what the smoother claims", r)
	}
	// Differences of neighbouring rows have noise of √2·noise/dt.
	if r := math.Sqrt(e/float64(n-200)) / (math.Sqrt2 * noise / dt); r > 0.2 {
		t.Errorf("velocity errors are %.3g of those of differences", r)
	}
}

func BenchmarkSmoother(b *testing.B) {
	n := 100_000
	clock, x, dq := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range clock {
		clock[k] = float64(k) * 1e-3
		x[k] = math.Sin(clock[k])
	}
	s := filter.SmootherCutoff(20, 1e-4, 1e-3)
	for b.Loop() {
		s.Smooth(nil, dq, nil, nil, clock, x)
	}
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "samples/s")
}

func BenchmarkSavitzkyGolay(b *testing.B) {
	n := 100_000
	x, dst := make([]float64, n), make([]float64, n)
	s := filter.NewSavitzkyGolay(10, 3, 1)
	for b.Loop() {
		s.Apply(dst, x, 1e-3)
	}
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "samples/s")
}
