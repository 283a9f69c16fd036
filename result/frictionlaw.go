package result

import "math"

// FrictionLaw is the friction of a joint as a function of its rate, N·m or N.
type FrictionLaw struct {
	Viscous, Dry float64 // Fv, Fs
	// Of the directions, beside those: Fvp, Fsp where the rate is above zero, Fvn, Fsn below.
	ViscousUp, ViscousDown, DryUp, DryDown float64
	Quadratic                              float64 // Fq
	Stribeck, StribeckVelocity             float64 // Fst, and its velocity, rad/s or m/s
}

// Torque returns the friction at a rate, rad/s or m/s; it is zero at rest.
func (l FrictionLaw) Torque(rate float64) float64 {
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
func (l FrictionLaw) Simple() bool { return l == FrictionLaw{Viscous: l.Viscous, Dry: l.Dry} }

// NearestFriction is viscous and Coulomb friction near a law.
type NearestFriction struct {
	Fv, Fs float64
	// Speed is the largest rate of the comparison. RMS and Largest are the root mean square and the largest difference
	// of the torques over all rates up to it, in both directions.
	Speed, RMS, Largest float64
}

// frictionGrid is the number of rates in each direction where the distance is summed. The rates V·u² are dense at rest, where
// Stribeck friction changes; the midpoint rule is of second order in u, so that the distance has four digits for
// Stribeck velocities down to V/1000.
const frictionGrid = 4096

// Nearest returns the viscous and Coulomb friction nearest to the law over the rates up to a speed, which must be above zero.
//
// Robot files have two coefficients of friction for a joint, damping and dry friction, the same in both directions. A fit may have
// found more: coefficients of each direction (Fa), Stribeck friction (Fst), friction with the square of the rate (Fq), friction that
// changes while the gears warm (Fw). Of a law τ(ṡ) the nearest pair minimises
//
//	∫ (τ(ṡ) − Fv·ṡ − Fs·sign ṡ)² dṡ   from −V to V
//
// the least squares of the torque over all rates up to V. The even part of the law, which is that of an offset, is orthogonal to both
// and adds to the distance only. On the odd part the problem is that of a line over [0, V], with the projections
//
//	ṡ²            → V·ṡ − V²/6
//	exp(−(ṡ/v)²)  → (4·m₀ − 6·m₁) + (12·m₁ − 6·m₀)·ṡ/V,  m₀ = √π/2·erf(V/v)·v/V,  m₁ = (v/V)²/2·(1 − exp(−(V/v)²))
//
// Neither coefficient is below zero: a friction that gives energy is none. A law of Fv and Fs alone stays as it is.
func (l FrictionLaw) Nearest(speed float64) NearestFriction {
	if !(speed > 0) || math.IsInf(speed, 0) {
		panic("result: the speed must be above zero and finite")
	}
	out := NearestFriction{Fv: l.Viscous, Fs: l.Dry, Speed: speed}
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
	for i := range frictionGrid {
		u := (float64(i) + 0.5) / frictionGrid
		rate := speed * u * u
		up, down := off(rate), off(-rate)
		sum += u * (up*up + down*down) // dṡ = 2V·u du, of the 2V
	}
	out.RMS = math.Sqrt(sum / frictionGrid)
	return out
}
