package filter

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The median of a clock's intervals is that of the sorted intervals, of few values and of many.
func TestMedianInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{2, 3, 50, 2*maxSteps + 1, 2*maxSteps + 2}).Draw(t, "rows")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		few := rapid.Bool().Draw(t, "few values")
		times, steps := []float64{rng.Float64()}, []float64(nil)
		for range n - 1 {
			step := rng.ExpFloat64() * 1e-3
			if few {
				step = float64(1+rng.IntN(5)) * 0x1p-10
			}
			last := times[len(times)-1]
			times = append(times, last+step)
			if v := last + step - last; v > 0 {
				steps = append(steps, v)
			}
		}
		slices.Sort(steps)
		want := steps[len(steps)/2]
		if len(steps)%2 == 0 {
			want = (steps[len(steps)/2-1] + want) / 2
		}
		packed := NewTimes(times).Clock()
		if c := AnalyseClock(times); c.Median != want || c.Min != steps[0] || c.Max != steps[len(steps)-1] || packed.Median != want || packed.Jitter != c.Jitter {
			t.Fatalf("median %v, packed %v, want %v", c.Median, packed.Median, want)
		}
	})
}
