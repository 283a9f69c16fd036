package observation

import (
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
