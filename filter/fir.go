package filter

import (
	"fmt"
	"math"
)

// Properties of DecimationFIR.
const (
	// DecimationAttenuation is the attenuation of aliases, dB.
	DecimationAttenuation = 60
	// DecimationPass is the end of the flat pass band in units of the new Nyquist
	// frequency; the stop band begins at that frequency.
	DecimationPass = 0.6
)

// FIR is a linear-phase filter with an odd number of symmetric taps, centred on the middle one, so it has no delay.
type FIR struct {
	Taps []float64 // 2·Half()+1 of them
}

// Half returns the number of taps on either side of the centre: so many samples are lost at each end of a signal.
func (f FIR) Half() int { return len(f.Taps) / 2 }

// DecimationFIR designs the anti-alias filter for keeping every factor-th sample: a KaiserLowPass with
// DecimationAttenuation dB, whose pass band ends at DecimationPass times the new Nyquist frequency and whose stop band
// starts at that frequency. It spans about nine new samples on each side. A factor of 1 gives the single tap 1; below 1
// it panics.
func DecimationFIR(factor int) FIR {
	if factor < 1 {
		panic(fmt.Sprintf("filter: decimation by %d", factor))
	}
	if factor == 1 {
		return FIR{Taps: []float64{1}}
	}
	nyquist := 0.5 / float64(factor)
	return KaiserLowPass(DecimationPass*nyquist, nyquist, DecimationAttenuation)
}

// DecimationReach returns the number of taps on either side of the centre of DecimationFIR without designing it. Callers
// with a user's factor must compare it with the length of the signal first, because memory follows from it.
func DecimationReach(factor int) float64 {
	if factor <= 1 {
		return 0
	}
	nyquist := 0.5 / float64(factor)
	return kaiserReach(DecimationPass*nyquist, nyquist, DecimationAttenuation)
}

// kaiserReach returns half the length of KaiserLowPass, by Kaiser's formula.
func kaiserReach(pass, stop, attenuation float64) float64 {
	return math.Ceil((attenuation - 7.95) / (2.285 * 2 * math.Pi * (stop - pass)) / 2)
}

// KaiserLowPass designs a low-pass filter as a sinc under a Kaiser window. The
// pass band ends and the stop band starts at these frequencies in cycles per
// sample; the stop band is about attenuation, in dB, below 1 (Kaiser's formulas, which
// hold within a decibel; Oppenheim and Schafer, Discrete-Time Signal Processing,
// section 7.5). The taps sum to one, which costs up to twice that ripple elsewhere in
// the pass band. It panics unless 0 < pass < stop <= 1/2 and
// attenuation > 21.
func KaiserLowPass(pass, stop, attenuation float64) FIR {
	if !(pass > 0 && pass < stop && stop <= 0.5 && attenuation > 21) {
		panic(fmt.Sprintf("filter: no low-pass can have its transition from %g to %g cycles a sample and %g dB of attenuation", pass, stop, attenuation))
	}
	half := int(kaiserReach(pass, stop, attenuation))
	beta := 0.1102 * (attenuation - 8.7)
	if attenuation < 50 {
		beta = 0.5842*math.Pow(attenuation-21, 0.4) + 0.07886*(attenuation-21)
	}
	cut := (pass + stop) / 2
	taps := make([]float64, 2*half+1)
	sum := 0.0
	for i := half; i >= 1; i-- {
		u := float64(i) / float64(half)
		w := besselI0(beta*math.Sqrt(1-u*u)) / besselI0(beta)
		v := w * math.Sin(2*math.Pi*cut*float64(i)) / (math.Pi * float64(i))
		taps[half-i], taps[half+i] = v, v
		sum += 2 * v
	}
	taps[half] = 2 * cut
	sum += taps[half]
	for i := range taps {
		taps[i] /= sum
	}
	return FIR{Taps: taps}
}

// besselI0 returns the modified Bessel function of the first kind and order zero, by its power series, whose terms are
// all positive.
func besselI0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}

// Count returns the number of outputs of Decimate for n samples: the centres first + k·factor whose whole support lies
// inside.
func (f FIR) Count(n, first, factor int) int {
	room := n - 1 - f.Half() - first
	if room < 0 {
		return 0
	}
	return room/factor + 1
}

// Decimate filters x and keeps every factor-th sample,
//
//	dst[k] = Σ taps[i]·x[first + k·factor + i - Half()],
//
// for k = 0, 1, … as long as the whole support lies inside x and dst has room, and
// returns the number of outputs. It panics when first < Half(), whose support
// begins before x, and when factor < 1. dst and x must not overlap.
func (f FIR) Decimate(dst, x []float64, first, factor int) int {
	half := f.Half()
	if first < half || factor < 1 {
		panic(fmt.Sprintf("filter: cannot decimate by %d from sample %d with %d taps on each side", factor, first, half))
	}
	n := min(f.Count(len(x), first, factor), len(dst))
	for k := range n {
		lo := first + k*factor - half
		dst[k] = symmetric(f.Taps, x[lo:lo+len(f.Taps)])
	}
	return n
}

// symmetric returns the inner product of symmetric taps with x of the same odd length, folded to halve the products.
// Four sums run side by side, in a fixed order.
func symmetric(taps, x []float64) float64 {
	half := len(taps) / 2
	t, a := taps[:half], x[:half]
	b := x[half+1:][:half]
	var s0, s1, s2, s3 float64
	for ; len(t) >= 4 && len(a) >= 4 && len(b) >= 4; t, a, b = t[4:], a[4:], b[:len(b)-4] {
		e := b[len(b)-4:]
		s0 += t[0] * (a[0] + e[3])
		s1 += t[1] * (a[1] + e[2])
		s2 += t[2] * (a[2] + e[1])
		s3 += t[3] * (a[3] + e[0])
	}
	for i := range t {
		s0 += t[i] * (a[i] + b[len(b)-1-i])
	}
	return (s0 + s1) + (s2 + s3) + taps[half]*x[half]
}
