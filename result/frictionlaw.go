package result

import "math"

// FrictionLaw is the friction of a joint as a function of its rate, N·m or N.
type FrictionLaw struct {
	Viscous, Dry float64 // Fv, Fs
	Further      []FrictionPart
}

// FrictionPart is friction beside Fv and Fs: a parameter's value times the torque of a unit of it at a rate.
type FrictionPart struct {
	Name   string
	Value  float64
	Torque func(rate float64) float64
}

// Torque returns the friction at a rate, rad/s or m/s; it is zero at rest.
func (l FrictionLaw) Torque(rate float64) float64 {
	out := l.Viscous * rate
	if rate != 0 {
		out += math.Copysign(l.Dry, rate*l.Dry)
	}
	return out + l.further(rate)
}

func (l FrictionLaw) further(rate float64) float64 {
	out := 0.0
	for _, p := range l.Further {
		out += p.Value * p.Torque(rate)
	}
	return out
}

// Simple reports whether the law is Fv and Fs alone.
func (l FrictionLaw) Simple() bool { return len(l.Further) == 0 }

// NearestFriction is viscous and Coulomb friction near a law.
type NearestFriction struct {
	Fv, Fs float64
	// Speed is the largest rate of the comparison. RMS and Largest are the root mean square and the largest difference
	// of the torques over all rates up to it, in both directions.
	Speed, RMS, Largest float64
}

// frictionGrid is the number of intervals in each direction over which a law is summed, by Gauss's rule of two points. The rates are V·u², dense
// at rest, where Stribeck friction changes: down to Stribeck velocities of V/1000, which take more than a hundred intervals, the sums have eight digits.
const frictionGrid = 2048

// eachRate calls f for the rates of the grid with their weights, whose sum over both directions is 1.
func eachRate(speed float64, f func(rate, weight float64)) {
	half := 1 / (2 * math.Sqrt(3)) // of an interval, from its middle to a point
	for i := range frictionGrid {
		for _, at := range [2]float64{0.5 - half, 0.5 + half} {
			u := (float64(i) + at) / frictionGrid
			f(speed*u*u, u/(2*frictionGrid)) // dṡ/2V = u·du, two points an interval
		}
	}
}

// Nearest returns the viscous and Coulomb friction nearest to the law over the rates up to a speed, which must be above zero.
//
// Robot files have two coefficients of friction for a joint, damping and dry friction, the same in both directions. A fit may have
// found more: coefficients of each direction (Fa), Stribeck friction (Fst), friction with the square of the rate (Fq), friction that
// changes while the gears warm (Fw). Of a law τ(ṡ) the nearest pair minimises
//
//	∫ (τ(ṡ) − Fv·ṡ − Fs·sign ṡ)² dṡ   from −V to V
//
// the least squares of the torque over all rates up to V. The even part of the law, which is that of an offset, is orthogonal to both
// and adds to the distance only. On the odd part o the problem is that of a line over [0, V]; with the moments
// m₀ = ∫o dṡ/V and m₁ = ∫o·ṡ dṡ/V², it is Fs = 4·m₀ − 6·m₁ and Fv = (12·m₁ − 6·m₀)/V.
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
	m0, m1 := 0.0, 0.0
	eachRate(speed, func(rate, weight float64) {
		odd := weight * (l.further(rate) - l.further(-rate))
		m0, m1 = m0+odd, m1+odd*rate/speed
	})
	out.Fs += 4*m0 - 6*m1
	out.Fv += (12*m1 - 6*m0) / speed
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
	eachRate(speed, func(rate, weight float64) {
		up, down := off(rate), off(-rate)
		sum += weight * (up*up + down*down)
	})
	out.RMS = math.Sqrt(sum)
	return out
}
