package observation

import (
	"math"

	"ident/filter"
)

// advanced returns the filter with the given delays of the measured velocities removed, by joint, in seconds.
func (m *MotionFilter) advanced(lag []float64) *MotionFilter {
	out := *m
	out.lag = make([]float64, len(lag))
	most := 0.0
	for k, s := range lag {
		out.lag[k] = s / m.dt
		most = max(most, math.Abs(out.lag[k]))
	}
	out.reach += int(math.Ceil(most)) + interpolationReach
	return &out
}

// interpolationReach is the number of samples on either side of an interval that interpolation within it needs.
const interpolationReach = 2

// advance moves velocities forward in time by their delay, in place: dq(t) becomes dq(t + lag), by cubic interpolation
// between four samples. After the low-pass of the motion, at a tenth of the sampling rate or lower, its relative error
// is at most 4e-3 (a sine of ten samples per period, half-way between two); it falls with the fourth power.
func (m *MotionFilter) advance(dq [][]float64, w *MotionWork) {
	for k, lag := range m.lag {
		if lag == 0 {
			continue
		}
		n := len(dq[k])
		w.scratch = grown(w.scratch, n)
		x := w.scratch[:n]
		copy(x, dq[k])
		filter.Delay(dq[k], x, -lag, 2*interpolationReach)
	}
}
