package filter

import "math"

// Bounds of stamps that a clock of coarse ticks gave to evenly sampled rows.
const (
	// leastRepeated is the part of the rows that have the time of the row before: less are rows that were written twice here and there.
	leastRepeated = 0.05
	// lateTick is how far, in intervals between rows, a row may be off the steady clock beyond the length of a tick: a lost row shifts all behind it
	// by a whole one. Rows that are stamped late now and then may be off by latestTick, if their deviations do not add up (largestWalk).
	lateTick, latestTick = 0.75, 4
)

// Ticks returns the steady clock of rows whose times are those of ticks that are longer than the interval between rows, as of a computer whose
// clock advances in steps of 15.6 ms, with the length of a tick and the interval in seconds. c must be the clock of t. Between gaps of several
// ticks, each row must lie within a tick and lateTick intervals of one line, whose slope is the same throughout. It cannot say whether the rows
// were sampled evenly: the log may hold each sample several times, see StampTest.
func (t *Times) Ticks(c Clock) (r *Times, tick, interval float64, ok bool) {
	if float64(len(c.Repeated)) < leastRepeated*float64(t.Len()) || len(c.Backward)+len(c.NaN) > 0 || t.Len() < leastStamps {
		return nil, 0, 0, false
	}
	tick = c.Median
	// each calls visit for all rows with the number of the stretch between gaps, and the row's own number in it.
	each := func(visit func(stretch int, n, time float64)) {
		stretch, n, last := 0, 0.0, t.At(0)
		t.Each(func(_ int, part []float64) {
			for _, time := range part {
				if time-last > 2.5*tick {
					stretch, n = stretch+1, 0
				}
				visit(stretch, n, time)
				n, last = n+1, time
			}
		})
	}
	type sums struct{ m, n, nn, t, nt, first float64 }
	var of []sums
	each(func(stretch int, n, time float64) {
		if stretch == len(of) {
			of = append(of, sums{first: time})
		}
		s, d := &of[stretch], time-of[stretch].first
		s.m, s.n, s.nn, s.t, s.nt = s.m+1, s.n+n, s.nn+n*n, s.t+d, s.nt+n*d
	})
	num, den := 0.0, 0.0
	for _, s := range of {
		num, den = num+s.nt-s.n*s.t/s.m, den+s.nn-s.n*s.n/s.m
	}
	if interval = num / den; !(interval > 0 && interval < tick) {
		return nil, 0, 0, false
	}
	rests := make([]tickRests, len(of))
	for i, s := range of {
		rests[i] = tickRests{mean: s.first + (s.t-interval*s.n)/s.m, low: math.Inf(1), high: math.Inf(-1)}
	}
	each(func(stretch int, n, time float64) { rests[stretch].add(time - n*interval) })
	for i := range rests {
		if !rests[i].steady(tick+2*c.Resolution, interval) {
			return nil, 0, 0, false
		}
	}
	r = new(Times)
	each(func(stretch int, n, _ float64) { r.Append(rests[stretch].mean + n*interval) })
	steady := r.Clock()
	return r, tick, interval, steady.Ascends()
}

// tickRests are the deviations of the rows of a stretch from a line.
type tickRests struct{ mean, low, high, n, sum, squares, walk float64 }

func (s *tickRests) add(rest float64) {
	d := rest - s.mean
	s.low, s.high = min(s.low, d), max(s.high, d)
	s.n, s.sum, s.squares = s.n+1, s.sum+d, s.squares+d*d
	s.walk = max(s.walk, math.Abs(s.sum))
}

// steady reports whether the deviations are those of rows at steady intervals in ticks of the given length.
func (s *tickRests) steady(tick, interval float64) bool {
	height := s.high - s.low
	return height <= tick+lateTick*interval || height <= tick+latestTick*interval && s.walk <= largestWalk*math.Sqrt(s.squares)
}

// Ascends reports whether every row has a time, behind that of the row before.
func (c *Clock) Ascends() bool { return len(c.NaN)+len(c.Repeated)+len(c.Backward) == 0 }
