package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func irregular(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 3))
	t := make([]float64, n)
	for i := 1; i < n; i++ {
		t[i] = t[i-1] + 0.1 + r.Float64()
	}
	return t
}

func TestResampleIsExactForCubics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		degree := min(n-1, 3)
		coef := rapid.SliceOfN(rapid.Float64Range(-1, 1), degree+1, degree+1).Draw(t, "coefficients")
		knots := irregular(n, uint64(n))
		span := max(knots[n-1], 1)
		x := make([]float64, n)
		for i := range x {
			x[i] = poly(coef, knots[i]/span, 0)
		}
		m := rapid.IntRange(1, 200).Draw(t, "m")
		t0 := knots[n-1] * rapid.Float64Range(0, 1).Draw(t, "t0")
		dt := (knots[n-1] - t0) / float64(m)
		if dt <= 0 {
			t0, dt, m = knots[n-1], 1, 1
		}
		dst := make([]float64, m)
		Resample(dst, knots, x, t0, dt)
		for k, v := range dst {
			if want := poly(coef, (t0+float64(k)*dt)/span, 0); math.Abs(v-want) > 1e-12 {
				t.Fatalf("at %g: %g, want %g", t0+float64(k)*dt, v, want)
			}
		}
	})
}

func TestResampleReturnsKnots(t *testing.T) {
	x := noise(50, 1)
	times := make([]float64, len(x))
	for i := range times {
		times[i] = 0.25 * float64(i)
	}
	dst := make([]float64, len(x))
	Resample(dst, times, x, 0, 0.25)
	if distance(dst, x) > 1e-15*largest(x) {
		t.Errorf("knots move by %g", distance(dst, x))
	}
}

// Halving the spacing divides the error by sixteen, and on an even grid the error
// is within the stated bound.
func TestResampleIsOfFourthOrder(t *testing.T) {
	worst := func(h float64, jitter float64) float64 {
		r := rand.New(rand.NewPCG(7, 7))
		n := int(10/h) + 1
		times, x := make([]float64, n), make([]float64, n)
		for i := range times {
			times[i] = h * (float64(i) + jitter*r.Float64())
			x[i] = math.Sin(times[i])
		}
		dst := make([]float64, 3777)
		dt := (times[n-1] - times[0]) / float64(len(dst))
		Resample(dst, times, x, times[0], dt)
		e := 0.0
		for k, v := range dst {
			e = max(e, math.Abs(v-math.Sin(times[0]+float64(k)*dt)))
		}
		return e
	}
	for _, jitter := range []float64{0, 0.5} {
		order := math.Log2(worst(0.05, jitter) / worst(0.025, jitter))
		if order < 3.5 {
			t.Errorf("jitter %g: order %g", jitter, order)
		}
	}
	if h := 0.01; worst(h, 0) > 1.1*math.Pow(h, 4)/384 {
		t.Errorf("error %g on an even grid, stated %g", worst(h, 0), math.Pow(h, 4)/384)
	}
}

func TestResampleRefuses(t *testing.T) {
	for name, f := range map[string]func(){
		"repeated time": func() { Resample(make([]float64, 2), []float64{0, 1, 1, 2}, make([]float64, 4), 0, 1) },
		"NaN":           func() { Resample(make([]float64, 2), []float64{0, math.NaN(), 2}, make([]float64, 3), 0, 1) },
		"outside":       func() { Resample(make([]float64, 4), []float64{0, 1, 2}, make([]float64, 3), 0, 1) },
		"lengths":       func() { Resample(make([]float64, 2), []float64{0, 1, 2}, make([]float64, 2), 0, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := irregular(rapid.IntRange(2, 50).Draw(t, "n"), 9)
		dt := rapid.Float64Range(0.01, 1).Draw(t, "dt")
		end := times[len(times)-1]
		dst := make([]float64, Grid(times[0], end, dt))
		Resample(dst, times, times, times[0], dt)
		if last := times[0] + float64(len(dst)-1)*dt; end-last > dt {
			t.Fatalf("grid ends %g s before the end", end-last)
		}
	})
	if n := Grid(0, 24.84, 0.001); n != 24841 {
		t.Errorf("24.84 s at 1 kHz are %d samples", n)
	}
}

func BenchmarkResample(b *testing.B) {
	times := irregular(10000, 1)
	x := noise(len(times), 1)
	dt := times[len(times)-1] / float64(len(times))
	dst := make([]float64, len(times))
	for b.Loop() {
		Resample(dst, times, x, 0, dt)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst)), "ns/sample")
}

// TestKnots: signals on one clock are those that Resample gives one by one, to the bit, whatever was set before.
func TestKnots(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var k Knots
	for _, n := range []int{1, 2, 4, 5, 6, 40, 7} {
		times := make([]float64, n)
		for i := 1; i < n; i++ {
			times[i] = times[i-1] + 0.5 + rng.Float64()
		}
		k.Set(times)
		for range 3 {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			want := make([]float64, Grid(0, times[n-1], 0.7))
			got := make([]float64, len(want))
			Resample(want, times, x, 0, 0.7)
			k.Resample(got, x, 0, 0.7)
			if !slices.Equal(got, want) {
				t.Errorf("%d knots: %v, want %v", n, got, want)
			}
		}
	}
}
