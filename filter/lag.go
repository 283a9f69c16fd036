package filter

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// stencil is the number of correlations on either side of an interpolated one.
const stencil = 12

// Lag estimates by how many seconds y lags behind x, y(t) ≈ a·x(t-lag) + b with
// a > 0, when both are sampled every dt seconds, searching -maxLag to maxLag.
//
// It correlates x, without the maxLag (and a few samples more) at either end, with
// every shifted stretch of y of the same length, each centred and normalised: the
// ends of the record do not bias the estimate, and a copy of x has correlation one.
// Between samples the correlation is interpolated by a polynomial through 24 of
// them. Without noise and without content above half the Nyquist frequency the
// error is below 1e-3·dt; noise that is independent in the two does not bias it.
// Low-pass signals with more content, both alike.
//
// quality is the correlation at the maximum less that of the highest other local
// maximum in the searched range, if that is positive: 1 for a clean copy, near 0
// for unrelated signals and for periodic ones with several equally likely lags. It
// is 0 when the correlation still rises at the end of the range, and 0 with a lag of
// 0 for a constant or non-finite signal, or a record too short for the search. The
// cost is of order len(x)·maxLag/dt. It panics when the lengths differ, dt is not
// positive or maxLag is negative.
func Lag(x, y []float64, dt, maxLag float64) (lag, quality float64) {
	if len(x) != len(y) || !(dt > 0) || !(maxLag >= 0) {
		panic(fmt.Sprintf("filter: cannot find a lag of up to %g s between %d and %d samples at intervals of %g s", maxLag, len(x), len(y), dt))
	}
	search := math.Ceil(maxLag / dt)
	reach := search + stencil
	if float64(len(x)) < 2*reach+8 {
		return 0, 0
	}
	c := correlations(x, y, int(reach))
	if c == nil {
		return 0, 0
	}
	lo, hi := stencil, len(c)-1-stencil
	best := lo
	for i := lo; i <= hi; i++ {
		if c[i] > c[best] {
			best = i
		}
	}
	if c[best] <= 0 {
		return 0, 0
	}
	at, peak := refine(c, best)
	lag = (at - reach) * dt
	if c[best] < c[best-1] || c[best] < c[best+1] {
		return lag, 0 // still rising where the range ends
	}
	rival := 0.0
	for i := lo; i <= hi; i++ {
		if i != best && c[i] > rival && c[i] >= c[i-1] && c[i] > c[i+1] {
			rival = c[i]
		}
	}
	return lag, math.Min(1, math.Max(0, peak-rival))
}

// correlations returns the correlation of x[reach:n-reach] with the stretches of y
// that start at 0 … 2·reach, or nil when one of them has no variation.
func correlations(x, y []float64, reach int) []float64 {
	n := len(x) - 2*reach
	ref := make([]float64, n)
	copy(ref, x[reach:])
	norm := centre(ref)
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	if !(norm > 0) || math.IsInf(norm, 1) || math.IsNaN(mean) {
		return nil
	}
	centred := make([]float64, len(y))
	for i, v := range y {
		centred[i] = v - mean
	}
	var sum, sq float64
	for _, v := range centred[:n] {
		sum += v
		sq += v * v
	}
	c := make([]float64, 2*reach+1)
	for m := range c {
		energy := sq - sum*sum/float64(n)
		// Below some tens of ε times the sums, their difference is only rounding.
		if !(energy > 1e-14*sq) || math.IsInf(energy, 1) {
			return nil
		}
		c[m] = floats.Dot(ref, centred[m:m+n]) / (norm * math.Sqrt(energy))
		if m < len(c)-1 {
			out, in := centred[m], centred[m+n]
			sum += in - out
			sq += in*in - out*out
		}
	}
	return c
}

// centre subtracts the mean of x and returns the norm of the difference, 0 if that
// is rounding.
func centre(x []float64) float64 {
	mean, raw := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
		raw += v * v
	}
	sq := 0.0
	for i := range x {
		x[i] -= mean
		sq += x[i] * x[i]
	}
	// A constant minus its mean leaves only rounding, at most some tens of ε = 2e-16 of it: 1e-14, squared.
	if sq <= 1e-28*raw {
		return 0
	}
	return math.Sqrt(sq)
}

// refine finds the maximum of the interpolated sequence within one sample of c[i],
// by golden-section search.
func refine(c []float64, i int) (at, value float64) {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := max(float64(i)-1, stencil), min(float64(i)+1, float64(len(c)-1-stencil))
	l, r := b-ratio*(b-a), a+ratio*(b-a)
	fl, fr := interpolate(c, l), interpolate(c, r)
	for b-a > 1e-9 {
		if fl < fr {
			a, l, fl = l, r, fr
			r = a + ratio*(b-a)
			fr = interpolate(c, r)
		} else {
			b, r, fr = r, l, fl
			l = b - ratio*(b-a)
			fl = interpolate(c, l)
		}
	}
	at = (a + b) / 2
	return at, interpolate(c, at)
}

// interpolate evaluates the polynomial through the 2·stencil values around at, in
// the barycentric form, whose weights on an even grid are alternating binomials.
func interpolate(c []float64, at float64) float64 {
	first := max(min(int(math.Floor(at))-stencil+1, len(c)-2*stencil), 0)
	sum, weight, w := 0.0, 0.0, 1.0
	for j := range 2 * stencil {
		u := at - float64(first+j)
		if u == 0 {
			return c[first+j]
		}
		sum += w / u * c[first+j]
		weight += w / u
		w *= -float64(2*stencil-1-j) / float64(j+1)
	}
	return sum / weight
}
