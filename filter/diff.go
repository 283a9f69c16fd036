package filter

import "fmt"

func checkDiff(dst, x []float64, dt float64) {
	if len(dst) != len(x) || !(dt > 0) {
		panic(fmt.Sprintf("filter: derivatives of %d samples need as many places, not %d, and an interval above zero, not %g s", len(x), len(dst), dt))
	}
}

// Differentiate writes the derivative of x, sampled every dt seconds, into dst of
// the same length by central differences, (x[k+1]-x[k-1])/2dt. They are exact for
// quadratics and multiply a sinusoid's true derivative by sin(ωdt)/(ωdt). The end
// samples take the one-sided (x[1]-x[0])/dt, of first order only. One sample has
// derivative zero. dst may be x.
func Differentiate(dst, x []float64, dt float64) {
	checkDiff(dst, x, dt)
	n := len(x)
	if n < 2 {
		clear(dst)
		return
	}
	before, here := x[0], x[1]
	dst[0] = (here - before) / dt
	for k := 1; k < n-1; k++ {
		after := x[k+1]
		dst[k] = (after - before) / (2 * dt)
		before, here = here, after
	}
	dst[n-1] = (here - before) / dt
}

// Differentiate4 is Differentiate with five samples, (x[k-2] - 8x[k-1] + 8x[k+1] - x[k+2])/12dt. It is exact for
// quartics, also at the ends, where the five samples are off centre. Its gain on a sinusoid is (8 sin θ - sin 2θ)/6θ, θ
// = ωdt. With fewer than five samples it is Differentiate. dst must not overlap x.
func Differentiate4(dst, x []float64, dt float64) {
	checkDiff(dst, x, dt)
	n := len(x)
	if n < 5 {
		Differentiate(dst, x, dt)
		return
	}
	h := 12 * dt
	for k := 2; k < n-2; k++ {
		dst[k] = ((x[k-2] - x[k+2]) + float64(8*(x[k+1]-x[k-1]))) / h
	}
	a, b := x[:5], x[n-5:]
	dst[0] = (-25*a[0] + 48*a[1] - 36*a[2] + 16*a[3] - 3*a[4]) / h
	dst[1] = (-3*a[0] - 10*a[1] + 18*a[2] - 6*a[3] + a[4]) / h
	dst[n-2] = (3*b[4] + 10*b[3] - 18*b[2] + 6*b[1] - b[0]) / h
	dst[n-1] = (25*b[4] - 48*b[3] + 36*b[2] - 16*b[1] + 3*b[0]) / h
}
