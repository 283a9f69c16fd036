package identify

import (
	"context"
	"fmt"
	"math"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/filter"
	"ident/regressor"
	"ident/robot"
)

// Follower is a running identification of a log that is still being written: rows
// come in as they are measured, and the estimate from those that are not forgotten
// may be asked for at any time. It works as Fit does, chunk after chunk, and keeps
// only what the filters reach back over and the time blocks of estimate.Recursive.
type Follower struct {
	Set *baseparams.Set

	Channels []string // that rows must have

	cfg      *Config
	w        *worker
	f        *filters
	ch       layout
	gains    []float64
	name     string
	shape    *estimate.Reduction
	recent   *estimate.Recursive
	seg      segment
	blockLen int
	chunk    chunk
	window   [][]float64 // channels, time first
	first    int         // sample of the segment at window[.][0]
	next     int         // first sample that is not reduced yet
	last     float64     // newest time
}

// Follow begins with the first rows of a log, from which follow its clock, which
// has to be steady, and the choices of "auto". memory is in seconds, 0 forgets
// nothing. The first rows are not added by that.
func Follow(ctx context.Context, r *robot.Robot, terms []regressor.Term, head Run, cfg Config, memory float64) (*Follower, error) {
	cfg.Estimator = nil
	e, set, _, err := begin(ctx, r, terms, []Run{head}, nil, cfg)
	if err != nil {
		return nil, err
	}
	if len(e.segments[0]) != 1 || !e.segments[0][0].uniform {
		return nil, fmt.Errorf("%s: its clock is not steady: a log that is followed cannot be resampled; fit it when it is complete", head.Name)
	}
	e.cfg.Workers = 1
	q := &Follower{Set: set, cfg: e.cfg, w: e.workers(e.cfg)[0], gains: head.Gains, name: head.Name, last: math.Inf(-1)}
	q.seg = e.segments[0][0]
	if q.f, err = newFilters(e.cfg, 1/q.seg.dt); err != nil {
		return nil, err
	}
	q.ch, q.Channels = layoutOf(&head, e.choice)
	masks := e.cfg.Model.shape(e.model)
	q.shape = estimate.NewReduction(len(e.model.Columns()), masks)
	rate := 1 / (q.seg.dt * float64(q.f.every))
	if q.recent, err = estimate.NewRecursive(len(e.model.Columns()), masks, memory*rate); err != nil {
		return nil, err
	}
	// Of a log without an end, blocks are four periods of the cut-off, or a second.
	whole := q.seg
	least := int(1 / q.seg.dt)
	if memory > 0 {
		// Forty blocks within the memory tell correlation well enough.
		least = min(least, int(memory/40/q.seg.dt))
	}
	whole.n = 100 * max(least, 1)
	q.blockLen = blockSamples(e.cfg, q.f, &whole, least)
	q.window = make([][]float64, len(q.Channels))
	return q, nil
}

// Delay is how many seconds the estimate is behind the newest row: the filters look
// ahead, and the end of a log is cut.
func (q *Follower) Delay() float64 {
	return float64(q.f.overlap+q.blockLen)*q.seg.dt + q.cfg.Trim
}

// Add takes in the rows of a log that follow those before. A row that does not come
// one interval after the one before is a *RowError.
func (q *Follower) Add(rows *datasets.Log) error {
	cols, err := rows.Columns(q.Channels...)
	if err != nil {
		return err
	}
	at := q.first + len(q.window[0])
	for i, t := range cols[0] {
		for c := range cols {
			if v := cols[c][i]; math.IsNaN(v) || math.IsInf(v, 0) {
				return &RowError{Log: q.name, Channel: q.Channels[c], Row: at + i + 1, Why: fmt.Sprintf("%g is not a number to compute with", v)}
			}
		}
		if step := t - q.last; !math.IsInf(q.last, -1) && !(math.Abs(step-q.seg.dt) < q.seg.dt/2) {
			return &RowError{Log: q.name, Channel: q.Channels[0], Row: at + i + 1, Why: fmt.Sprintf("time %.9g s comes %.6g s after the row before, where the clock has %.6g s", t, step, q.seg.dt)}
		}
		q.last = t
	}
	for c := range cols {
		q.window[c] = append(q.window[c], cols[c]...)
	}
	q.reduce(false)
	return nil
}

// Close reduces what is left, but for the end that is cut.
func (q *Follower) Close() { q.reduce(true) }

// reduce works off whole time blocks whose samples the filters can reach.
func (q *Follower) reduce(final bool) {
	available := q.first + len(q.window[0])
	cut := int(q.cfg.Trim/q.seg.dt + 0.5)
	for q.next < available {
		last := q.next + q.blockLen
		q.seg.n = math.MaxInt32
		switch {
		case final:
			last, q.seg.n = min(last, available), available
		case last+q.f.overlap+cut > available:
			return
		}
		lo, hi := max(0, q.next-q.f.overlap), min(available, last+q.f.overlap)
		c := &q.chunk
		c.seg, c.lo, c.first, c.last = &q.seg, lo, q.next, last
		c.data = c.data[:0]
		for _, x := range q.window[1:] {
			c.data = append(c.data, append([]float64(nil), x[lo-q.first:hi-q.first]...))
		}
		// The differences need a few samples; so short an end is none.
		if hi-lo >= minSamples {
			for _, b := range q.w.reduce(c, q.f, q.ch, q.gains, q.shape, q.blockLen).blocks {
				q.recent.Add(b)
			}
		}
		q.next = last
		if drop := max(0, q.next-q.f.overlap) - q.first; drop > len(q.window[0])/2 {
			for i, x := range q.window {
				q.window[i] = append(x[:0], x[drop:]...)
			}
			q.first += drop
		}
	}
}

// Now is the present estimate.
type Now struct {
	Time    float64 // of the newest row, in seconds of the log's clock
	Rows    float64 // that are remembered
	Percent float64 // that the estimate leaves of them
	*estimate.Solution
}

// Estimate solves for the rows that are remembered. Before they determine all
// parameters that is an *estimate.RankError, or estimate.ErrNoData.
func (q *Follower) Estimate() (*Now, error) {
	s, err := q.recent.Estimate(q.cfg.MinimumNorm)
	if err != nil {
		return nil, err
	}
	return &Now{Time: q.last, Rows: q.recent.Rows(), Percent: q.recent.Percent(s.X), Solution: s}, nil
}

// Enough tells whether the first rows of a log, of which t are the times, are
// enough to begin with: for its clock, and for what "auto" looks at.
func Enough(t []float64) bool {
	c := filter.AnalyseClock(t)
	return len(t) >= 10*minSamples && c.Period > 0 && float64(len(t))*c.Period >= headSeconds
}

// headSeconds is how much of a log is read before anything is decided.
const headSeconds = 2
