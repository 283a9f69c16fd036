package filter

import "fmt"

// SavitzkyGolay smooths and differentiates by least squares: around every sample a polynomial is fitted
// to 2·half+1 samples, and the estimate is its value or derivative there (Savitzky and Golay, Analytical
// Chemistry 36, 1964). At the ends the polynomial of the first or last full window is evaluated off its
// centre, so that polynomials up to the degree are reproduced exactly everywhere. It is for one derivative
// and immutable.
type SavitzkyGolay struct {
	half, degree, derivative int
	// taps[i] are the weights of a window for the estimate at its sample i; taps[half] is symmetric or
	// antisymmetric, so zero-phase.
	taps [][]float64
}

// NewSavitzkyGolay designs the filter for samples one second apart. It panics unless 0 <= derivative <=
// degree < 2·half+1.
func NewSavitzkyGolay(half, degree, derivative int) *SavitzkyGolay {
	if half < 1 || degree < 0 || degree > 2*half || derivative < 0 || derivative > degree {
		panic(fmt.Sprintf("filter: Savitzky-Golay of degree %d over %d samples, derivative %d", degree, 2*half+1, derivative))
	}
	s := &SavitzkyGolay{half: half, degree: degree, derivative: derivative, taps: make([][]float64, 2*half+1)}
	for i := range s.taps {
		s.taps[i] = gramWeights(half, degree, derivative, i-half)
	}
	return s
}

// gramWeights are the weights over -m … m for the derivative at t of the least-squares polynomial, by the
// Gram polynomials, orthogonal over the window: no system is solved, and no degree is ill-conditioned
// (Gorry, Analytical Chemistry 62, 1990).
func gramWeights(m, degree, derivative, t int) []float64 {
	w := make([]float64, 2*m+1)
	for k := 0; k <= degree; k++ {
		scale := float64(2*k + 1)
		for i := 2*m - k + 1; i <= 2*m; i++ {
			scale *= float64(i)
		}
		for i := 2*m + 1; i <= 2*m+k+1; i++ {
			scale /= float64(i)
		}
		at := gram(float64(t), m, k, derivative)
		for i := range w {
			w[i] += scale * gram(float64(i-m), m, k, 0) * at
		}
	}
	return w
}

// gram is the s-th derivative of the Gram polynomial of degree k over -m … m at i.
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

// Apply writes the estimates for samples dt seconds apart into dst, which has the length of x and must not
// overlap it. A signal shorter than the window gets the longest odd window that it fills. It panics where
// that is too short for the degree, or where the lengths differ.
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
	at := func(taps, window []float64) float64 {
		sum := 0.0
		for i, w := range taps {
			sum += w * window[i]
		}
		return sum * scale
	}
	for k := range x {
		lo := min(max(k-m, 0), n-2*m-1)
		dst[k] = at(s.taps[k-lo], x[lo:lo+2*m+1])
	}
}

// Response is the gain on a sinusoid of f hertz, sampled at rate hertz, away from the ends: for an even
// derivative the real gain, for an odd one the gain of the sinusoid a quarter period ahead.
func (s *SavitzkyGolay) Response(f, rate float64) float64 {
	return response(s.taps[s.half], s.derivative, f, rate)
}
