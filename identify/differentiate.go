package identify

import (
	"fmt"
	"math"
	"slices"

	"ident/filter"
)

// Differentiators: how velocities and accelerations are made of positions.
const (
	Central       = "central"        // zero-phase Butterworth at MotionCutoff, then differences of five points
	SavitzkyGolay = "savitzky-golay" // local cubics, over a window that passes the band of MotionCutoff
	Kalman        = "kalman"         // a smoother for white jerk, with half its gain at MotionCutoff
)

// Differentiators lists them, the default first.
func Differentiators() []string { return []string{Central, SavitzkyGolay, Kalman} }

// differentiator takes the place of the motion filter and the differences.
type differentiator struct {
	local    [3]*filter.SavitzkyGolay // position, velocity, acceleration; nil for the smoother
	smoother filter.Smoother
	clock    []float64
	scratch  []float64
	reach    int // samples to either side that matter
}

// newDifferentiator returns nil for the default, and where positions are not filtered.
func newDifferentiator(cfg *Config, rate float64) (*differentiator, error) {
	if !slices.Contains(Differentiators(), cfg.Differentiator) {
		return nil, fmt.Errorf("differentiator %q: it is one of %v", cfg.Differentiator, Differentiators())
	}
	if cfg.Differentiator == Central || cfg.MotionCutoff <= 0 {
		return nil, nil
	}
	d := new(differentiator)
	if cfg.Differentiator == SavitzkyGolay {
		const degree = 3
		// Half power at f/(rate/2) = (degree+1)/(3.2·half - 4.6) (Schafer, IEEE Signal Processing Magazine 28,
		// 2011), at least the window of five points that a cubic smooths at all.
		half := max(2, int(math.Round(((degree+1)*rate/2/cfg.MotionCutoff+4.6)/3.2)))
		for i := range d.local {
			d.local[i] = filter.NewSavitzkyGolay(half, degree, i)
		}
		d.reach = half
		return d, nil
	}
	d.smoother = filter.SmootherCutoff(cfg.MotionCutoff, 1, 1/rate)
	// The slowest poles of 1/(1 + (ω/ω₀)⁶) are half as far from the axis as ω₀.
	d.reach = int(math.Ceil(-math.Log(tailTolerance) / (math.Pi * cfg.MotionCutoff) * rate))
	return d, nil
}

// apply replaces a chunk's positions and makes the derivatives of them, dt seconds apart.
func (d *differentiator) apply(q, dq, ddq [][]float64, dt float64) {
	for k := range q {
		n := len(q[k])
		d.scratch = append(d.scratch[:0], q[k]...)
		if d.local[0] != nil {
			for i, dst := range [][]float64{q[k], dq[k], ddq[k]} {
				d.local[i].Apply(dst, d.scratch, dt)
			}
			continue
		}
		for i := len(d.clock); i < n; i++ {
			d.clock = append(d.clock, float64(i)*dt)
		}
		d.smoother.Smooth(q[k], dq[k], ddq[k], nil, d.clock[:n], d.scratch)
	}
}
