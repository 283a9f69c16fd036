package filter_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ident/filter"
)

// Times of a steady clock that were rounded, or cut off, to milliseconds are found again to a fraction of a millisecond over the root of
// their number, whichever rows are lost; those of a clock that wanders are left alone.
func TestRegular(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(50, 400).Draw(t, "rate")
		rows := rapid.IntRange(500, 3000).Draw(t, "rows")
		start := rapid.Float64Range(0, 1e5).Draw(t, "start")
		lost := rapid.SliceOfN(rapid.IntRange(1, rows-2), 0, 5).Draw(t, "lost")
		round := math.Round
		if rapid.Bool().Draw(t, "cut off") {
			round = math.Floor
		}
		gone := map[int]bool{}
		for _, k := range lost {
			gone[k] = true
		}
		var exact, printed []float64
		for k := range rows {
			if at := start + float64(k)/rate; !gone[k] {
				exact = append(exact, at)
				printed = append(printed, round(at*1e3)/1e3)
			}
		}
		times := filter.NewTimes(printed)
		c := times.Clock()
		if c.Resolution < 1e-3*(1-1e-9) || c.Resolution > c.Median/2 {
			t.Skip("stamps that happen to be exact")
		}
		r, period, missing, ok := times.Regular(c)
		if !ok || missing != (len(gone) > 0) || r.Len() != len(exact) {
			t.Fatalf("ok %t, missing %t of %d lost", ok, missing, len(gone))
		}
		if e := math.Abs(period*rate - 1); e > 1e-3*rate/float64(rows) {
			t.Fatalf("period off by %g of itself", e)
		}
		// Both roundings are off by a constant between none and half a millisecond; the line adds up to half a millisecond at
		// its ends.
		shift := r.At(len(exact)/2) - exact[len(exact)/2]
		for k, at := range r.All() {
			if d := at - exact[k] - shift; math.Abs(d) > 1e-3 || math.Abs(shift) > 1e-3 {
				t.Fatalf("row %d off by %g s, the middle by %g s", k, d, shift)
			}
		}
	})
	// The beat of 2.9965 ms with the resolution takes 289 rows: the line of least squares leaves more than the resolution.
	var slow []float64
	for k := range 500 {
		slow = append(slow, math.Round(1e3*(1+float64(k)/333.71875))/1e3)
	}
	times := filter.NewTimes(slow)
	if _, _, _, ok := times.Regular(times.Clock()); !ok {
		t.Error("a clock whose beat takes half the log is not found")
	}
	var wander []float64
	for k := range 2000 {
		wander = append(wander, math.Round(1e3*(float64(k)/300+0.004*math.Sin(float64(k)/100)))/1e3)
	}
	times = filter.NewTimes(wander)
	if _, _, _, ok := times.Regular(times.Clock()); ok {
		t.Error("a clock that wanders by 4 ms is taken for a steady one")
	}
}
