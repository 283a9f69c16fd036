package filter

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Rows at steady intervals that a coarse clock stamps are found, with their interval; a lost row, and rows that are written twice, are not taken for them.
func TestTicksOfSteadyRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tick := rapid.SampledFrom([]float64{1.0 / 64, 0.0156, 0.01, 0.016}).Draw(t, "tick")
		interval := tick / rapid.Float64Range(1.3, 12).Draw(t, "rows a tick")
		rows := rapid.IntRange(1000, 4000).Draw(t, "rows")
		phase := rapid.Float64Range(0, 1).Draw(t, "phase")
		lost := rapid.IntRange(rows/3, 2*rows/3).Draw(t, "lost")
		stamp := func(k int) float64 { return math.Floor((float64(k)*interval/tick)+phase) * tick }
		var steady, without []float64
		for k := range rows {
			if steady = append(steady, stamp(k)); k < lost || k > lost+3 {
				without = append(without, stamp(k))
			}
		}
		times := NewTimes(steady)
		r, length, step, ok := times.Ticks(times.Clock())
		if !ok || math.Abs(length-tick) > 1e-9 || math.Abs(step-interval) > 2*tick/float64(rows) {
			t.Fatalf("ticks of %g s, rows at %g s: %v, %g, %g", tick, interval, ok, length, step)
		}
		for k := range rows {
			if math.Abs(r.At(k)-r.At(0)-float64(k)*interval) > 2.5*tick {
				t.Fatalf("row %d at %g, not %g", k, r.At(k), float64(k)*interval)
			}
		}
		times = NewTimes(without) // a gap of ticks shows, and is no lost row
		if r, _, _, ok = times.Ticks(times.Clock()); !ok {
			return
		}
		for _, k := range []int{0, lost - 1, lost, len(without) - 1} {
			if math.Abs(r.At(k)-without[k]) > 1.5*tick {
				t.Fatalf("row %d at %g, not %g", k, r.At(k), without[k])
			}
		}
	})
}

func TestUnwrappedCounters(t *testing.T) {
	for _, c := range []struct {
		name               string
		start, length, low float64
		want               bool
	}{
		{"32 bits of microseconds", 4290, math.Ldexp(1e-6, 32), 0, true},
		{"signed", 2140, math.Ldexp(1e-6, 32), -math.Ldexp(1e-6, 31), true},
		{"16 bits of milliseconds", 60, 65.536, 0, true},
		{"a day", 86390, 86400, 0, true},
		{"from the counter's own start: two runs", 0, 65.536, 0, false},
		{"no counter has this length", 12, 20, 0, false},
	} {
		var times []float64
		for k := range 20000 {
			times = append(times, c.low+math.Mod(c.start-c.low+0.004*float64(k), c.length))
		}
		packed := NewTimes(times)
		r, length, ok := packed.Unwrapped(packed.Clock())
		if ok != c.want || ok && math.Abs(length-c.length) > 1e-9 {
			t.Errorf("%s: %v, %g", c.name, ok, length)
			continue
		}
		if ok && math.Abs(r.At(19999)-r.At(0)-0.004*19999) > 1e-6 {
			t.Errorf("%s: ends %g s behind its start", c.name, r.At(19999)-r.At(0))
		}
	}
}

// A row or two that were lost shift the rows behind them by an interval each: the clock stays that of the rows.
func TestTicksWithLostRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tick = 1.0 / 64
		interval := tick / rapid.Float64Range(1.5, 8).Draw(t, "rows a tick")
		rows := rapid.IntRange(1500, 4000).Draw(t, "rows")
		first := rapid.IntRange(rows/4, rows/2).Draw(t, "lost")
		second := first + rapid.IntRange(rows/4, rows/3).Draw(t, "to the next")
		var stamps, times []float64
		for k := range rows {
			if at := float64(k) * interval; k != first && k != second {
				times, stamps = append(times, at), append(stamps, math.Floor(at/tick)*tick)
			}
		}
		packed := NewTimes(stamps)
		r, _, step, ok := packed.Ticks(packed.Clock())
		if !ok || math.Abs(step/interval-1) > 4/float64(rows) { // a lost row that the ticks hide is in the interval
			t.Fatalf("rows at %g s: %v, %g", interval, ok, step)
		}
		for k := range times {
			if d := r.At(k) - times[k] + tick/2; math.Abs(d) > tick/2+interval { // the phase in a tick is unknown
				t.Fatalf("row %d is off by %g s", k, d)
			}
		}
	})
}
