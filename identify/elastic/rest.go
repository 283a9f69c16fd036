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
	rule.Mark(out, 0, x, 1/l.Rate)
	return out
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
