package observation

import (
	"context"
	"math"
	"slices"

	"ident/datasets"
	"ident/filter"
)

// Examined holds the clock and the extremes of a log. With it, the rows of a run need not be read again for them.
type Examined struct {
	Log     *datasets.Log
	Clock   filter.Clock       // clock of all rows
	Stamps  Stamps             // how their times were read
	Largest map[string]float64 // largest magnitude by channel; only for channels whose values are all finite
	prints  *prints            // nil without Expect
}

// prints are the fingerprints of a run, computed while another pass reads its rows.
type prints struct {
	channels []string // those of positions first
	gains    []float64
	bound    uint64
	sample   *commonSample
	rows     int // so far
	cols     [][]float64
}

// Expect prepares runs for an examination that reads all rows: Examined.Take then computes the fingerprints for which
// Leaks would otherwise read the runs again.
func Expect(runs []Run) {
	bound := printsBound(runs)
	for i := range runs {
		runs[i].Examined = &Examined{prints: newPrints(&runs[i], bound)}
	}
}

func newPrints(r *Run, bound uint64) *prints {
	channels := slices.Concat(r.Roles.Q, r.Torques())
	return &prints{channels: channels, gains: r.Gains, bound: bound, sample: newCommonSample(len(channels), len(r.Roles.Q), r.Gains, bound)}
}

// Take adds the next rows of the named channels to the fingerprints; without Expect it does nothing.
func (e *Examined) Take(names []string, cols [][]float64) {
	if e == nil || e.prints == nil {
		return
	}
	p := e.prints
	p.cols = p.cols[:0]
	for _, channel := range p.channels {
		k := slices.Index(names, channel)
		if k < 0 {
			e.prints = nil // Leaks reads the run
			return
		}
		p.cols = append(p.cols, cols[k])
	}
	p.sample.Add(p.cols)
	p.rows += len(cols[0])
}

// With returns result with the fingerprints of e.
func (e *Examined) With(result *Examined) *Examined {
	if e != nil && result != nil {
		result.prints = e.prints
	}
	return result
}

// fingerprints returns what Fingerprints does, without reading the run if an examination has computed them.
func (r *Run) fingerprints(ctx context.Context, bound uint64) ([]uint64, error) {
	own := newPrints(r, bound)
	if e := r.Examined; e != nil && e.Log == r.Log && e.prints != nil {
		p := e.prints
		if p.bound == bound && p.rows == r.Log.Rows() && slices.Equal(p.channels, own.channels) && slices.Equal(p.gains, own.gains) {
			return p.sample.Kept(), nil
		}
	}
	return Fingerprints(ctx, r, bound)
}

// examined returns the clock of a run if an examination has shown that it is uniform and that all rows of the channels,
// time first, are usable; otherwise nil.
func (r *Run) examined(channels []string) *filter.Clock {
	e := r.Examined
	if e == nil || e.Log != r.Log || !e.Clock.Uniform || r.Payload.Channel != "" {
		return nil
	}
	within := func(name string, size float64) bool {
		return size <= r.bound(name)
	}
	if !within(channels[0], max(math.Abs(e.Clock.Start), math.Abs(e.Clock.End))) ||
		slices.ContainsFunc(channels[1:], func(name string) bool {
			size, known := e.Largest[name]
			return !known || !within(name, size)
		}) {
		return nil
	}
	return &e.Clock
}
