package observation

import "math"

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
// is below 1e-3 (a sine of ten samples per period, half-way between two); it falls with the fourth power. Beyond either
// end the last sample repeats.
func (m *MotionFilter) advance(dq [][]float64, w *MotionWork) {
	for k, lag := range m.lag {
		if lag == 0 {
			continue
		}
		n := len(dq[k])
		w.scratch = grown(w.scratch, n)
		x := w.scratch[:n]
		copy(x, dq[k])
		whole := math.Floor(lag)
		f, shift := lag-whole, int(whole)
		// Lagrange weights of the samples -1, 0, 1, 2 at f.
		c := [4]float64{-f * (f - 1) * (f - 2) / 6, (f + 1) * (f - 1) * (f - 2) / 2, -(f + 1) * f * (f - 2) / 2, (f + 1) * f * (f - 1) / 6}
		at := func(i int) float64 { return x[min(max(i, 0), n-1)] }
		for i := range dq[k] {
			p := i + shift
			if p >= 1 && p+2 < n {
				dq[k][i] = c[0]*x[p-1] + c[1]*x[p] + c[2]*x[p+1] + c[3]*x[p+2]
				continue
			}
			dq[k][i] = c[0]*at(p-1) + c[1]*at(p) + c[2]*at(p+1) + c[3]*at(p+2)
		}
	}
}
