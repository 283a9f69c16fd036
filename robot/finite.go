package robot

import (
	"fmt"
	"math"
)

// maxMagnitude bounds the numbers of a robot file, in SI units. Up to it, fourth powers (in determinants of
// pseudo-inertias), moments of inertia, and their products with any speed are finite.
const maxMagnitude = 1e50

// checkFinite refuses numbers whose products overflow.
func (r *Robot) checkFinite() error {
	finite := func(vs ...float64) bool {
		for _, v := range vs {
			if !(math.Abs(v) <= maxMagnitude) {
				return false
			}
		}
		return true
	}
	good := func(t Transform) bool {
		return finite(t.R[0][:]...) && finite(t.R[1][:]...) && finite(t.R[2][:]...) && finite(t.P[:]...)
	}
	// NaN means that the file does not give a joint's number.
	given := func(vs ...float64) bool {
		for _, v := range vs {
			if math.Abs(v) > maxMagnitude {
				return false
			}
		}
		return true
	}
	if !given(r.Gravity[:]...) {
		return Fault(0, "gravity", "its numbers are too large to compute with")
	}
	for j, l := range r.Links {
		field := ""
		jt := l.Joint
		switch {
		case !given(jt.Lower, jt.Upper, jt.Velocity, jt.Accel, jt.Jerk, jt.Effort, jt.Ia, jt.Fv, jt.Fs, jt.Fo, jt.GearRatio, jt.Gain,
			jt.Elasticity.Stiffness, jt.Elasticity.Damping, jt.Elasticity.Cubic, jt.Elasticity.Hysteresis):
			field = fmt.Sprintf("joint %q", jt.Name)
		case !good(l.Placement):
			field = "placement"
		case !good(l.UserFrame):
			field = "user frame"
		case !finite(l.Inertial[:]...) || !finite(l.Own[:]...):
			field = "inertial"
		default:
			continue
		}
		return Fault(0, fmt.Sprintf("frame %d (link %q)", j+1, l.Name), "%s: its numbers are too large to compute with", field)
	}
	for _, l := range r.Lumped {
		if !good(l.InLink) || !finite(l.Inertial[:]...) {
			return Fault(0, fmt.Sprintf("link %q", l.Name), "its numbers are too large to compute with")
		}
	}
	return nil
}
