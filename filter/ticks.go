package filter

import (
	"math"
	"slices"
)

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
	var breaks []int // rows before which others were lost
	for {
		var unsteady int
		if r, interval, unsteady, ok = t.ticked(c, tick, breaks); ok || unsteady < 0 || (len(breaks)+1)*seldomLost > t.Len() {
			return r, tick, interval, ok
		}
		breaks = append(breaks, unsteady)
		slices.Sort(breaks)
	}
}

// seldomLost is the least number of rows for one that was lost between them.
const seldomLost = 200

// ticked returns the steady clock of rows in ticks and the interval between them. Rows of breaks begin another stretch, as rows behind a gap do. If a
// stretch is not steady, unsteady is the row of it from which on its times are later by an interval or more, -1 if there is none.
func (t *Times) ticked(c Clock, tick float64, breaks []int) (r *Times, interval float64, unsteady int, ok bool) {
	// each calls visit for all rows with the number of the stretch between gaps, and the row's own number in it.
	each := func(visit func(stretch int, n, time float64)) {
		stretch, n, last := 0, 0.0, t.At(0)
		next := breaks
		t.Each(func(first int, part []float64) {
			for i, time := range part {
				lost := len(next) > 0 && next[0] == first+i
				if lost {
					next = next[1:]
				}
				if lost || time-last > 2.5*tick {
					stretch, n = stretch+1, 0
				}
				visit(stretch, n, time)
				n, last = n+1, time
			}
		})
	}
	type sums struct {
		m, n, nn, t, nt, first float64
		row                    int
	}
	var of []sums
	rows := 0
	each(func(stretch int, n, time float64) {
		if stretch == len(of) {
			of = append(of, sums{first: time, row: rows})
		}
		s, d := &of[stretch], time-of[stretch].first
		s.m, s.n, s.nn, s.t, s.nt = s.m+1, s.n+n, s.nn+n*n, s.t+d, s.nt+n*d
		rows++
	})
	num, den := 0.0, 0.0
	for _, s := range of {
		num, den = num+s.nt-s.n*s.t/s.m, den+s.nn-s.n*s.n/s.m
	}
	if interval = num / den; !(interval > 0 && interval < tick) {
		return nil, 0, -1, false
	}
	rests := make([]tickRests, len(of))
	for i, s := range of {
		rests[i] = tickRests{mean: s.first + (s.t-interval*s.n)/s.m, low: math.Inf(1), high: math.Inf(-1)}
	}
	each(func(stretch int, n, time float64) { rests[stretch].add(time - n*interval) })
	for i := range rests {
		if !rests[i].steady(tick+2*c.Resolution, interval) {
			return nil, 0, lostBefore(t.Slice(of[i].row, of[i].row+int(of[i].m)).All(), interval, of[i].row), false
		}
	}
	r = new(Times)
	each(func(stretch int, n, _ float64) { r.Append(rests[stretch].mean + n*interval) })
	steady := r.Clock()
	return r, interval, -1, steady.Ascends()
}

// lostBefore returns the row, counted from first, from which on times leave a line by a step of half an interval or more, which is where the
// squares about two parallel lines are the least; -1 if there is none.
func lostBefore(times []float64, interval float64, first int) (row int) {
	m := float64(len(times))
	mid := (m - 1) / 2
	num, den, mean := 0.0, 0.0, 0.0
	for n, x := range times {
		mean += (x - times[0]) / m
		num, den = num+(float64(n)-mid)*(x-times[0]), den+(float64(n)-mid)*(float64(n)-mid)
	}
	row = -1
	rest, count, along, most := 0.0, 0.0, 0.0, 0.0 // sums over the rows from n on
	for n := len(times) - 1; n > 0; n-- {
		d := float64(n) - mid
		rest, count, along = rest+times[n]-times[0]-mean-num/den*d, count+1, along+d
		if z := count - count*count/m - along*along/den; z > 0.5 && rest >= interval/2*z && rest*rest > most*z {
			row, most = first+n, rest*rest/z
		}
	}
	return row
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
