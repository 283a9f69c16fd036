package filter

import "math"

// counters returns the lengths after which clocks begin again, in the numbers of a log: 2^16, 2^24 and 2^32 times the declared unit (1 if
// none is declared), and a second and a day in s, ms, µs or ns (1 and 86400 if a unit is declared).
func counters() (all []float64) {
	for _, unit := range []float64{1, 1e-3, 1e-6, 1e-9} {
		all = append(all, math.Ldexp(unit, 16), math.Ldexp(unit, 24), math.Ldexp(unit, 32))
	}
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		all = append(all, unit, 86400*unit)
	}
	return all
}

// Unwrapped returns the times of a clock that began again whenever its counter was full, as if it had gone on, with the length of the counter
// and the rows at which it began again. c must be the clock of t. Every time that runs backward must do so from the counter's end, within Gap
// intervals, to its beginning, which is zero or, of a signed counter, minus half of its length. ok is false otherwise, and for a log that
// starts where the counter does: it is one of several runs one behind the other.
func (t *Times) Unwrapped(c Clock) (r *Times, length float64, ok bool) {
	if len(c.Backward) == 0 || len(c.NaN) > 0 || !(c.Median > 0) {
		return nil, 0, false
	}
	near := Gap * c.Median
	for _, length = range counters() {
		for _, start := range []float64{0, -length / 2} {
			if near > length/4 || c.Start <= start+near {
				continue
			}
			fits := true
			for _, k := range c.Backward {
				before, behind := t.At(k-1), t.At(k)
				step := behind + length - before
				fits = fits && before >= start+length-near && behind <= start+near && step > 0 && step <= near
			}
			t.Each(func(_ int, part []float64) {
				for _, v := range part {
					fits = fits && v >= start && v <= start+length
				}
			})
			if !fits {
				continue
			}
			r = new(Times)
			turns, next := 0.0, 0
			t.Each(func(first int, part []float64) {
				for i, v := range part {
					if next < len(c.Backward) && c.Backward[next] == first+i {
						turns++
						next++
					}
					r.Append(v + turns*length)
				}
			})
			return r, length, true
		}
	}
	return nil, 0, false
}
