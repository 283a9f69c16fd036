package observation

import (
	"fmt"
	"math"

	"ident/datasets"
	"ident/filter"
)

// evenMotion is the least motion within ticks, as a part of that between them, of rows that were sampled evenly. Rows that hold one sample
// several times do not move within a tick; those of a source that is slower than the log move less.
const evenMotion = 0.5

// leastShared is the least number of pairs of rows with one time that tell, by their mean step, how the robot moves between them: its error is
// then about a fifth.
const leastShared = 20

// ReadClock returns the log with the times at which its rows were sampled, where its stamps are not these but tell them: those of a counter that
// began again, those of a clock that was set while the robot moved, those of a clock with ticks longer than the interval between rows, and those of rows that were stamped late by varying times, so
// that some share a time; the two last if the positions move as much between rows of one time as between others. Notes of the log say so. Any other log is returned as it is.
func ReadClock(l *datasets.Log, roles datasets.Roles) (*datasets.Log, error) {
	if roles.T == "" || !l.Has(roles.T) {
		return l, nil
	}
	t := new(filter.Times)
	if err := l.Scan([]string{roles.T}, scanRows, func(_ int, cols [][]float64) error { t.Append(cols[0]...); return nil }); err != nil {
		return l, err
	}
	c := t.Clock()
	if r, length, ok := t.Unwrapped(c); ok {
		l = withTimes(l, roles.T, fmt.Sprintf("counts up to %.10g s and began again %s: read as if it had gone on", length, times(len(c.Backward))), r)
		t, c = r, r.Clock()
	}
	if r, steps, err := setSteps(l, roles, t, c); err != nil {
		return l, err
	} else if len(steps) > 0 {
		l = withTimes(l, roles.T, told(steps), r)
		t, c = r, r.Clock()
	}
	if len(c.Repeated) == 0 {
		return l, nil
	}
	r, tick, interval, ok := t.Ticks(c)
	note := fmt.Sprintf("advances in ticks of %.4g ms, with several rows in each: read as a steady clock of %.6g Hz", 1e3*tick, 1/interval)
	if !ok {
		if r, _, ok = t.Jittered(c); !ok || len(c.Repeated) < leastShared {
			return l, nil
		}
		steady := r.Clock()
		note = fmt.Sprintf("is the same at %d pairs of rows between which the robot moves as between others: read as a steady clock of %.6g Hz", len(c.Repeated), 1/steady.Median)
	}
	even, err := movesEvenly(l, roles, t)
	if err != nil || !even {
		return l, err
	}
	return withTimes(l, roles.T, note, r), nil
}

// times says how often.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func withTimes(l *datasets.Log, channel, note string, t *filter.Times) *datasets.Log {
	return l.WithClock(channel, note, func(dst []float64, first int) { t.Part(dst[:0], first, first+len(dst)) })
}

// movesEvenly reports whether every position that moves does so as much between rows of one time as between rows of two.
func movesEvenly(l *datasets.Log, roles datasets.Roles, t *filter.Times) (bool, error) {
	var names []string
	for _, name := range roles.Q {
		if name != "" {
			names = append(names, name)
		}
	}
	sums := make([][2]float64, len(names)) // of the steps between rows of two times, and of one
	var rows [2]float64
	last, before := make([]float64, len(names)), math.Inf(-1)
	err := l.Scan(names, scanRows, func(first int, cols [][]float64) error {
		if len(cols) == 0 {
			return nil
		}
		for i, time := range t.Part(nil, first, first+len(cols[0])) {
			same := 0
			if time == before {
				same = 1
			}
			rows[same]++
			for c := range cols {
				if d := math.Abs(cols[c][i] - last[c]); first+i > 0 && !math.IsNaN(d) {
					sums[c][same] += d
				}
				last[c] = cols[c][i]
			}
			before = time
		}
		return nil
	})
	moves := false
	for _, s := range sums {
		between, within := s[0]/rows[0], s[1]/rows[1]
		if between+within == 0 {
			continue
		}
		if moves = true; within < evenMotion*between || between < evenMotion*within {
			return false, err
		}
	}
	return moves, err
}
