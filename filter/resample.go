package filter

import (
	"fmt"
	"math"
)

// slopeKnots is the number of knots from which a slope of Resample is computed.
const slopeKnots = 5

// Resample evaluates the samples x, taken at the strictly increasing times t, at
// the uniform times t0 + k·dt for k = 0 … len(dst)-1, by a piecewise cubic through
// the samples (Hermite's form). The slope at each knot is that of the quartic
// through the five nearest knots, so the result has a continuous derivative and an
// error of fourth order in the spacing: at most h⁴/384·max|x⁗| + O(h⁵) on an even
// grid, and nothing for cubics on any. With fewer than five knots the slopes are
// those of the polynomial through all of them; one knot gives a constant.
//
// It panics when t and x differ in length, when a time is not greater than the one
// before (AnalyseClock finds such rows), when dt is not positive, or when a
// requested time lies outside [t[0], t[len(t)-1]] by more than a millionth of dt.
// Resampling does not low-pass: the new rate must not be far below the old one
// unless the signal has been filtered.
func Resample(dst []float64, t, x []float64, t0, dt float64) {
	n := len(t)
	if n != len(x) {
		panic(fmt.Sprintf("filter: %d times for %d samples to resample", n, len(x)))
	}
	if len(dst) == 0 {
		return
	}
	checkWithin(t, t0, dt, len(dst))
	checkIncreasing(t)
	evaluate(dst, t, x, func(k int) float64 { return t0 + float64(k)*dt }, func(i int) float64 { return slope(t, x, i) })
}

// checkWithin panics unless Resample may compute count samples from t0 on.
func checkWithin(t []float64, t0, dt float64, count int) {
	n := len(t)
	if n == 0 || !(dt > 0) {
		panic(fmt.Sprintf("filter: cannot resample %d samples at intervals of %g s", n, dt))
	}
	end := t0 + float64(count-1)*dt
	if !(t0 >= t[0]-1e-6*dt && end <= t[n-1]+1e-6*dt) {
		panic(fmt.Sprintf("filter: cannot resample from %g s to %g s: the signal is known from %g s to %g s", t0, end, t[0], t[n-1]))
	}
}

// checkIncreasing panics unless the times increase strictly.
func checkIncreasing(t []float64) {
	for i := 1; i < len(t); i++ {
		if !(t[i] > t[i-1]) {
			panic(fmt.Sprintf("filter: resampling needs increasing times; row %d has %g s after %g s", i, t[i], t[i-1]))
		}
	}
}

// Interpolate does what Resample does at increasing times at[k], one for each entry of dst, which may be at itself. It
// panics like Resample, and if a requested time lies outside [t[0], t[len(t)-1]].
func Interpolate(dst, t, x, at []float64) {
	if len(t) != len(x) || len(dst) != len(at) {
		panic(fmt.Sprintf("filter: %d times for %d samples, %d values wanted at %d times", len(t), len(x), len(dst), len(at)))
	}
	if len(dst) == 0 {
		return
	}
	if len(t) == 0 || !(at[0] >= t[0] && at[len(at)-1] <= t[len(t)-1]) {
		panic(fmt.Sprintf("filter: cannot interpolate from %g s to %g s among %d samples", at[0], at[len(at)-1], len(t)))
	}
	for i := 1; i < len(at); i++ {
		if !(at[i] > at[i-1]) {
			panic(fmt.Sprintf("filter: interpolating needs increasing times; entry %d wants %g s after %g s", i, at[i], at[i-1]))
		}
	}
	checkIncreasing(t)
	evaluate(dst, t, x, func(k int) float64 { return at[k] }, func(i int) float64 { return slope(t, x, i) })
}

// evaluate computes the piecewise cubic, from the slopes at the knots, at times that increase with k.
func evaluate(dst, t, x []float64, time, slope func(k int) float64) {
	n := len(t)
	if n == 1 {
		for k := range dst {
			dst[k] = x[0]
		}
		return
	}
	left := 0 // of the interval [t[left], t[left+1]], with slopes m0 and m1 at its ends
	m0, m1 := slope(0), slope(1)
	for k := range dst {
		at := time(k)
		if at > t[left+1] && left < n-2 {
			from := left
			for at > t[left+1] && left < n-2 {
				left++
			}
			if left == from+1 {
				m0 = m1
			} else {
				m0 = slope(left)
			}
			m1 = slope(left + 1)
		}
		dst[k] = hermite(t[left+1]-t[left], at-t[left], x[left], x[left+1], m0, m1)
	}
}

// hermite returns the cubic over an interval of length h, at a time after its start, from values and slopes at its ends.
func hermite(h, after, x0, x1, m0, m1 float64) float64 {
	u := after / h
	rise := x1 - x0
	a := m0*h - rise
	b := rise - m1*h
	return x0 + u*(rise+(1-u)*(a*(1-u)+b*u))
}

// slope returns the derivative at knot i of the polynomial through the slopeKnots knots around it: Σ
// w·(x[j]-x[i])/(t[j]-t[i]), with weights w = Π (t[i]-t[l])/(t[j]-t[l]) over the other knots l, which sum to one.
func slope(t, x []float64, i int) float64 {
	lo, hi := knotsAround(len(t), i)
	sum := 0.0
	for j := lo; j < hi; j++ {
		if j != i {
			sum += slopeWeight(t, i, j, lo, hi) * (x[j] - x[i]) / (t[j] - t[i])
		}
	}
	return sum
}

// knotsAround returns the knots [lo, hi) for the slope at knot i of n.
func knotsAround(n, i int) (lo, hi int) {
	lo = max(min(i-slopeKnots/2, n-slopeKnots), 0)
	return lo, min(lo+slopeKnots, n)
}

// slopeWeight returns the weight w of knot j in the slope at knot i by the knots [lo, hi).
func slopeWeight(t []float64, i, j, lo, hi int) float64 {
	w := 1.0
	for l := lo; l < hi; l++ {
		if l != i && l != j {
			w *= (t[i] - t[l]) / (t[j] - t[l])
		}
	}
	return w
}

// Grid returns the number of samples of a uniform clock from t0 to end with
// interval dt, with 1e-7·dt allowed for rounding of the last.
func Grid(t0, end, dt float64) int {
	if !(dt > 0) || !(end >= t0) {
		return 0
	}
	return int(math.Floor((end-t0)/dt+1e-7)) + 1
}
