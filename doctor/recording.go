package doctor

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"ident/datasets"
	"ident/doctor/internal/scratch"
	"ident/doctor/internal/trialfit"
	"ident/filter"
	"ident/observation"
)

// Size of the signals that stay in memory. Checks that compare signals see a short log whole, and a longer one in
// windows of neighbouring rows, spread evenly, including the first and the last row.
const (
	windowRows = 8192
	maxWindows = 8
)

// recording is a log in bounded memory: its times, the statistics of all rows of every channel, and windows of
// neighbouring rows. It is immutable, except for knots and load, which are set when first needed, and first, which is set before.
type recording struct {
	*setup
	t          *filter.Times // of every row
	clock      filter.Clock
	gap        float64 // s, the longest gap that interpolation bridges
	first      int     // the first row that holds a measurement; see unpublished
	windows    []*window
	motion     func() *trialfit.LocalMotion
	values     []channelStats           // per channel
	quanta     []float64                // steps of quantised channels, 0 for others
	carries    *observation.Load        // the load of the rows that the torque checks take, nil for none
	distrusted map[string]bool          // joints whose torque has a finding of its own, for causes
	load       *[loadParameters]float64 // its parameters beside the robot file's bodies, once they are estimated (weigh)
}

// window holds neighbouring rows of all channels.
type window struct {
	first int
	t     []float64   // s
	cols  [][]float64 // per channel

	once     sync.Once
	unbroken [][2]int // segments, of channels whose values are all possible; see believable
	knots    map[[2]int]*filter.Knots
}

// knotsOf returns the times of rows [from, to) of a window, for resampling to a uniform clock.
func (w *window) knotsOf(from, to int) *filter.Knots {
	at := [2]int{from, to}
	if w.knots[at] == nil {
		w.knots[at] = new(filter.Knots)
		w.knots[at].Set(w.t[from:to])
	}
	return w.knots[at]
}

// record reads every channel in the roles once.
func record(ctx context.Context, s *setup, l *datasets.Log, t *filter.Times, clock filter.Clock) (*recording, error) {
	gap := math.Min(observation.GapLimit(t, clock), math.Max(longGap, 5*clock.Median))
	rec := &recording{setup: s, t: t, clock: clock, gap: gap, values: make([]channelStats, len(s.channels)), load: new([loadParameters]float64)}
	rows := l.Rows()
	if rows <= windowRows*maxWindows {
		rec.windows = []*window{newWindow(len(s.channels), 0, rows, t)}
	} else {
		for i := range maxWindows {
			rec.windows = append(rec.windows, newWindow(len(s.channels), i*(rows-windowRows)/(maxWindows-1), windowRows, t))
		}
	}
	var channels []trialfit.MotionChannels
	for _, j := range s.joints {
		m := trialfit.MotionChannels{Position: -1, Effort: -1, At: s.opt.Lock[j.name]}
		if j.q != nil {
			m.Position, m.Bound = j.q.index, j.q.bound
		}
		if j.effort != nil {
			m.Effort = j.effort.index
		}
		channels = append(channels, m)
	}
	fitter := trialfit.NewMotionFitter(channels, t, clock.Median, rows)
	names := make([]string, len(s.channels))
	for i, c := range s.channels {
		names[i] = c.name
	}
	workers, seen := min(runtime.GOMAXPROCS(0), max(len(s.channels), 1)), 0
	err := l.Scan(names, 0, func(first int, cols [][]float64) error {
		if n := len(cols[0]); first+n > t.Len() {
			return fmt.Errorf("doctor: channels have more rows than the time channel's %d", t.Len())
		}
		seen = first + len(cols[0])
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < len(s.channels); i += workers {
					rec.values[i].add(first, cols[i], s.channels[i].bound, cols)
				}
			})
		}
		for _, w := range rec.windows {
			w.take(first, cols)
		}
		if len(rec.windows) > 1 {
			fitter.Take(first, cols)
		}
		wg.Wait()
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	for i := range rec.values {
		rec.values[i].endRun(0, nil, 0)
	}
	if len(s.channels) > 0 && seen < rows {
		return nil, fmt.Errorf("doctor: the log announced %d rows and gave %d", rows, seen)
	}
	rec.motion = sync.OnceValue(func() *trialfit.LocalMotion {
		if len(rec.windows) == 1 && len(s.channels) > 0 { // it has all rows: a log that nothing is fitted to seldom needs its motion
			fitter.Take(0, rec.windows[0].cols)
		}
		return fitter.Motion()
	})
	var memory scratch.Columns
	for _, c := range s.channels {
		rec.quanta = append(rec.quanta, quantum(rec.windows, c, &memory))
	}
	return rec, nil
}

func newWindow(channels, first, rows int, t *filter.Times) *window {
	w := &window{first: first, t: t.Part(nil, min(first, t.Len()), min(first+rows, t.Len())), cols: make([][]float64, channels), knots: map[[2]int]*filter.Knots{}}
	for i := range w.cols {
		w.cols[i] = make([]float64, 0, rows)
	}
	return w
}

// take copies the rows of a batch that belong to the window.
func (w *window) take(first int, cols [][]float64) {
	for i, c := range cols {
		from := max(w.first+len(w.cols[i])-first, 0)
		to := min(w.first+cap(w.cols[i])-first, len(c))
		if from < to {
			w.cols[i] = append(w.cols[i], c[from:to]...)
		}
	}
}

// largest returns the largest magnitude of each channel by name, ignoring values that cannot be computed with.
func (rec *recording) largest() map[string]float64 {
	out := map[string]float64{}
	for i, c := range rec.channels {
		if s := &rec.values[i]; s.bad.Count == 0 {
			out[c.name] = max(-s.min, s.max, s.largest)
		}
	}
	return out
}

// stats returns the statistics of all rows of a channel.
func (rec *recording) stats(c *channel) *channelStats { return &rec.values[c.index] }

// quantum returns the step of a quantised channel, 0 if it is not quantised.
func (rec *recording) quantum(c *channel) float64 { return rec.quanta[c.index] }

// interval returns the sampling interval, in seconds, of the uniform clock that replaces the log's.
func (rec *recording) interval() float64 {
	if rec.clock.Uniform {
		return rec.clock.Period
	}
	return rec.clock.Median
}

// segments cuts a window into segments [first, last) without marked rows and without long gaps in time; it drops short
// segments.
func (rec *recording) segments(w *window, bad []bool) [][2]int {
	t := w.t[:len(bad)]
	var out [][2]int
	from := 0
	cut := func(to, next int) {
		if to-from >= 4*fewest {
			out = append(out, [2]int{from, to})
		}
		from = next
	}
	for k := range t {
		if bad[k] || w.first+k < rec.first || math.IsNaN(t[k]) || math.IsInf(t[k], 0) {
			cut(k, k+1)
			continue
		}
		if k > from && !(t[k] > t[k-1] && t[k]-t[k-1] <= rec.gap) {
			cut(k, k)
		}
	}
	cut(len(t), len(t))
	return out
}

// believable returns the segments of a window in which all values of the channels are possible.
func (rec *recording) believable(w *window, channels ...*channel) [][2]int {
	n := len(w.cols[channels[0].index])
	var bad []bool
	for _, c := range channels {
		for k, v := range w.cols[c.index] {
			if !(math.Abs(v) <= 100*c.bound) {
				if bad == nil {
					bad = make([]bool, n)
				}
				bad[k] = true
			}
		}
	}
	if bad == nil {
		w.once.Do(func() { w.unbroken = rec.segments(w, make([]bool, n)) })
		return w.unbroken
	}
	return rec.segments(w, bad)
}
