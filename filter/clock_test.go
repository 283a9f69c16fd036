package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestClockOfRoundedTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.Float64Range(5e-4, 0.02).Draw(t, "period")
		start := rapid.SampledFrom([]float64{0, -3.2, 12345.678, 1.7e9}).Draw(t, "start")
		digits := rapid.IntRange(4, 9).Draw(t, "digits")
		n := rapid.IntRange(3, 3000).Draw(t, "n")
		scale := math.Pow10(digits)
		times := make([]float64, n)
		for i := range times {
			times[i] = math.Round((start+float64(i)*period)*scale) / scale
		}
		c := AnalyseClock(times)
		if coarse := 1 / scale; coarse <= period/8 && !c.Uniform {
			t.Fatalf("not uniform: %+v", c)
		}
		if math.Abs(c.Period-period) > 2/scale/float64(n-1)+1e-6/float64(n-1) {
			t.Fatalf("period %g, want %g", c.Period, period)
		}
	})
}

// One lost sample shows at every resolution, wherever it is.
func TestClockFindsALostSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.IntRange(3, 6).Draw(t, "digits")
		steps := rapid.IntRange(1, 20).Draw(t, "period in last digits")
		n := rapid.IntRange(5, 2000).Draw(t, "n")
		lost := rapid.IntRange(1, n-2).Draw(t, "lost")
		scale := math.Pow10(digits)
		var times []float64
		for i := range n {
			if i != lost {
				times = append(times, float64(i*steps)/scale)
			}
		}
		if c := AnalyseClock(times); c.Uniform {
			t.Fatalf("uniform without sample %d of %d: %+v", lost, n, c)
		}
	})
}

func TestClockListsFaults(t *testing.T) {
	times := make([]float64, 100)
	for i := range times {
		times[i] = 0.01 * float64(i)
	}
	times[20] = math.NaN()
	times[30] = times[29]
	times[40] = times[39] - 0.5
	for i := 60; i < 100; i++ {
		times[i] += 0.2
	}
	c := AnalyseClock(times)
	if !slices.Equal(c.NaN, []int{20}) || !slices.Equal(c.Repeated, []int{30}) ||
		!slices.Equal(c.Backward, []int{40}) || !slices.Equal(c.Gaps, []int{41, 60}) {
		t.Errorf("faults at %v, %v, %v, %v", c.NaN, c.Repeated, c.Backward, c.Gaps)
	}
	if c.Uniform || math.Abs(c.Median-0.01) > 1e-12 || c.Rows != 100 || c.Start != 0 {
		t.Errorf("%+v", c)
	}
}

func TestClockWithJitter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	times := make([]float64, 1000)
	for i := range times {
		times[i] = 0.008*float64(i) + 1e-4*r.NormFloat64()
	}
	if c := AnalyseClock(times); c.Uniform || c.Jitter < 1e-4 || len(c.Gaps) > 0 {
		t.Errorf("%+v", c)
	}
}

func TestClockOfFewRows(t *testing.T) {
	nan := math.NaN()
	for _, times := range [][]float64{nil, {3}, {nan}, {nan, nan}, {nan, 3}, {3, 3}, {3, 2}} {
		if c := AnalyseClock(times); c.Uniform || c.Median != 0 || c.Rows != len(times) {
			t.Errorf("%v: %+v", times, c)
		}
	}
	if c := AnalyseClock([]float64{1, 1.5}); !c.Uniform || c.Period != 0.5 {
		t.Errorf("two rows: %+v", c)
	}
}
