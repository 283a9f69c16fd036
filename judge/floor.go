package judge

import "math"

// Lag is the time after which noise behind a zero-phase low-pass of second order has no correlation, in units of 1/f_c: the first
// zero of its autocorrelation. At half of it, differences show three quarters of the variance.
const Lag = 0.8

// Floor returns the variance of a residual's noise by differences: later are the residuals Lag/f_c after those in left. Pairs with
// a NaN do not count. It returns NaN without a pair.
func Floor(left, later []float64) float64 {
	sum, n := 0.0, 0
	for k, v := range left {
		if d := later[k] - v; !math.IsNaN(d) {
			sum += d * d
			n++
		}
	}
	return sum / float64(2*n)
}

// Weights returns the weights 1/(1 + c·h) of rows with leverages h: by how much the variance of a residual left out exceeds that of
// the row's noise, if only one row in c is independent.
func Weights(h []float64, c float64) []float64 {
	w := make([]float64, len(h))
	for k, v := range h {
		w[k] = 1 / (1 + c*max(v, 0))
	}
	return w
}

// Squares returns the mean square of a residual, by weights of its rows; nil weights count all rows alike.
func Squares(left, weights []float64) float64 {
	sum, all := 0.0, 0.0
	for k, v := range left {
		w := 1.0
		if weights != nil {
			w = weights[k]
		}
		sum += w * v * v
		all += w
	}
	return sum / max(all, math.SmallestNonzeroFloat64)
}
