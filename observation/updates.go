package observation

import (
	"math"
	"slices"

	"ident/filter"
	"ident/internal/orderstat"
)

// Limits for updates.
const (
	fewestUpdates = 100
	evenUpdates   = 0.95 // part of the intervals between changes that must be multiples of the interval
	freshSteps    = 2.5  // least median change, in steps of the values: a joint that crawls from count to count changes evenly too
)

// ofSource returns the samples of a channel at a rate in hertz as its source gave them, and the rate of these. If a channel keeps each value
// for some rows, its steps are neither motion nor noise. Any other channel is returned as it is.
func ofSource(x []float64, rate float64) ([]float64, float64) {
	every, first := updates(x)
	if every == 1 {
		return x, rate
	}
	out := make([]float64, 0, len(x)/every+1)
	for k := first % every; k < len(x); k += every {
		out = append(out, x[k])
	}
	return out, rate / float64(every)
}

// updates returns the number of rows for which a channel keeps each value, the largest of which nearly all intervals between changes are
// multiples, and the row of the first change. The number is 1 for a channel that has no such interval.
func updates(x []float64) (every, first int) {
	var intervals []int
	var sizes []float64
	last := -1
	for k := 1; k < len(x); k++ {
		if x[k] == x[k-1] {
			continue
		}
		if last >= 0 {
			intervals = append(intervals, k-last)
		} else {
			first = k
		}
		sizes = append(sizes, math.Abs(x[k]-x[k-1]))
		if last = k; 2*len(sizes) > k+fewestUpdates {
			return 1, first // a channel of its own rate, which is told early
		}
	}
	if len(intervals) < fewestUpdates {
		return 1, first
	}
	slices.Sort(intervals)
	for every = intervals[len(intervals)/2]; every > 1; every-- {
		multiples := 0
		for _, n := range intervals {
			if n%every == 0 {
				multiples++
			}
		}
		if float64(multiples) >= evenUpdates*float64(len(intervals)) {
			break
		}
	}
	if every > 1 && orderstat.Median(sizes) < freshSteps*filter.Quantum(x) {
		return 1, first
	}
	return every, first
}
