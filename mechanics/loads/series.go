package loads

import (
	"fmt"
	"math"
	"slices"
)

// Series is a motion of a robot's drives, [joint][sample], in the order of their joints: rad or m, and derivatives by
// time. Tau are the drives' torques, N·m or N; nil for those of the robot's bodies, rotors, friction and
// offsets. They are without a payload's, which Of adds.
type Series struct {
	T          []float64 // s, ascending
	Q, DQ, DDQ [][]float64
	Tau        [][]float64
}

// check refuses a series that does not fit, which a caller can know beforehand only of the shapes: those panic.
func (s *Series) check(joints int) error {
	for _, g := range [][][]float64{s.Q, s.DQ, s.DDQ, s.Tau} {
		if g == nil && len(s.Tau) == 0 {
			continue
		}
		if len(g) != joints {
			panic(fmt.Sprintf("loads: a motion of %d joints for %d drives", len(g), joints))
		}
		for _, x := range g {
			if len(x) != len(s.T) {
				panic(fmt.Sprintf("loads: %d values for %d samples", len(x), len(s.T)))
			}
		}
	}
	if s.Q == nil || s.DQ == nil || s.DDQ == nil {
		panic("loads: a motion needs positions, velocities and accelerations")
	}
	if len(s.T) < 2 {
		return fmt.Errorf("loads: a motion of %d samples; give two or more", len(s.T))
	}
	for k := 1; k < len(s.T); k++ {
		if !(s.T[k] > s.T[k-1]) {
			return fmt.Errorf("loads: time %g s of sample %d is not later than the sample before", s.T[k], k+1)
		}
	}
	for _, g := range [][][]float64{s.Q, s.DQ, s.DDQ, s.Tau} {
		for i, x := range g {
			for k, v := range x {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("loads: a value of joint %d at %g s is %g", i+1, s.T[k], v)
				}
			}
		}
	}
	return nil
}

// weights returns the weights of the trapezoidal rule, s. Gaps of more than ten median intervals are no part of the motion.
func (s *Series) weights() (w []float64, duration float64) {
	n := len(s.T)
	steps := make([]float64, n-1)
	for k := range steps {
		steps[k] = s.T[k+1] - s.T[k]
	}
	sorted := slices.Sorted(slices.Values(steps))
	longest := 10 * sorted[len(sorted)/2]
	w = make([]float64, n)
	for k, h := range steps {
		if h > longest {
			continue
		}
		w[k] += h / 2
		w[k+1] += h / 2
		duration += h
	}
	return w, duration
}

// Peak is the largest magnitude of a quantity, with its sign, and its time, s.
type Peak struct {
	Value float64 `json:"value"`
	At    float64 `json:"at_s"`
}

// take keeps a value whose magnitude is larger.
func (p *Peak) take(v, t float64) bool {
	if math.Abs(v) > math.Abs(p.Value) {
		p.Value, p.At = v, t
		return true
	}
	return false
}
