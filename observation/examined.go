package observation

import (
	"math"
	"slices"

	"ident/datasets"
	"ident/filter"
)

// Examined are the clock and the extremes of a log, by which the rows of a run need not be read for them once more.
type Examined struct {
	Log     *datasets.Log
	Clock   filter.Clock       // of all rows
	Largest map[string]float64 // magnitude by channel, of channels whose values are all numbers to compute with
}

// examined is the clock of a run where it is known to be uniform, and all rows of the channels, time first, to be usable.
func (r *Run) examined(channels []string) *filter.Clock {
	e := r.Examined
	if e == nil || e.Log != r.Log || !e.Clock.Uniform || r.Payload.Channel != "" {
		return nil
	}
	within := func(name string, size float64) bool {
		bound, given := r.Bounds[name]
		return !given || size <= bound
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
