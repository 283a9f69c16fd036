package filter

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// RealPole is a causal low-pass of first or second order with all its poles at
// -a, and with it the same filter of the signal's derivative:
//
//	F(s) = a/(s+a)      F'(s) = s·F(s) = a·(1 − F(s))
//	F(s) = a²/(s+a)²    F'(s) = s·F(s) = a·(a/(s+a) − a²/(s+a)²)
//
// F' is a combination of low-passes, without a difference of samples. Both are
// exact for signals that are cubic between samples, the cubic through the two
// samples on either side: the states' responses to it are integrals computed once,
// by NewRealPole. On a sinusoid of angular frequency ω at intervals T the
// interpolation has a relative error of order (ωT)⁴.
//
// Both start from rest at the first sample, F' from the signal's first value: then
// F' of a signal is F of its derivative from the first sample on, with no
// transient between them.
type RealPole struct {
	order int
	a     float64
	decay float64       // e^{-aT}
	ramp  float64       // aT·e^{-aT}
	one   [3][4]float64 // weights of four samples on the first state: first, inner and last interval
	two   [3][4]float64 // the same for the second state
}

// NewRealPole designs the filter of order 1 or 2 that passes half the power at corner, in hertz. It returns an error for
// another order, or if the corner is not between zero and half the sampling rate.
func NewRealPole(order int, corner, rate float64) (RealPole, error) {
	if order != 1 && order != 2 {
		return RealPole{}, fmt.Errorf("a filter with real poles has order 1 or 2, not %d", order)
	}
	if !fits(corner, rate) {
		return RealPole{}, &CutoffError{Cutoff: corner, Rate: rate}
	}
	// |a/(jω+a)|^(2·order) = 1/2 at the corner.
	f := RealPole{order: order, a: 2 * math.Pi * corner / math.Sqrt(math.Pow(2, 1/float64(order))-1)}
	z := f.a / rate
	f.decay, f.ramp = math.Exp(-z), z*math.Exp(-z)
	// z is below 5; sixteen nodes integrate its exponential times a cubic to
	// rounding.
	var x, w [16]float64
	quad.Legendre{}.FixedLocations(x[:], w[:], 0, 1)
	for place := range 3 {
		for i, s := range x {
			for k, l := range lagrange(s + float64(place)) {
				f.one[place][k] += w[i] * z * math.Exp(-z*(1-s)) * l
				f.two[place][k] += w[i] * z * z * (1 - s) * math.Exp(-z*(1-s)) * l
			}
		}
	}
	return f, nil
}

// lagrange returns the cubic base polynomials of the nodes 0, 1, 2, 3 at x.
func lagrange(x float64) [4]float64 {
	return [4]float64{
		-(x - 1) * (x - 2) * (x - 3) / 6, x * (x - 2) * (x - 3) / 2,
		-x * (x - 1) * (x - 3) / 2, x * (x - 1) * (x - 2) / 6,
	}
}

// Order returns the filter's order.
func (f RealPole) Order() int { return f.order }

// Delay returns the group delay at zero frequency, in seconds.
func (f RealPole) Delay() float64 { return float64(f.order) / f.a }

// Tail returns the number of samples after which the response to an impulse stays below tol of its sum.
func (f RealPole) Tail(tol float64) int {
	// After k samples the remaining part of either response is at most (1 + akT)·e^{-akT}.
	z, k := -math.Log(f.decay), 1.0
	for (1+z*k)*math.Exp(-z*k) > tol {
		k *= 1.25
	}
	return int(math.Ceil(k)) + 2
}

// LowPass replaces x by F(x), in place. It panics below four samples.
func (f RealPole) LowPass(x []float64) { f.run(x, 0, false) }

// LowPassRate replaces x by F of its derivative by time, in place.
func (f RealPole) LowPassRate(x []float64) { f.run(x, x[0], true) }

func (f RealPole) run(x []float64, from float64, rate bool) {
	n := len(x)
	if n < 4 {
		panic(fmt.Sprintf("filter: %d samples are too few for cubics", n))
	}
	var s1, s2 float64
	at := [4]float64{x[0], x[1], x[2], x[3]}
	next := 4 // index of the next sample to enter at
	for k := range n {
		now := x[k] - from
		if k > 0 {
			place := 1
			switch {
			case k == 1:
				place = 0
			case k == n-1:
				place = 2
			}
			u1, u2 := 0.0, 0.0
			for i := range at {
				u1 += f.one[place][i] * (at[i] - from)
				u2 += f.two[place][i] * (at[i] - from)
			}
			s1, s2 = f.decay*s1+u1, f.decay*s2+f.ramp*s1+u2
			// The window of four samples moves on as long as a sample follows.
			if k >= 2 && next < n {
				at = [4]float64{at[1], at[2], at[3], x[next]}
				next++
			}
		}
		switch {
		case rate && f.order == 1:
			x[k] = f.a * (now - s1)
		case rate:
			x[k] = f.a * (s1 - s2)
		case f.order == 1:
			x[k] = s1
		default:
			x[k] = s2
		}
	}
}
