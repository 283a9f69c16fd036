package filter

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// response returns the gain at f Hz of centred taps, for samples at rate Hz: real for even derivatives, a quarter
// period ahead for odd ones.
func response(taps []float64, derivative int, f, rate float64) float64 {
	sum, half := 0.0, len(taps)/2
	for i, w := range taps {
		angle := 2 * math.Pi * f / rate * float64(i-half)
		if derivative%2 == 1 {
			sum += w * math.Sin(angle)
		} else {
			sum += w * math.Cos(angle)
		}
	}
	for range derivative {
		sum *= rate
	}
	return sum
}

// PeriodAverage averages a periodic signal over its periods: dst[k] is the mean of x[k + i·period] over the
// whole periods i of x, spread[k] their standard deviation (nil to leave it out; NaN for a single period).
// The noise of the mean falls with the root of the number of periods, and the motion is not filtered
// (Swevers, Ganseman, Tükel, De Schutter and Van Brussel, IEEE Trans. Robotics and Automation 13, 1997). It
// returns the number of periods, and panics unless there is one and dst, and spread if given, have the
// length of a period.
func PeriodAverage(dst, spread, x []float64, period int) int {
	if period < 1 || len(dst) != period || spread != nil && len(spread) != period || len(x) < period {
		panic(fmt.Sprintf("filter: cannot average %d samples over periods of %d samples into %d values", len(x), period, len(dst)))
	}
	count := len(x) / period
	for k := range dst {
		sum := 0.0
		for i := range count {
			sum += x[k+i*period]
		}
		mean := sum / float64(count)
		dst[k] = mean
		if spread != nil {
			sum = 0
			for i := range count {
				d := x[k+i*period] - mean
				sum += d * d
			}
			spread[k] = math.Sqrt(sum / float64(count-1))
			if count == 1 {
				spread[k] = math.NaN()
			}
		}
	}
	return count
}

// SpectralDerivative differentiates one period of a periodic signal, sampled every dt seconds, by its
// Fourier series: coefficient k is multiplied by (2πik/T)^order, T = n·dt, and those above the given
// harmonic are left out (0 keeps all below half the rate). A signal of no more harmonics is differentiated
// exactly, and noise above them is removed; a jump between the last sample and the first rings. Order 0 only
// smooths. dst may be x. It panics where the lengths differ, or where order or harmonics are negative.
func SpectralDerivative(dst, x []float64, dt float64, order, harmonics int) {
	n := len(x)
	if len(dst) != n || order < 0 || harmonics < 0 || !(dt > 0) {
		panic(fmt.Sprintf("filter: cannot take a spectral derivative of order %d of %d samples into %d values with %d harmonics", order, n, len(dst), harmonics))
	}
	if n == 0 {
		return
	}
	fft := fourier.NewFFT(n)
	c := fft.Coefficients(nil, x)
	base := 2 * math.Pi / (float64(n) * dt)
	for k := range c {
		// A sinusoid at half the sampling rate has its crests at the samples, so its odd derivatives are zero there.
		if harmonics > 0 && k > harmonics || 2*k == n && order%2 == 1 {
			c[k] = 0
			continue
		}
		for range order {
			c[k] *= complex(0, base*float64(k))
		}
		c[k] /= complex(float64(n), 0)
	}
	fft.Sequence(dst, c)
}

// Period returns the period of a periodic signal in samples, between least and most: the lag of the largest
// autocorrelation, to a fraction of a sample by a parabola through three of them. quality is the autocorrelation there,
// 1 for a clean repetition. Both are 0 if the signal is constant or shorter than twice least.
func Period(x []float64, least, most int) (period, quality float64) {
	n := len(x)
	most = min(most, n/2)
	if least < 1 || most <= least {
		return 0, 0
	}
	mean := 0.0
	for _, v := range x {
		mean += v / float64(n)
	}
	at := func(lag int) float64 {
		var xy, xx, yy float64
		for k := lag; k < n; k++ {
			a, b := x[k]-mean, x[k-lag]-mean
			xy += a * b
			xx += a * a
			yy += b * b
		}
		if xx == 0 || yy == 0 {
			return 0
		}
		return xy / math.Sqrt(xx*yy)
	}
	best := least
	r := make([]float64, most-least+1)
	for lag := range r {
		r[lag] = at(lag + least)
		// Take the first of equally good lags, because multiples of the period correlate as well.
		if r[lag] > r[best-least]+1e-3*(1-r[best-least]) && r[lag] > r[best-least] {
			best = lag + least
		}
	}
	quality = r[best-least]
	period = float64(best)
	if i := best - least; i > 0 && i < len(r)-1 {
		if bend := r[i-1] - 2*r[i] + r[i+1]; bend < 0 {
			period += 0.5 * (r[i-1] - r[i+1]) / bend
		}
	}
	return period, quality
}
