package filter

import "math"

// finestRounding is the height of a strip of stamps about a steady clock, in intervals, below which it does not matter by what they
// are off: at a speed v the motion is then off by v·dt/2000 at most, less than an encoder resolves. Stamps since 1970 in
// float64 seconds stand 2.4e-7 s apart, though a recording prints them in nanoseconds.
const finestRounding = 1e-3

// clockJitter is how far, in resolutions, a steady clock may wander beyond the rounding of its stamps.
const clockJitter = 0.1

// Regular returns the times of the steady clock from which ascending times were rounded, if there is one: t0 + n·period
// with whole, ascending n, some possibly missing, and no time farther from the printed one than its resolution allows. c
// must be the clock of t. Example: a controller at 300 Hz prints its times in whole milliseconds, and interpolating between
// these would add noise of speed times half a millisecond. ok is false if there is no such clock, or if the resolution is
// above half of the median interval. Times within a thousandth of an interval about a steady clock are its times,
// however many digits they are printed with.
func (t *Times) Regular(c Clock) (r *Times, period float64, missing, ok bool) {
	if c.Resolution > c.Median/2 || t.Len() < 3 {
		return nil, 0, false, false
	}
	first := t.At(0)
	// each calls visit for all rows with their number on the clock, which advances by the intervals in units of step.
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
	// Fit a line by least squares through what the mean interval leaves of the rows' times.
	var m, sn, snn, sr, snr, end float64
	each(step, func(n, time float64) {
		rest := time - first - n*step
		m++
		sn, snn, sr, snr, end = sn+n, snn+n*n, sr+rest, snr+n*rest, n
	})
	slope := (m*snr - sn*sr) / (m*snn - sn*sn)
	offset := (sr - slope*sn) / m
	period = step + slope
	// The line of least squares leaves at most 2.5 times the height of the lowest strip that holds the stamps: errors within ±h/2 turn it by
	// no more than 1.5·h over the log. Stamps that pass this screen have a small hull.
	low, high := math.Inf(1), math.Inf(-1)
	each(step, func(n, time float64) {
		rest := time - first - offset - n*period
		low, high = min(low, rest), max(high, rest)
	})
	allowed := max((1+clockJitter)*c.Resolution, finestRounding*c.Median)
	if !(high-low <= 2.5*allowed) {
		return nil, 0, false, false
	}
	var stamps strip
	each(step, func(n, time float64) { stamps.add(n, time-first-offset-n*period) })
	if !(stamps.height() <= allowed) {
		return nil, 0, false, false
	}
	r = new(Times)
	each(step, func(n, _ float64) { r.Append(first + offset + n*period) })
	return r, period, end != m-1, true
}

// strip finds the lowest strip between two parallel lines that holds points, whose x must ascend. It keeps their convex hull.
type strip struct{ lower, upper []point }

type point struct{ x, y float64 }

func (s *strip) add(x, y float64) {
	// extend appends a point to a chain that turns by the sign of turn, and removes what lies within from its end.
	extend := func(chain []point, turn float64) []point {
		for n := len(chain); n >= 2; n-- {
			a, b := chain[n-2], chain[n-1]
			if turn*((b.x-a.x)*(y-a.y)-(b.y-a.y)*(x-a.x)) > 0 {
				break
			}
			chain = chain[:n-1]
		}
		return append(chain, point{x, y})
	}
	s.lower, s.upper = extend(s.lower, 1), extend(s.upper, -1)
}

// height returns the least height, along y, of a strip that holds all points: that of a strip along an edge of the hull, as the height is a
// convex function of the slope, and linear between the slopes of edges.
func (s *strip) height() float64 {
	least := math.Inf(1)
	for _, chain := range [][]point{s.lower, s.upper} {
		for i := 1; i < len(chain); i++ {
			a, b := chain[i-1], chain[i]
			slope := (b.y - a.y) / (b.x - a.x)
			low, high := math.Inf(1), math.Inf(-1)
			for _, p := range s.lower {
				low = min(low, p.y-slope*p.x)
			}
			for _, p := range s.upper {
				high = max(high, p.y-slope*p.x)
			}
			least = min(least, high-low)
		}
	}
	return least
}
