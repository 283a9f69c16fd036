package regression

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/filter"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// Online identifies from a log that is still being written. Add takes rows as they are measured; Estimate returns the
// estimate by exponential forgetting at any time. It works like Fit, chunk after chunk, and keeps only the rows within
// reach of the filters and the time blocks of estimate.Recursive.
type Online struct {
	Set *baseparams.Set

	Channels []string // channels that rows must have

	cfg      Config
	source   observation.Source
	reducer  reducer
	recent   *estimate.Recursive
	blockLen int         // samples
	window   [][]float64 // channels, time first
	first    int         // sample of the segment at window[.][0]
	next     int         // first sample that is not reduced yet
	last     float64     // newest time
	passed   int         // rows of the segments before
}

// NewOnline starts an identification from the first rows of a log. Their clock must be steady; they also decide the
// "auto" settings. memory is in seconds, 0 forgets nothing. The caller must still pass the first rows to Add.
func NewOnline(ctx context.Context, r *robot.Robot, terms []regressor.Term, head Run, cfg Config, memory float64) (*Online, error) {
	if c := head.Payload.Channel; c != "" {
		return nil, fmt.Errorf("%s: a log that is followed cannot be split where its payload changes (channel %s); fit it when it is complete", head.Name, c)
	}
	cfg.Estimator, cfg.KeepRows = nil, KeepAll
	cfg.keepRest() // the decision needs the whole log
	cfg.keepSteps = true
	e, set, err := begin(ctx, r, terms, []Run{head}, nil, cfg)
	if err != nil {
		return nil, err
	}
	if len(e.segments[0]) != 1 || !e.segments[0][0].Uniform {
		return nil, fmt.Errorf("%s: its clock is not steady: a log that is followed cannot be resampled; fit it when it is complete", head.Name)
	}
	sources, err := e.trainingSources(0)
	if err != nil {
		return nil, err
	}
	q := &Online{Set: set, Channels: sources[0].Layout.Channels, cfg: e.cfg, source: sources[0], last: math.Inf(-1)}
	seg, every := q.source.Segment, q.source.Filters.Rows.Every()
	masks := shape(e.cfg.Model, e.model)
	rate := 1 / (seg.DT * float64(every))
	if q.recent, err = estimate.NewRecursive(len(e.model.Columns()), masks, memory*rate); err != nil {
		return nil, err
	}
	// A log without an end has blocks of four periods of the cut-off, or of a second.
	whole := *seg
	least := int(1 / seg.DT)
	if memory > 0 {
		// Forty blocks within the memory suffice to estimate the correlation.
		least = min(least, int(memory/40/seg.DT))
	}
	whole.N = 100 * max(least, 1)
	q.blockLen = q.source.Filters.Rows.BlockSamples(e.cfg.Cutoff, &whole, least)
	q.reducer = reducer{observer: e.observer(), shape: estimate.NewReduction(len(e.model.Columns()), masks),
		lengths: map[*observation.Segment]int{seg: q.blockLen / every}}
	q.window = make([][]float64, len(q.Channels))
	return q, nil
}

// Delay returns the time in seconds from the estimate to the newest row: the filters look ahead, and the end of a log is
// cut.
func (q *Online) Delay() float64 {
	return float64(q.source.Filters.Overlap()+q.blockLen)*q.source.Segment.DT + q.cfg.Trim
}

// Add updates the estimate with rows, which must follow those of the last call. If a row does not come one sampling
// interval after the previous one, the error is a *RowError.
func (q *Online) Add(rows *datasets.Log) error {
	cols, err := rows.Columns(q.Channels...)
	if err != nil {
		return err
	}
	name, dt := q.source.Run.Name, q.source.Segment.DT
	at := q.passed + q.first + len(q.window[0])
	if len(cols[0]) > 0 && math.IsInf(q.last, -1) {
		q.source.Segment.T0 = cols[0][0]
	}
	for i, t := range cols[0] {
		for c := range cols {
			if v := cols[c][i]; math.IsNaN(v) || math.IsInf(v, 0) {
				return &RowError{Log: name, Channel: q.Channels[c], Row: at + i + 1, Why: fmt.Sprintf("%g is not a number to compute with", v)}
			}
		}
		if step := t - q.last; !math.IsInf(q.last, -1) && !(math.Abs(step-dt) < dt/2) {
			return &RowError{Log: name, Channel: q.Channels[0], Row: at + i + 1, Why: fmt.Sprintf("time %.9g s comes %.6g s after the row before, but the clock's interval is %.6g s", t, step, dt)}
		}
		q.last = t
	}
	for c := range cols {
		q.window[c] = append(q.window[c], cols[c]...)
	}
	return q.reduce(false)
}

// Steady reports whether a time from one row to the next is a sampling interval.
func (q *Online) Steady(step float64) bool {
	dt := q.source.Segment.DT
	return math.Abs(step-dt) < dt/2
}

// Follows reports whether a row at a time follows the newest one by a sampling interval. If it does not, [Online.Break] must come before it.
func (q *Online) Follows(t float64) bool { return math.IsInf(q.last, -1) || q.Steady(t-q.last) }

// Break ends a segment: rows are missing, or the clock was set. The filters do not reach over the break, as they do not in a fit of a log with a gap.
func (q *Online) Break() error {
	if err := q.reduce(true); err != nil {
		return err
	}
	q.passed += q.first + len(q.window[0])
	for i := range q.window {
		q.window[i] = q.window[i][:0]
	}
	q.first, q.next, q.last = 0, 0, math.Inf(-1)
	return nil
}

// Close reduces the remaining rows, except for the end that is cut.
func (q *Online) Close() error { return q.reduce(true) }

// reduce processes all whole time blocks whose samples the filters can reach.
func (q *Online) reduce(final bool) error {
	available := q.first + len(q.window[0])
	overlap, cut := q.source.Filters.Overlap(), q.source.Filters.Cut()
	for q.next < available {
		last := q.next + q.blockLen
		q.source.Segment.N = math.MaxInt32
		switch {
		case final:
			last, q.source.Segment.N = min(last, available), available
		case last+overlap+cut > available:
			return nil
		}
		lo, hi := max(0, q.next-overlap), min(available, last+overlap)
		// An end too short for differences of positions has no rows.
		if hi-lo >= observation.MinSamples {
			c := observation.Chunk{Source: &q.source, Start: lo, First: q.next, Last: last}
			for _, x := range q.window[1:] {
				c.Columns = append(c.Columns, slices.Clone(x[lo-q.first:hi-q.first]))
			}
			reduced, err := q.reducer.apply(&c)
			if err != nil {
				return err
			}
			for _, b := range reduced.blocks {
				q.recent.Add(b)
			}
		}
		q.next = last
		if drop := max(0, q.next-overlap) - q.first; drop > len(q.window[0])/2 {
			for i, x := range q.window {
				q.window[i] = append(x[:0], x[drop:]...)
			}
			q.first += drop
		}
	}
	return nil
}

// Now is the current estimate.
type Now struct {
	Time    float64 // time of the newest row on the log's clock, s
	Rows    float64 // effective number of rows, after forgetting
	Percent float64 // relative error of these rows, 100·‖y − W·x‖/‖y‖
	*estimate.Solution
}

// Estimate solves for the rows that are not forgotten. As long as they do not determine all parameters, the error is an
// *estimate.RankError or estimate.ErrNoData.
func (q *Online) Estimate() (*Now, error) {
	s, err := q.recent.Estimate(q.cfg.MinimumNorm)
	if err != nil {
		return nil, err
	}
	return &Now{Time: q.last, Rows: q.recent.Rows(), Percent: q.recent.Percent(s.X), Solution: s}, nil
}

// Enough reports whether the first rows of a log, at times t in seconds, suffice for NewOnline: for the clock and the
// "auto" settings.
func Enough(t []float64) bool {
	c := filter.AnalyseClock(t)
	return len(t) >= 10*observation.MinSamples && c.Period > 0 && float64(len(t))*c.Period >= headSeconds
}

// headSeconds is the length of a log, in seconds, that the "auto" settings need.
const headSeconds = 2
