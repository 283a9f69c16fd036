package filter_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"ident/filter"
)

// White noise has a flat density whose integral is its variance; a sinusoid is one line of its RMS.
func TestWelch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const rate = 500.0
	x := make([]float64, 20000)
	for k := range x {
		x[k] = 3 + 0.2*rng.NormFloat64() + 0.5*math.Sin(2*math.Pi*61.3*float64(k)/rate)
	}
	s := filter.Welch(x, rate, 2000)
	if v := s.Power(0, rate); math.Abs(v/(0.04+0.125)-1) > 0.02 {
		t.Errorf("power %g, want %g", v, 0.04+0.125)
	}
	lines := s.Lines(5, 30)
	if len(lines) != 1 || math.Abs(lines[0].Frequency-61.3) > s.Step || math.Abs(lines[0].RMS/math.Sqrt(0.125)-1) > 0.03 {
		t.Errorf("lines %+v", lines)
	}
	if f := s.Below(0.9); math.Abs(f-rate/2*0.6) > 6 { // 0.9 = (0.125 + 0.04·f/250)/0.165
		t.Errorf("nine tenths of the power below %g Hz", f)
	}
	if s := filter.Welch(x[:10], rate, 100); len(s.Density) != 0 {
		t.Error("a spectrum of ten samples")
	}
}

// Interpolate agrees with Resample on a grid, and reproduces cubics at any times.
func TestInterpolate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	cubic := func(t float64) float64 { return 1 + t*(2+t*(-3+0.5*t)) }
	var knots, x []float64
	for s := 0.0; s < 10; s += 0.05 + 0.1*rng.Float64() {
		knots, x = append(knots, s), append(x, cubic(s))
	}
	var at []float64
	for s := knots[0] + 0.01; s < knots[len(knots)-1]; s += 0.3 * rng.Float64() {
		at = append(at, s)
	}
	got := make([]float64, len(at))
	filter.Interpolate(got, knots, x, at)
	for k, s := range at {
		if math.Abs(got[k]-cubic(s)) > 1e-10 {
			t.Fatalf("at %g: %g, want %g", s, got[k], cubic(s))
		}
	}
	filter.Interpolate(at, knots, x, at) // in place
	for k := range at {
		if at[k] != got[k] {
			t.Fatal("in place differs")
		}
	}
}

// Segments that have served other lengths give the bits of new ones.
func TestSegmentsAreKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := make([]float64, 5000)
	for k := range x {
		x[k] = rng.NormFloat64()
	}
	var g filter.Segments
	for _, n := range []int{200, 1001, 200, 8} {
		for range 2 {
			got, want := g.Welch(x[n:], 100, n), filter.Welch(x[n:], 100, n)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("segments of %d samples differ when they are used again", n)
			}
		}
	}
}

func BenchmarkWelch(b *testing.B) {
	x := make([]float64, 50_000)
	for k := range x {
		x[k] = float64(k % 97)
	}
	var g filter.Segments
	b.ReportAllocs()
	for b.Loop() {
		g.Welch(x, 1000, 4000)
	}
}
