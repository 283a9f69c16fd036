package observation

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"ident/filter"
	"ident/internal/hint"
)

// ErrBadRow is wrapped by errors about a row of a log.
var ErrBadRow = errors.New("a row cannot be used")

// RowError says which row of a log cannot be used.
type RowError struct {
	Log, Channel string
	Row          int // row of the whole log, from 1 after the header
	Why          string
}

func (e *RowError) Error() string { return e.Naming(hint.Key).Error() }

// Naming returns the error as text with name(key) in place of each setting.
func (e *RowError) Naming(name func(key string) string) error {
	return hint.Message{Format: "%s: row %d, column %s: %s; mend the log, choose rows with {rows}, or leave such rows out with {on-bad} drop", Args: []any{e.Log, e.Row, e.Channel, e.Why}}.Naming(name)
}

func (e *RowError) Unwrap() error { return ErrBadRow }

// Segment is a gap-free piece of a run, on a uniform clock: sample k is at
// T0 + k·DT seconds.
type Segment struct {
	Run         int  // index of the run among those of the identification
	First, Last int  // rows [First, Last) of the run's log
	Uniform     bool // rows are samples; otherwise they are resampled
	T0, DT      float64
	N           int     // number of samples
	Began       float64 // time of the run's first usable row, on the clock of T0
	Stamps      Stamps  // how the run's times were read
	// Flagged says that the segment lies between changes of a payload (Run.Payload), Attached that the payload was on in
	// all its rows. If there are several, Payload is its number.
	Flagged, Attached bool
	Payload           int

	head, tail int           // samples at the start and end that lie beyond a change of payload: filters use them, rows do not
	t          *filter.Times // of the usable rows, nil where uniform
	bad        []int         // rows within [First, Last) to leave out, ascending
}

// End returns the time of the last sample, in seconds.
func (s *Segment) End() float64 { return s.T0 + float64(s.N-1)*s.DT }

// Holes returns the intervals between usable rows that are longer than the given number of periods; a uniform segment
// has none.
func (s *Segment) Holes(periods float64) [][2]float64 {
	if s.t == nil {
		return nil
	}
	var out [][2]float64
	last := s.t.At(0)
	s.t.Each(func(_ int, part []float64) {
		for _, t := range part {
			if t-last > periods*s.DT {
				out = append(out, [2]float64{last, t})
			}
			last = t
		}
	})
	return out
}

const (
	// longGap: a gap longer than this many seconds and ten intervals ends a segment. Interpolation across it would invent
	// motion that a low-pass at 10 Hz still passes.
	longGap = 0.1
	// bridged is the number of intervals up to which a gap is always bridged. The slopes at its ends are those of neighbouring rows, so the noise of
	// one row becomes an error of up to a seventh of the number of intervals times as much.
	bridged = 10
	// cutShare is the part of a log that may be lost so that gaps of more than bridged intervals are not bridged.
	cutShare = 0.2
)

// Segments reads the channels of a run once, which must start with time, and cuts the run into segments. index is the
// run's, for Segment.Run. A row that cannot be used is a *RowError; with drop it is left out and counted instead. If
// Examined shows that all rows are samples of a uniform clock, nothing is read.
func Segments(index int, run *Run, channels []string, drop bool) (segments []Segment, dropped int, err error) {
	if c := run.examined(channels); c != nil && c.Rows >= MinSamples {
		if err := plausible(run, *c); err != nil {
			return nil, 0, err
		}
		s := newSegment(index, nil, *c, 0, c.Rows, nil)
		s.Began, s.Stamps = c.Start, run.Examined.Stamps
		return []Segment{s}, 0, nil
	}
	t, states, bad, err := readClock(run, channels, drop)
	if err != nil {
		return nil, 0, err
	}
	if t.Len() < MinSamples {
		return nil, 0, fmt.Errorf("%s: %d usable rows; a fit needs at least %d", run.Name, t.Len(), MinSamples)
	}
	clock := t.Clock()
	if err := plausible(run, clock); err != nil {
		return nil, 0, err
	}
	t, stamps, err := ReadStamps(run.Log, run.Roles.Q, t, clock, bad)
	if err != nil {
		return nil, 0, err
	}
	if stamps.Clock {
		clock = t.Clock()
	}
	limit := GapLimit(t, clock)
	segments = cutAtGaps(index, t, clock, bad, limit)
	if len(segments) == 0 {
		return nil, 0, fmt.Errorf("%s: its time has gaps of more than %.3g s everywhere; a fit needs stretches of at least %d rows", run.Name, limit, MinSamples)
	}
	for k := range segments {
		segments[k].Stamps = stamps
		if s := &segments[k]; s.N > maxFilled*(s.Last-s.First) {
			return nil, 0, fmt.Errorf("%s: the clock is too uneven in rows %d to %d: intervals of %.3g s at the median and %.3g s on average, so a uniform clock would need %d samples; resample the log, or correct its times", run.Name, run.First+s.First+1, run.First+s.Last, s.DT, s.Seconds()/float64(s.Last-s.First), s.N)
		}
	}
	if run.Payload.Channel == "" {
		return segments, len(bad), nil
	}
	var parts []Segment
	for _, s := range segments {
		// The first usable row of a segment is its row minus the number of bad rows before it.
		first := s.First - sort.SearchInts(bad, s.First)
		n := s.Last - s.First - len(s.bad)
		parts = append(parts, cutAtFlags(s, states[first:first+n], t.Slice(first, first+n).All(), bad)...)
	}
	if len(parts) == 0 {
		return nil, 0, fmt.Errorf("%s: the payload (channel %s) changes everywhere; a fit needs stretches of at least %d rows", run.Name, run.Payload.Channel, MinSamples)
	}
	return parts, len(bad), nil
}

// GapLimit returns the length in seconds from which a gap ends a segment: bridged intervals if the rows that this costs, flagContext to either
// side of each gap, are a small part of the log, otherwise longGap.
func GapLimit(t *filter.Times, clock filter.Clock) float64 {
	short := bridged * clock.Median
	long := max(longGap, short)
	lost, last := 0.0, t.At(0)
	t.Each(func(_ int, part []float64) {
		for _, time := range part {
			if d := time - last; d > short && d <= long {
				lost += 2 * flagContext
			}
			last = time
		}
	})
	if lost > cutShare*(clock.End-clock.Start) {
		return long
	}
	return short
}

// maxFilled bounds the samples of a segment relative to its rows: bursts of ten rows at ten times the rate need ten.
const maxFilled = 100

// Limits of a recorder's intervals.
const (
	// ShortestInterval, in seconds, is that of a recorder at 1 GHz. No joint is read faster, and rates and their powers
	// stay finite.
	ShortestInterval = 1e-9
	// LongestInterval is eleven days, in seconds: nanoseconds read as seconds exceed it even at 1 mHz.
	LongestInterval = 1e6
)

// plausible refuses clocks that no recorder has, because numbers of samples, and so memory, follow from their intervals.
func plausible(run *Run, c filter.Clock) error {
	interval, length := c.Median, c.End-c.Start
	if c.Uniform {
		interval = c.Period
	}
	if interval >= ShortestInterval && interval <= LongestInterval && !math.IsInf(length, 0) {
		return nil
	}
	return hint.New("%s: its time (channel %s) advances by %.3g s a row; only %g s to %g s are possible. Give the unit of the channel with {units} %[2]s=ms, us or ns, or mend the log", run.Name, run.Roles.T, interval, ShortestInterval, LongestInterval)
}

// readClock returns the ascending times of the usable rows, the state of the payload in them (if a channel has it), and
// the indices of the other rows.
func readClock(run *Run, channels []string, drop bool) (t *filter.Times, states []loadState, bad []int, err error) {
	flag := -1
	if run.Payload.Channel != "" {
		if flag = slices.Index(channels, run.Payload.Channel); flag < 0 {
			channels = append(slices.Clone(channels), run.Payload.Channel)
			flag = len(channels) - 1
		}
	}
	t = new(filter.Times)
	var usable []float64 // times of a batch
	bounds := make([]float64, len(channels))
	for c, name := range channels {
		bounds[c] = run.bound(name)
	}
	latest, disordered := math.Inf(-1), false
	err = run.Log.Scan(channels, scanRows, func(first int, cols [][]float64) error {
		if flag < 0 && sound(cols, bounds, latest) {
			latest = cols[0][len(cols[0])-1]
			t.Append(cols[0]...)
			return nil
		}
		usable = usable[:0]
		for i, time := range cols[0] {
			why, at := unusable(cols, i, bounds)
			var state loadState
			if why == "" && flag >= 0 {
				if state, why = run.Payload.state(cols[flag][i]); why != "" {
					at = flag
				}
			}
			if why == "" && time <= latest {
				disordered = true
				if !drop {
					why = fmt.Sprintf("its time does not come after that of the rows before, but %.6g s earlier", latest-time)
				}
			}
			if why != "" {
				if !drop {
					return &RowError{Log: run.Name, Channel: channels[at], Row: run.First + first + i + 1, Why: why}
				}
				bad = append(bad, first+i)
				continue
			}
			latest = max(latest, time)
			usable = append(usable, time)
			if flag >= 0 {
				states = append(states, state)
			}
		}
		t.Append(usable...)
		return nil
	})
	if err == nil && disordered {
		var all []float64
		all, states, bad = ordered(t.All(), states, bad)
		t = filter.NewTimes(all)
	}
	return t, states, bad, err
}

// sound reports whether all rows of a batch can be used and their times ascend from latest on.
func sound(cols [][]float64, bounds []float64, latest float64) bool {
	for _, t := range cols[0] {
		if !(t > latest) {
			return false
		}
		latest = t
	}
	for c, col := range cols {
		bound, beyond := bounds[c], 0
		for _, v := range col {
			if !(math.Abs(v) <= bound) {
				beyond++
			}
		}
		if beyond > 0 {
			return false
		}
	}
	return len(cols[0]) > 0
}

// unusable returns why row i cannot be used, or "", and the channel at fault.
func unusable(cols [][]float64, i int, bounds []float64) (why string, channel int) {
	for c := range cols {
		v := cols[c][i]
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("%g is not a number to compute with", v), c
		}
		if math.Abs(v) > bounds[c] {
			return fmt.Sprintf("%g is beyond anything that the channel can be (%g)", v, bounds[c]), c
		}
	}
	return "", 0
}

// cutAtGaps returns the segments between gaps longer than limit seconds. clock is the clock of t; bad lists the unusable
// rows between those of t.
func cutAtGaps(run int, t *filter.Times, clock filter.Clock, bad []int, limit float64) []Segment {
	var out []Segment
	start, row, next := 0, 0, 0 // row is that of the time before, bad[next] the first bad row after it
	first := -1                 // row of time start
	end := func(i int) {
		switch n := i - start; {
		case n == t.Len():
			out = append(out, newSegment(run, t, clock, first, row, bad))
		case n >= MinSamples:
			part := t.Slice(start, i)
			out = append(out, newSegment(run, part, part.Clock(), first, row, bad))
		}
		start, first = i, -1
	}
	last := t.At(0)
	t.Each(func(at int, part []float64) {
		for i, time := range part {
			if time-last > limit {
				end(at + i)
			}
			last = time
			for next < len(bad) && bad[next] == row {
				row++
				next++
			}
			if first < 0 {
				first = row
			}
			row++
		}
	})
	end(t.Len())
	for i := range out {
		out[i].Began = clock.Start
	}
	return out
}

// MinSamples is the length, in samples, of the shortest segment that differences and filters can handle.
const MinSamples = 12

// sameInterval is the difference of the mean and the median interval, relative to it, that jitter about a steady clock
// explains. Where they differ by more, as for intervals of 10 and 12 ms in turn, the grid has the shorter one.
const sameInterval = 0.01

// newSegment returns the segment of the usable rows of [first, last). c is their clock, t their times if it is not
// uniform. Rounded times of a steady clock become exact.
func newSegment(run int, t *filter.Times, c filter.Clock, first, last int, bad []int) Segment {
	s := Segment{Run: run, First: first, Last: last, t: t, T0: c.Start}
	lo, hi := sort.SearchInts(bad, first), sort.SearchInts(bad, last)
	s.bad = bad[lo:hi]
	s.Uniform = c.Uniform && len(s.bad) == 0
	s.DT = c.Median
	if s.Uniform {
		// T0 and DT describe the clock: ten million times need no memory.
		s.DT, s.N, s.t = c.Period, c.Rows, nil
		return s
	}
	if r, period, missing, ok := t.Regular(c); ok {
		s.t, s.T0, s.DT = r, r.At(0), period
		if !missing && len(s.bad) == 0 {
			s.Uniform, s.N, s.t = true, c.Rows, nil
			return s
		}
		s.N = filter.Grid(s.T0, r.At(r.Len()-1), s.DT)
		return s
	}
	if 2*c.Min > c.Median && 2*c.Max < 3*c.Median && math.Abs(c.Period-c.Median) < sameInterval*c.Median {
		s.DT = c.Period // no row is missing, and a grid by the median interval would run away from the rows
	}
	s.N = filter.Grid(s.T0, c.End, s.DT)
	return s
}
