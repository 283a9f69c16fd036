package filter

import "fmt"

// SavitzkyGolay smooths and differentiates by least squares: around every sample it fits a polynomial to 2·half+1
// samples and takes its value or derivative there (Savitzky and Golay, Analytical Chemistry 36, 1964). At the ends it
// evaluates the polynomial of the first or last full window off its centre, so that polynomials up to the degree are
// reproduced exactly everywhere. Each filter computes one derivative and is immutable.
type SavitzkyGolay struct {
	half, degree, derivative int
	taps                     []float64 // weights of a window for the estimate at its centre: symmetric or antisymmetric, so zero-phase
	// fit[k] are a window's weights for the coefficient of Gram polynomial k; at[k] is that polynomial's derivative at
	// every sample. The estimate at sample i is the sum over k of at[k][i] times the coefficient.
	fit, at [][]float64
}

// NewSavitzkyGolay designs the filter for samples one second apart. It panics unless 0 <= derivative <=
// degree < 2·half+1.
func NewSavitzkyGolay(half, degree, derivative int) *SavitzkyGolay {
	if half < 1 || degree < 0 || degree > 2*half || derivative < 0 || derivative > degree {
		panic(fmt.Sprintf("filter: a Savitzky-Golay filter needs 0 <= derivative <= degree < samples; it got degree %d, %d samples, derivative %d", degree, 2*half+1, derivative))
	}
	s := &SavitzkyGolay{half: half, degree: degree, derivative: derivative, taps: make([]float64, 2*half+1)}
	for k := range degree + 1 {
		fit, at := gramWeights(half, k, derivative)
		s.fit, s.at = append(s.fit, fit), append(s.at, at)
		for i, w := range fit {
			s.taps[i] += w * at[half]
		}
	}
	return s
}

// gramWeights returns the weights over -m … m for the coefficient of the Gram polynomial of degree k in the
// least-squares polynomial, and the values of its derivative there. The polynomials are orthogonal over the window, so
// no system is solved and no degree is ill-conditioned (Gorry, Analytical Chemistry 62, 1990).
func gramWeights(m, k, derivative int) (fit, at []float64) {
	scale := float64(2*k + 1)
	for i := 2*m - k + 1; i <= 2*m; i++ {
		scale *= float64(i)
	}
	for i := 2*m + 1; i <= 2*m+k+1; i++ {
		scale /= float64(i)
	}
	fit, at = make([]float64, 2*m+1), make([]float64, 2*m+1)
	for i := range fit {
		fit[i] = scale * gram(float64(i-m), m, k, 0)
		at[i] = gram(float64(i-m), m, k, derivative)
	}
	return fit, at
}

// gram returns the s-th derivative at i of the Gram polynomial of degree k over -m … m.
func gram(i float64, m, k, s int) float64 {
	if k <= 0 {
		if k == 0 && s == 0 {
			return 1
		}
		return 0
	}
	// Recursion in the degree, with all derivatives up to s side by side.
	before, last := make([]float64, s+1), make([]float64, s+1)
	last[0] = 1
	for d := 1; d <= k; d++ {
		a := float64(4*d-2) / float64(d*(2*m-d+1))
		b := float64((d-1)*(2*m+d)) / float64(d*(2*m-d+1))
		next := make([]float64, s+1)
		for j := range next {
			next[j] = a*i*last[j] - b*before[j]
			if j > 0 {
				next[j] += a * float64(j) * last[j-1]
			}
		}
		before, last = last, next
	}
	return last[s]
}

// Apply writes the estimates for samples dt seconds apart to dst, which must be as long as x and must not overlap it.
// For a signal shorter than the window it uses the longest odd window that fits. It panics if that is too short for the
// degree, or if the lengths differ.
func (s *SavitzkyGolay) Apply(dst, x []float64, dt float64) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("filter: %d estimates for %d samples", len(dst), len(x)))
	}
	n := len(x)
	if n == 0 {
		return
	}
	if n < len(s.taps) {
		half := (n - 1) / 2
		if s.degree > 2*half || half < 1 {
			panic(fmt.Sprintf("filter: %d samples for a polynomial of degree %d", n, s.degree))
		}
		s = NewSavitzkyGolay(half, s.degree, s.derivative)
	}
	scale := 1.0
	for range s.derivative {
		scale /= dt
	}
	m := s.half
	for k := m; k < n-m; k++ {
		dst[k] = inner(s.taps, x[k-m:k+m+1]) * scale
	}
	s.ends(dst[:m], x[:2*m+1], 0, scale)
	s.ends(dst[n-m:], x[n-2*m-1:], m+1, scale)
}

// ends writes the estimates from sample first of a window on, by fitting one polynomial, whatever the window's length.
func (s *SavitzkyGolay) ends(dst, window []float64, first int, scale float64) {
	clear(dst)
	for k, fit := range s.fit {
		c := inner(fit, window) * scale
		for i := range dst {
			dst[i] += s.at[k][first+i] * c
		}
	}
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// Response returns the gain on a sinusoid of f hertz sampled at rate hertz, away from the ends: for an even derivative
// the real gain, for an odd one the gain of the sinusoid a quarter period ahead.
func (s *SavitzkyGolay) Response(f, rate float64) float64 {
	return response(s.taps, s.derivative, f, rate)
}
