package filter

import "math"

// finestRounding is the resolution of printed times, in intervals, below which rounding does not matter.
const finestRounding = 1e-3

// Regular returns the times of the steady clock from which ascending times were rounded, if there is one: t0 + n·period
// with whole, ascending n, some possibly missing, and no time farther from the printed one than its resolution allows. c
// must be the clock of t. An example are millisecond stamps of a controller at 300 Hz: interpolating between the stamps
// would add noise of speed times half a millisecond. ok is false if there is none, or if the resolution is below a
// thousandth or above half of an interval.
func (t *Times) Regular(c Clock) (r *Times, period float64, missing, ok bool) {
	if c.Resolution < finestRounding*c.Median || c.Resolution > c.Median/2 || t.Len() < 3 {
		return nil, 0, false, false
	}
	first := t.At(0)
	// each visits all rows with their number on the clock, which advances by the intervals in units of step.
	each := func(step float64, visit func(n, time float64)) {
		n, last := 0.0, first
		t.Each(func(_ int, part []float64) {
			for _, time := range part {
				n += math.Round((time - last) / step)
				last = time
				visit(n, time)
			}
		})
	}
	count, sum, last := 0.0, 0.0, first
	t.Each(func(_ int, part []float64) {
		for _, time := range part {
			if d := time - last; d >= c.Median/2 && d <= 1.5*c.Median {
				count++
				sum += d
			}
			last = time
		}
	})
	if count == 0 {
		return nil, 0, false, false
	}
	step := sum / count
	// Fit a line through the rows by least squares, to what the mean interval leaves.
	var m, sn, snn, sr, snr, end float64
	each(step, func(n, time float64) {
		rest := time - first - n*step
		m++
		sn, snn, sr, snr, end = sn+n, snn+n*n, sr+rest, snr+n*rest, n
	})
	slope := (m*snr - sn*sr) / (m*snn - sn*sn)
	offset := (sr - slope*sn) / m
	period = step + slope
	low, high := math.Inf(1), math.Inf(-1)
	each(step, func(n, time float64) {
		rest := time - first - offset - n*period
		low, high = min(low, rest), max(high, rest)
	})
	// The fitted line is not the best one: for rounded times it leaves up to a tenth more than the resolution.
	if !(high-low <= 1.1*c.Resolution) {
		return nil, 0, false, false
	}
	r = new(Times)
	each(step, func(n, _ float64) { r.Append(first + offset + n*period) })
	return r, period, end != m-1, true
}
