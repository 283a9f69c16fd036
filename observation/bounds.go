package observation

import (
	"fmt"
	"math"

	"ident/filter"
	"ident/internal/hint"
)

// maxReach bounds the number of samples on either side that a row may depend on. A chunk holds twice as many of every
// channel and regressor column: at 1<<22 (70 minutes at 1 kHz) one column takes 64 MB.
const maxReach = 1 << 22

// maxMagnitude bounds the values of every channel except time, which plausible checks. Beyond it, squares of
// accelerations, their sums over a log, and products with weights overflow float64. No unit brings a measurement near
// it.
const maxMagnitude = 1e30

// bound returns the magnitude beyond which a value of a channel is unusable.
func (r *Run) bound(channel string) float64 {
	most := maxMagnitude
	if channel == r.Roles.T {
		most = math.MaxFloat64
	}
	if b, ok := r.Bounds[channel]; ok {
		return min(b, most)
	}
	return most
}

// tooLong returns the error for a filter whose response exceeds maxReach.
func tooLong(what string, samples float64) error {
	return fmt.Errorf("%s reaches %.3g samples on either side, of which at most %d fit into memory; give a higher cut-off or a lower rate", what, samples, maxReach)
}

// samplesOf converts seconds to a number of samples dt apart, without overflow: settings may have any value.
func samplesOf(seconds, dt float64) int {
	const most = 1 << 40
	if n := seconds/dt + 0.5; n < most {
		return int(n)
	}
	return most // of no number too
}

// Fits returns an error if settings cannot be used for recordings, given by their segments. The longest segment must
// hold a period of every cut-off, a window, and the filter of a decimation, and the trim must leave something of it.
// Callers must call it before they design filters for a user's numbers: response lengths, and so memory, follow from
// these. The error names the setting by its key.
func (s *Settings) Fits(segments ...[]Segment) error {
	var longest *Segment
	for _, run := range segments {
		for k := range run {
			if longest == nil || run[k].Seconds() > longest.Seconds() {
				longest = &run[k]
			}
		}
	}
	if longest == nil {
		return nil
	}
	length := longest.Seconds()
	for _, c := range []struct {
		key string
		hz  float64
	}{{"cutoff", s.Cutoff}, {"motion-cutoff", s.MotionCutoff}} {
		// The segment shows no period of a lower cut-off: the filter would pass only the mean.
		if c.hz != 0 && !(c.hz*length >= 1) {
			return hint.New("{"+c.key+"} %.4g Hz: one period lasts %.3g s, and the longest stretch without a gap %.3g s; give at least %.2g Hz, or 0 for no filter", c.hz, 1/c.hz, length, atLeast(1/length))
		}
	}
	switch {
	case !(2*s.Trim < length):
		return hint.New("{trim} %g s: cut from both ends it leaves nothing of the longest stretch without a gap, %.4g s; give less than half of that", s.Trim, length)
	case s.Window != 0 && !(s.Window <= length):
		return hint.New("{window} %g s: the longest stretch without a gap has %.4g s; give less", s.Window, length)
	case s.Decimate > 1 && 2*filter.DecimationReach(s.Decimate) >= float64(longest.N):
		return hint.New("{decimate} %d: its filter spans %.0f samples, and the longest stretch without a gap has %d; give a smaller one", s.Decimate, 2*filter.DecimationReach(s.Decimate)+1, longest.N)
	}
	return nil
}

// atLeast rounds up to two digits.
func atLeast(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Ceil(v/unit*(1-1e-12)) * unit
}

// Seconds returns the time from the first sample to the last.
func (s *Segment) Seconds() float64 { return float64(s.N-1) * s.DT }
