package symmetric

import "math"

// Law is the friction of a joint as a function of its rate, N·m or N.
type Law struct {
	Viscous, Dry float64 // Fv, Fs
	// Of the directions, beside those: Fvp, Fsp where the rate is above zero, Fvn, Fsn below.
	ViscousUp, ViscousDown, DryUp, DryDown float64
	Quadratic                              float64 // Fq
	Stribeck, StribeckVelocity             float64 // Fst, and its velocity, rad/s or m/s
}

// Torque returns the friction at a rate, rad/s or m/s; it is zero at rest.
func (l Law) Torque(rate float64) float64 {
	s, v, dry := 0.0, l.ViscousUp, l.DryUp
	switch {
	case rate > 0:
		s = 1
	case rate < 0:
		s, v, dry = -1, l.ViscousDown, l.DryDown
	}
	out := (l.Viscous+v)*rate + s*(l.Dry+dry) + l.Quadratic*rate*math.Abs(rate)
	if l.Stribeck != 0 {
		z := rate / l.StribeckVelocity
		out += s * l.Stribeck * math.Exp(-z*z)
	}
	return out
}

// Simple reports whether the law is Fv and Fs alone.
func (l Law) Simple() bool { return l == Law{Viscous: l.Viscous, Dry: l.Dry} }

// Friction is viscous and Coulomb friction near a law.
type Friction struct {
	Fv, Fs float64
	// Speed is the largest rate of the comparison. RMS and Largest are the root mean square and the largest difference
	// of the torques over all rates up to it, in both directions.
	Speed, RMS, Largest float64
}

// grid is the number of rates in each direction where the distance is summed. The rates V·u² are dense at rest, where
// Stribeck friction changes; the midpoint rule is of second order in u, so that the distance has four digits for
// Stribeck velocities down to V/1000.
const grid = 4096

// Nearest returns the friction nearest to the law over the rates up to a speed, which is above zero.
func (l Law) Nearest(speed float64) Friction {
	if !(speed > 0) || math.IsInf(speed, 0) {
		panic("symmetric: the speed must be above zero and finite")
	}
	out := Friction{Fv: l.Viscous, Fs: l.Dry, Speed: speed}
	if l.Simple() {
		return out
	}
	out.Fv += (l.ViscousUp+l.ViscousDown)/2 + l.Quadratic*speed
	out.Fs += (l.DryUp+l.DryDown)/2 - l.Quadratic*speed*speed/6
	if l.Stribeck != 0 {
		x := l.StribeckVelocity / speed
		m0 := math.Sqrt(math.Pi) / 2 * math.Erf(1/x) * x
		m1 := -x * x / 2 * math.Expm1(-1/(x*x))
		out.Fs += l.Stribeck * (4*m0 - 6*m1)
		out.Fv += l.Stribeck * (12*m1 - 6*m0) / speed
	}
	// Of a line a + b·x over [0, 1] the best constant is a + b/2, the best multiple of x is b + 3a/2.
	switch a, b := out.Fs, out.Fv*speed; {
	case a < 0:
		out.Fs, out.Fv = 0, max(0, b+1.5*a)/speed
	case b < 0:
		out.Fs, out.Fv = max(0, a+b/2), 0
	}
	off := func(v float64) float64 {
		d := l.Torque(v) - out.Fv*v - math.Copysign(out.Fs, v)
		out.Largest = max(out.Largest, math.Abs(d))
		return d
	}
	off(speed)
	off(-speed)
	sum := 0.0
	for i := range grid {
		u := (float64(i) + 0.5) / grid
		rate := speed * u * u
		up, down := off(rate), off(-rate)
		sum += u * (up*up + down*down) // dṡ = 2V·u du, of the 2V
	}
	out.RMS = math.Sqrt(sum / grid)
	return out
}
