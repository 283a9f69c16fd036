package feet

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/regressor"
)

// The kinds of gate: ids of findings.
const (
	Fell        = "fell"
	FootSlips   = "foot-slips"
	FootRadius  = "foot-radius"
	GravitySize = "gravity-size"
	IMUMount    = "imu-mount"
	SoleTwists  = "sole-twists"
	// Of logs that are read as those of a robot whose base is fixed.
	BaseMoves = "base-moves"
	LegsStand = "legs-stand"
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

// Limits of the gates. A soft contact of a simulator, or a rubber foot on a mat, creeps by 0.3 to 0.6 mm/s while it sways. The noise of the
// positions adds to that: encoders of 0.1 mrad behind a low-pass at 10 Hz 0.3 mm/s of a foot of a dog, and 1 to 2 mm/s of a sole of a
// humanoid, two legs of a metre away from the other. Limits hold for what is left without it.
const (
	// SlipLimit is the speed, m/s, from which a foot slips. slipRMS is the limit of its root mean square.
	SlipLimit, slipRMS = 0.002, 0.0015
	// slipShare is the share of samples above SlipLimit that is told; noise makes a thousandth.
	slipShare = 0.005
	// radiusLimit is how far, m, the radius that explains the motion may be from the given one.
	radiusLimit = 0.002
	// gravityLimit is how far the length of gravity may be off, m/s²: half a per cent, the scale error of an accelerometer.
	gravityLimit = 0.05
	// mountLimit is the turn of the sensor, rad, that is told: half a degree. It is corrected.
	mountLimit = 0.0087
	// twistRMS is the rate, rad/s rms, from which a sole twists: encoders of 0.1 mrad in two legs of six joints make a quarter
	// of it. From twistFatal on the base turns by a tenth of the rate of a sway otherwise than the feet say.
	twistRMS, twistFatal = 0.01, 0.03
	// still is the rate, rad/s rms, of a base that does not move: a gyroscope's noise behind a low-pass is a fifth of it.
	still = 0.005
	// A robot that has fallen slides on its feet, or its gravity cannot be found: no sway has a tenth of these.
	fellGravity, fellSlip, fellRate = 1.0, 0.05, 0.5
)

// Check returns what is wrong with a stance, the causes first. again follows the motion with another radius of all feet, NaN
// for their own, and without a foot, -1 for none; it may return nil.
func (m *Motion) Check(sticking *regressor.Sticking, again func(radius float64, without int) *Motion, gravity float64) []Gate {
	feet := sticking.Feet()
	worst, at := m.worst()
	if g := m.fallen(feet, worst, at, again, gravity); g != nil {
		return []Gate{*g}
	}
	var out []Gate
	if !feet[at].Sole {
		slip := func(radius float64) float64 {
			if m := again(radius, -1); m != nil {
				worst, _ := m.worst()
				return worst
			}
			return math.NaN()
		}
		if radius, better := bestRadius(slip, feet[at].Radius, worst); better && math.Abs(radius-feet[at].Radius) > radiusLimit {
			return append(out, Gate{FootRadius, true, "", radius, radiusLimit, fmt.Sprintf("the feet roll with a radius of %.1f mm, not %.1f mm", 1000*radius, 1000*feet[at].Radius), fmt.Sprintf("give the feet the radius %.4f m", radius)})
		}
	}
	for i := range feet {
		limit := m.slipLimit(i)
		speed, share := math.Sqrt(max(sq(RMS(m.Slip[i]))-sq(m.noise(i)), 0)), above(m.Slip[i], limit)
		if speed > slipRMS || share > slipShare {
			out = append(out, Gate{FootSlips, speed > slipRMS, feet[i].Name, speed, slipRMS,
				fmt.Sprintf("%s slips: %.2g mm/s rms, above %.2g mm/s in %.2g %% of the samples", feet[i].Name, 1000*speed, 1000*limit, 100*share),
				"a rubber mat, or a slower sway; the rows are left out"})
		}
		if m.Twist[i] == nil {
			continue
		}
		if rate := RMS(m.Twist[i]); rate > twistRMS {
			out = append(out, Gate{SoleTwists, rate > twistFatal, feet[i].Name, rate, twistRMS,
				fmt.Sprintf("the sole %s turns by %.2g rad/s rms against the ground: it twists or tilts", feet[i].Name, rate),
				"a mat that holds it, a slower sway, or weight on the whole sole"})
		}
	}
	if off := m.Gravity - gravity; math.Abs(off) > gravityLimit {
		out = append(out, Gate{GravitySize, false, "", m.Gravity, gravityLimit, fmt.Sprintf("feet and accelerometer find a gravity of %.3f m/s², not %.3f", m.Gravity, gravity),
			"check the scale of the accelerometer, the lengths of the legs and the zeros of the joints"})
	}
	if angle := spatial.Norm(m.Mount); m.MountSeen && angle > mountLimit {
		out = append(out, Gate{IMUMount, false, "", angle, mountLimit, fmt.Sprintf("the sensor is turned by %.2f° against the given pose; it is taken as found", angle*180/math.Pi), "give the pose of the sensor on the base"})
	}
	return out
}

// worst returns the largest slip of a foot, m/s rms, and the foot.
func (m *Motion) worst() (slip float64, foot int) {
	for i, x := range m.Slip {
		if v := RMS(x); v > slip {
			slip, foot = v, i
		}
	}
	return slip, foot
}

// fallen returns why feet and sensor have no motion in common; nil if they have one.
func (m *Motion) fallen(feet []regressor.Foot, worst float64, at int, again func(radius float64, without int) *Motion, gravity float64) *Gate {
	byFeet := m.GyroScale * m.GyroSize // of the rates by the feet, what the gyroscope sees
	switch {
	case gravity > 2 && math.Abs(m.ForceSize-1) < 0.2:
		return &Gate{GravitySize, true, "", m.ForceSize, gravityLimit, fmt.Sprintf("the accelerometer measures %.3g on average: it is in g", m.ForceSize), "give it in m/s²: {scale} 9.80665 of its channels"}
	case worst < fellSlip && math.Abs(m.GyroScale*180/math.Pi-1) < 0.2 && byFeet > turning:
		return &Gate{IMUMount, true, "", m.GyroScale, mountLimit, fmt.Sprintf("the gyroscope measures %.3g times the rates of the base by the feet: it is in degrees per second", 1/m.GyroScale), "give it in rad/s: {scale} 0.0174533 of its channels"}
	case math.Abs(m.Gravity-gravity) <= fellGravity && worst <= fellSlip && m.GyroRest <= fellRate:
		return nil
	}
	if m.GyroSize < still {
		return &Gate{Fell, true, "", m.GyroSize, still, fmt.Sprintf("the legs move and the gyroscope is still (%.2g rad/s rms): the base is held, or the feet are in the air", m.GyroSize), "leave out {feet} for a base that is held, or stand the robot on its feet"}
	}
	if len(feet) > 3 {
		for i := range feet {
			if rest := again(math.NaN(), i); rest != nil {
				if slip, _ := rest.worst(); slip < slipRMS && rest.GyroRest < fellRate && math.Abs(rest.Gravity-gravity) < fellGravity {
					speed := RMS(m.Slip[i])
					return &Gate{FootSlips, true, feet[i].Name, speed, slipRMS, fmt.Sprintf("%s moves by %.3g mm/s rms against the other feet, which stick: it slips, or is in the air where it should stand", feet[i].Name, 1000*speed),
						"{standing} auto, flags of stance that are true, or a sway on all feet"}
				}
			}
		}
	}
	return &Gate{Fell, true, "", m.Gravity, gravityLimit, fmt.Sprintf("the feet do not stick: a gravity of %.4g m/s² and a slip of %.3g mm/s of %s belong to a robot that falls, walks or hangs", m.Gravity, 1000*worst, feet[at].Name),
		"record a sway on feet that stick, cut the rows before the fall, or {standing} auto if feet were lifted"}
}

// SlipsAt reports whether a foot slips at a sample. Its rows must then be left out.
func (m *Motion) SlipsAt(i int) bool {
	for foot, x := range m.Slip {
		if x[i] > m.slipLimit(foot) {
			return true
		}
	}
	return false
}

// slipLimit returns the speed from which a foot slips at a sample: SlipLimit, and what noise alone makes at one of a thousand.
func (m *Motion) slipLimit(foot int) float64 { return math.Hypot(SlipLimit, 3*m.noise(foot)) }

// noise returns the root mean square of the slip that noise makes alone, 0 if it is not known.
func (m *Motion) noise(foot int) float64 {
	if m.slipNoise == nil {
		return 0
	}
	return m.slipNoise[foot]
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
