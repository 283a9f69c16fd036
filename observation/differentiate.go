package observation

import (
	"fmt"
	"math"
	"slices"

	"ident/filter"
)

// localFit computes positions, velocities and accelerations from positions by local cubics or a Kalman smoother.
type localFit struct {
	cubics   [3]*filter.SavitzkyGolay // position, velocity, acceleration; nil for the smoother
	smoother filter.Smoother
	reach    int // samples on either side that a sample depends on
}

// newLocalFit returns nil for Central and if positions are not filtered.
func newLocalFit(differentiator string, cutoff, rate float64) (*localFit, error) {
	if !slices.Contains(Differentiators(), differentiator) {
		return nil, fmt.Errorf("differentiator %q: must be one of %v", differentiator, Differentiators())
	}
	if differentiator == Central || cutoff <= 0 {
		return nil, nil
	}
	d := new(localFit)
	if differentiator == SavitzkyGolay {
		const degree = 3
		// Half power at f/(rate/2) = (degree+1)/(3.2·half - 4.6) (Schafer, IEEE Signal Processing Magazine 28, 2011); at
		// least five points, the smallest window over which a cubic smooths.
		half := max(2, int(math.Round(((degree+1)*rate/2/cutoff+4.6)/3.2)))
		for i := range d.cubics {
			d.cubics[i] = filter.NewSavitzkyGolay(half, degree, i)
		}
		d.reach = half
		return d, nil
	}
	d.smoother = filter.SmootherCutoff(cutoff, 1, 1/rate)
	// The slowest poles of 1/(1 + (ω/ω₀)⁶) are half as far from the axis as ω₀.
	d.reach = int(math.Ceil(-math.Log(tailTolerance) / (math.Pi * cutoff) * rate))
	return d, nil
}

// apply replaces positions, dt seconds apart, by filtered ones and writes their derivatives.
func (d *localFit) apply(q, dq, ddq [][]float64, dt float64, w *MotionWork) {
	for k := range q {
		n := len(q[k])
		w.scratch = append(w.scratch[:0], q[k]...)
		if d.cubics[0] != nil {
			for i, dst := range [][]float64{q[k], dq[k], ddq[k]} {
				d.cubics[i].Apply(dst, w.scratch, dt)
			}
			continue
		}
		// The smoother uses only differences of time, so each chunk begins at zero.
		w.clock = w.clock[:0]
		for i := range n {
			w.clock = append(w.clock, float64(i)*dt)
		}
		d.smoother.Smooth(q[k], dq[k], ddq[k], nil, w.clock, w.scratch)
	}
}
