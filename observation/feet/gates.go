package feet

import (
	"fmt"
	"math"

	"ident/regressor"
)

// The kinds of gate: ids of findings.
const (
	Fell        = "fell"
	FootSlips   = "foot-slips"
	FootRadius  = "foot-radius"
	GravitySize = "gravity-size"
	IMUMount    = "imu-mount"
)

// A Gate is something that is wrong with a stance.
type Gate struct {
	Kind  string
	Fatal bool   // parameters from these rows would be wrong
	Foot  string // "" if it is about no foot
	Value float64
	Limit float64
	Why   string // one sentence
	Fix   string
}

// Limits of the gates. A soft contact of a simulator, or a rubber foot on a mat, creeps by 0.3 to 0.6 mm/s while it sways;
// encoders of 0.1 mrad behind a low-pass at 10 Hz add 0.3 mm/s.
const (
	// slipLimit is the speed, m/s, from which a foot slips. slipRms is the limit of its root mean square.
	slipLimit, slipRMS = 0.002, 0.0015
	// slipShare is the share of samples above slipLimit that is told; noise makes a thousandth.
	slipShare = 0.005
	// radiusLimit is how far, m, the radius that explains the motion may be from the given one.
	radiusLimit = 0.002
	// gravityLimit is how far the length of gravity may be off, m/s²: half a per cent, the scale error of an accelerometer.
	gravityLimit = 0.05
	// mountLimit is the turn of the sensor, rad, that is told: half a degree. It is corrected.
	mountLimit = 0.0087
	// A robot that has fallen slides on its feet, or its gravity cannot be found: no sway has a tenth of these.
	fellGravity, fellSlip, fellRate = 1.0, 0.05, 0.5
)

// Check returns what is wrong with a stance, the causes first. search returns the slip, m/s rms, of the worst foot if all
// feet have a radius; it may be nil.
func (m *Motion) Check(sticking *regressor.Sticking, search func(radius float64) float64, gravity float64) []Gate {
	var out []Gate
	feet := sticking.Feet()
	worst, at := 0.0, 0
	for i := range feet {
		if v := RMS(m.Slip[i]); v > worst {
			worst, at = v, i
		}
	}
	off := m.Gravity - gravity
	switch {
	case gravity > 2 && math.Abs(m.ForceSize-1) < 0.2:
		return []Gate{{GravitySize, true, "", m.ForceSize, gravityLimit, fmt.Sprintf("the accelerometer measures %.3g on average: it is in g", m.ForceSize), "give it in m/s²: multiply its channels by 9.80665"}}
	case math.Abs(off) > fellGravity || worst > fellSlip || m.GyroRest > fellRate:
		return []Gate{{Fell, true, "", m.Gravity, gravityLimit, fmt.Sprintf("the feet do not stick: a gravity of %.4g m/s² and a slip of %.3g mm/s belong to a robot that falls, walks or hangs", m.Gravity, 1000*worst),
			"record a sway on feet that stick, or cut the rows before the fall"}}
	}
	if !feet[at].Sole && search != nil {
		if radius, better := bestRadius(search, feet[at].Radius, worst); better && math.Abs(radius-feet[at].Radius) > radiusLimit {
			return append(out, Gate{FootRadius, true, "", radius, radiusLimit, fmt.Sprintf("the feet roll with a radius of %.1f mm, not %.1f mm", 1000*radius, 1000*feet[at].Radius), fmt.Sprintf("give the feet the radius %.4f m", radius)})
		}
	}
	for i := range feet {
		speed, share := RMS(m.Slip[i]), above(m.Slip[i], slipLimit)
		if speed > slipRMS || share > slipShare {
			out = append(out, Gate{FootSlips, speed > slipRMS, feet[i].Name, speed, slipRMS,
				fmt.Sprintf("%s slips: %.2g mm/s rms, above %g mm/s in %.2g %% of the samples", feet[i].Name, 1000*speed, 1000*slipLimit, 100*share),
				"a rubber mat, or a slower sway; the rows are left out"})
		}
	}
	if math.Abs(off) > gravityLimit {
		out = append(out, Gate{GravitySize, false, "", m.Gravity, gravityLimit, fmt.Sprintf("feet and accelerometer find a gravity of %.3f m/s², not %.3f", m.Gravity, gravity),
			"check the scale of the accelerometer, the lengths of the legs and the zeros of the joints"})
	}
	if angle := math.Sqrt(m.Mount[0]*m.Mount[0] + m.Mount[1]*m.Mount[1] + m.Mount[2]*m.Mount[2]); m.MountSeen && angle > mountLimit {
		out = append(out, Gate{IMUMount, false, "", angle, mountLimit, fmt.Sprintf("the sensor is turned by %.2f° against the given pose; it is taken as found", angle*180/math.Pi), "give the pose of the sensor on the base"})
	}
	return out
}

// SlipsAt reports whether a foot slips at a sample. Its rows must then be left out.
func (m *Motion) SlipsAt(i int) bool {
	for _, x := range m.Slip {
		if x[i] > slipLimit {
			return true
		}
	}
	return false
}

// radiusStep is the distance, m, of the radii at which the slip is found.
const radiusStep = 0.01

// bestRadius returns the radius with the least slip, and whether it takes a quarter of the power of the slip at the given
// radius, which is now. Points of contact depend on the radius linearly, so that the square of the slip is a parabola.
func bestRadius(slip func(radius float64) float64, given, now float64) (float64, bool) {
	y0, y1, y2 := now*now, sq(slip(given+radiusStep)), sq(slip(given+2*radiusStep))
	curve, slope := (y0-2*y1+y2)/sq(radiusStep), (4*y1-3*y0-y2)/(2*radiusStep)
	if !(curve > 0) {
		return given, false
	}
	best := max(0, given-slope/curve)
	return best, slip(best) < 0.87*now
}

func sq(x float64) float64 { return x * x }

// above returns the share of the entries above a limit, of those that are numbers.
func above(x []float64, limit float64) float64 {
	n, over := 0, 0
	for _, v := range x {
		if !math.IsNaN(v) {
			n++
			if v > limit {
				over++
			}
		}
	}
	return float64(over) / float64(max(n, 1))
}

// RMS returns the root mean square of the entries that are numbers, or NaN if there are none.
func RMS(x []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range x {
		if !math.IsNaN(v) {
			sum += v * v
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}
