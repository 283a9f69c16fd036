package elastic

import (
	"ident/filter"
	"ident/observation"
)

// atRest returns which samples of a coordinate are at rest, where friction can have any value up to Coulomb's: samples
// with a measured velocity of exactly zero, and intervals in which the position stays within its noise
// (observation.RestRule).
func (l *Log) atRest(i int, cutoff float64) []bool {
	x := l.X[i]
	out := make([]bool, len(x))
	if l.DX != nil {
		for k, v := range l.DX[i] {
			out[k] = v == 0
		}
	}
	spectrum := filter.NewMotionSpectrum(x, l.Rate)
	own := observation.JointNoise{Position: filter.NoiseOf(x, spectrum)}
	own.Acceleration = spectrum.Derivative(own.Position.Sigma, 2)
	rule := observation.NewRestRule([][]observation.JointNoise{{own}}, cutoff)
	still(out, x, rule.Range[0], int(rule.Seconds[0]*l.Rate))
	return out
}

// still marks the samples of all intervals of a length in which x stays within a range.
func still(out []bool, x []float64, within float64, length int) {
	if length < 2 {
		return
	}
	// Indices of the candidates for the largest and the smallest value of the window.
	var high, low []int
	marked := 0
	for k, v := range x {
		for len(high) > 0 && x[high[len(high)-1]] <= v {
			high = high[:len(high)-1]
		}
		for len(low) > 0 && x[low[len(low)-1]] >= v {
			low = low[:len(low)-1]
		}
		high, low = append(high, k), append(low, k)
		for high[0] <= k-length {
			high = high[1:]
		}
		for low[0] <= k-length {
			low = low[1:]
		}
		if k+1 >= length && x[high[0]]-x[low[0]] <= within {
			for i := max(marked, k+1-length); i <= k; i++ {
				out[i] = true
			}
			marked = k + 1
		}
	}
}

// spreadRest returns which rows are within reach of a sample at rest. Rows are every every-th sample, from sample first
// on.
func spreadRest(rest []bool, first, every, rows, reach int) []bool {
	out := make([]bool, rows)
	last := -1 - reach
	next := 0
	for i := range out {
		at := first + i*every
		for ; next < len(rest) && next <= at+reach; next++ {
			if rest[next] {
				last = next
			}
		}
		out[i] = at-last <= reach
	}
	return out
}

// markReversals marks the samples about each change of a velocity's sign: a motor that reverses against
// Coulomb friction sticks for some milliseconds, which differences of filtered positions do not show.
func markReversals(out []bool, velocity []float64) {
	for k := 1; k < len(out); k++ {
		if (velocity[k] > 0) != (velocity[k-1] > 0) {
			out[k-1], out[k] = true, true
		}
	}
}
