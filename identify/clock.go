package identify

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"ident/filter"
)

// ErrBadRow is wrapped by the errors that a row of a log causes.
var ErrBadRow = errors.New("a row cannot be used")

// RowError says which row of which log cannot be used, and why.
type RowError struct {
	Log, Channel string
	Row          int // of the whole log, from 1, without a header
	Why          string
}

func (e *RowError) Error() string {
	return fmt.Sprintf("%s: row %d, column %s: %s; mend the log, choose rows with --rows, or leave such rows out with --on-bad drop", e.Log, e.Row, e.Channel, e.Why)
}

func (e *RowError) Unwrap() error { return ErrBadRow }

// segment is a stretch of a run without long gaps, on a uniform clock.
type segment struct {
	run     int
	first   int       // row of the log
	last    int       // one past the last row
	t       []float64 // times of the usable rows of the stretch, nil where uniform
	bad     []int     // rows within [first, last) to leave out, ascending
	uniform bool      // rows can be used as they are
	t0, dt  float64   // of the uniform clock
	n       int       // samples of the uniform clock
}

// A gap longer than this many seconds, and longer than ten intervals, ends a
// segment: interpolation across it would invent motion that a low-pass at 10 Hz
// still passes.
const longGap = 0.1

// clock reads every used channel of a run once, and cuts the run into segments.
func clock(index int, run *Run, channels []string, drop bool) ([]segment, int, error) {
	// A damaged file may claim any number of rows.
	t := make([]float64, 0, min(run.Log.Rows(), 1<<24))
	var bad []int
	latest, disordered := math.Inf(-1), false
	bounds := make([]float64, len(channels)) // +Inf where there is none
	for c, name := range channels {
		bounds[c] = math.Inf(1)
		if b, ok := run.Bounds[name]; ok {
			bounds[c] = b
		}
	}
	err := run.Log.Scan(channels, 8192, func(first int, cols [][]float64) error {
		for i := range cols[0] {
			why, at := "", 0
			for c := range cols {
				v := cols[c][i]
				if math.IsNaN(v) || math.IsInf(v, 0) {
					why, at = fmt.Sprintf("%g is not a number to compute with", v), c
					break
				}
				if math.Abs(v) > bounds[c] {
					why, at = fmt.Sprintf("%g is beyond anything that the channel can be (%g)", v, bounds[c]), c
					break
				}
			}
			if why == "" && cols[0][i] <= latest {
				disordered = true
			}
			if why == "" && cols[0][i] <= latest && !drop {
				why = fmt.Sprintf("time %.9g s does not come after %.9g s", cols[0][i], latest)
			}
			if why != "" {
				if !drop {
					return &RowError{Log: run.Name, Channel: channels[at], Row: run.First + first + i + 1, Why: why}
				}
				bad = append(bad, first+i)
				continue
			}
			latest = max(latest, cols[0][i])
			t = append(t, cols[0][i])
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	if disordered {
		t, bad = ordered(t, bad)
	}
	if len(t) < minSamples {
		return nil, 0, fmt.Errorf("%s: %d usable rows; a fit needs at least %d", run.Name, len(t), minSamples)
	}
	c := filter.AnalyseClock(t)
	limit := max(longGap, 10*c.Median)
	var out []segment
	start, row, next := 0, 0, 0 // row is that of time i-1, bad[next] the first bad row after it
	first := -1                 // row of time start
	for i := 1; i <= len(t); i++ {
		for next < len(bad) && bad[next] == row {
			row++
			next++
		}
		if first < 0 {
			first = row
		}
		row++
		if i < len(t) && t[i]-t[i-1] <= limit {
			continue
		}
		if i-start >= minSamples {
			out = append(out, newSegment(index, t[start:i], first, row, bad))
		}
		start, first = i, -1
	}
	if len(out) == 0 {
		return nil, 0, fmt.Errorf("%s: its time has gaps of more than %.3g s everywhere; a fit needs stretches of at least %d rows", run.Name, limit, minSamples)
	}
	return out, len(bad), nil
}

// minSamples is the least that differences and filters can work on.
const minSamples = 12

func newSegment(run int, t []float64, first, last int, bad []int) segment {
	s := segment{run: run, first: first, last: last, t: t, t0: t[0]}
	lo, hi := sort.SearchInts(bad, first), sort.SearchInts(bad, last)
	s.bad = bad[lo:hi]
	c := filter.AnalyseClock(t)
	s.uniform = c.Uniform && len(s.bad) == 0
	s.dt = c.Median
	if s.uniform {
		// Ten million times would stay for nothing.
		s.dt, s.n, s.t = c.Period, len(t), nil
		return s
	}
	s.n = filter.Grid(s.t0, t[len(t)-1], s.dt)
	return s
}
