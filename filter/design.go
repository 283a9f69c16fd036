package filter

import (
	"fmt"
	"math"
)

// MaxOrder is the highest order for Butterworth.
const MaxOrder = 10

// settled is the fraction of a one-way impulse response that ZeroPhase's extension
// of the signal does not cover.
const settled = 1e-6

// CutoffError says that the sampling rate does not allow a cut-off frequency.
type CutoffError struct {
	Cutoff, Rate float64 // Hz
}

func (e *CutoffError) Error() string {
	if e.Cutoff > 0 && e.Cutoff < lowestCutoff*e.Rate {
		return fmt.Sprintf("filter: cut-off %.4g Hz is below %g of the sampling rate, %.4g Hz", e.Cutoff, lowestCutoff, e.Rate)
	}
	return fmt.Sprintf("filter: cut-off %.4g Hz is not between 0 and half the sampling rate, %.4g Hz (rate %.4g Hz)",
		e.Cutoff, e.Rate/2, e.Rate)
}

// lowestCutoff is the lowest cut-off relative to the sampling rate. The poles differ from one by about 2π times that, so
// that their decay, and the response length computed from it, still has seven digits.
const lowestCutoff = 1e-9

// fits reports whether a cut-off can be designed for a rate, both in hertz.
func fits(cutoff, rate float64) bool {
	return cutoff >= lowestCutoff*rate && cutoff > 0 && cutoff < rate/2 && !math.IsInf(rate, 1)
}

// OrderError says that Butterworth cannot design an order.
type OrderError struct{ Order int }

func (e *OrderError) Error() string {
	return fmt.Sprintf("filter: order %d is not between 1 and %d", e.Order, MaxOrder)
}

// section is one factor of a low-pass filter with unit gain at zero frequency;
// the package comment gives its recursion. A first-order section has k = 0,
// H = g(1+w)/[(1-w) + g(1+w)], and uses d = 2g/(1+g) only.
type section struct {
	g, k    float64
	d, p, q float64
}

func firstOrder(g float64) section {
	return section{g: g, d: 2 * g / (1 + g)}
}

func secondOrder(g, k float64) section {
	a := 1 / (1 + g*(g+k))
	return section{g: g, k: k, d: 2 * g * g * a, p: (1 - g*(g+k)) * a, q: 4 * g * g * a * a}
}

// pole returns the section's digital pole, the upper one of a pair.
func (c section) pole() complex128 {
	if c.k == 0 {
		return complex((1-c.g)/(1+c.g), 0)
	}
	s := complex(-c.g*c.k/2, c.g*math.Sqrt(1-c.k*c.k/4))
	return (1 + s) / (1 - s)
}

// at evaluates the section for minus = 1-w and plus = 1+w, finite at z = ∞, or for
// minus = z-1 and plus = z+1, finite at z = 0.
func (c section) at(minus, plus complex128) complex128 {
	g := complex(c.g, 0)
	if c.k == 0 {
		return g * plus / (minus + g*plus)
	}
	k := complex(c.k, 0)
	return g * g * plus * plus / (minus*minus + k*g*minus*plus + g*g*plus*plus)
}

// SOS is a low-pass filter as a cascade of second-order sections (and one of first order if the order is odd). The zero
// value passes signals unchanged. An SOS is immutable and safe for concurrent use.
type SOS struct {
	sections []section // lowest Q first, so that resonance comes last
	gain     float64   // at zero frequency, one way
	pad      int       // ZeroPhase's extension at each end, samples
}

// Butterworth designs a maximally flat low-pass filter of the given order, 1 to
// MaxOrder, with cutoff and rate in hertz, by the prewarped bilinear transform:
// the gain is 1 at zero frequency and 1/√2 at the cut-off, one way (1/2 after
// ZeroPhase). The error is a *CutoffError unless 1e-9·rate <= cutoff < rate/2, or a
// *OrderError for the order.
func Butterworth(order int, cutoff, rate float64) (SOS, error) {
	if order < 1 || order > MaxOrder {
		return SOS{}, &OrderError{Order: order}
	}
	return design(order, cutoff, rate, 1, func(theta float64) (re, im float64) {
		return math.Sin(theta), math.Cos(theta)
	})
}

// design converts the analogue prototype with poles -re(θ) ± j·im(θ), at the angles θ of the Butterworth circle, to
// digital sections.
func design(order int, cutoff, rate, gain float64, pole func(theta float64) (re, im float64)) (SOS, error) {
	if !fits(cutoff, rate) {
		return SOS{}, &CutoffError{Cutoff: cutoff, Rate: rate}
	}
	warp := math.Tan(math.Pi * cutoff / rate)
	s := SOS{gain: gain}
	if order%2 == 1 {
		re, _ := pole(math.Pi / 2)
		s.sections = append(s.sections, firstOrder(warp*re))
	}
	for m := order / 2; m >= 1; m-- {
		re, im := pole(math.Pi * float64(2*m-1) / float64(2*order))
		w := math.Hypot(re, im)
		s.sections = append(s.sections, secondOrder(warp*w, 2*re/w))
	}
	s.pad = s.oneWay(settled)
	return s, nil
}

// Response returns the filter's one-way frequency response at f for a sampling rate, both in hertz. ZeroPhase applies
// its squared magnitude.
func (s SOS) Response(f, rate float64) complex128 {
	if len(s.sections) == 0 {
		return 1
	}
	sin, cos := math.Sincos(math.Pi * f / rate)
	return s.at(complex(0, 2*sin), complex(2*cos, 0)) // times √w, which cancels
}

// at returns the product of the sections; see section.at.
func (s SOS) at(minus, plus complex128) complex128 {
	h := complex(s.gain, 0)
	for _, c := range s.sections {
		h *= c.at(minus, plus)
	}
	return h
}
