package filter

import "fmt"

func checkDiff(dst, x []float64, dt float64) {
	if len(dst) != len(x) || !(dt > 0) {
		panic(fmt.Sprintf("filter: differences of %d samples into %d at intervals of %g s", len(x), len(dst), dt))
	}
}

// Differentiate writes the derivative of x, sampled every dt seconds, into dst of
// the same length by central differences, (x[k+1]-x[k-1])/2dt. They are exact for
// quadratics and multiply a sinusoid's true derivative by sin(ωdt)/(ωdt). The end
// samples take the one-sided (x[1]-x[0])/dt, which is of first order only: ends
// are cut. One sample has derivative zero. dst may be x.
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

// Differentiate4 is Differentiate with five samples,
// (x[k-2] - 8x[k-1] + 8x[k+1] - x[k+2])/12dt, exact for quartics, also at the ends,
// where the five samples are off centre. Its gain on a sinusoid is
// (8 sin θ - sin 2θ)/6θ, θ = ωdt. With fewer than five samples it is
// Differentiate. dst must not overlap x.
func Differentiate4(dst, x []float64, dt float64) {
	checkDiff(dst, x, dt)
	n := len(x)
	if n < 5 {
		Differentiate(dst, x, dt)
		return
	}
	h := 12 * dt
	for k := 2; k < n-2; k++ {
		dst[k] = ((x[k-2] - x[k+2]) + 8*(x[k+1]-x[k-1])) / h
	}
	a, b := x[:5], x[n-5:]
	dst[0] = (-25*a[0] + 48*a[1] - 36*a[2] + 16*a[3] - 3*a[4]) / h
	dst[1] = (-3*a[0] - 10*a[1] + 18*a[2] - 6*a[3] + a[4]) / h
	dst[n-2] = (3*b[4] + 10*b[3] - 18*b[2] + 6*b[1] - b[0]) / h
	dst[n-1] = (25*b[4] - 48*b[3] + 36*b[2] - 16*b[1] + 3*b[0]) / h
}

// SecondDifference4 writes the second derivative of x by five samples,
// (-x[k-2] + 16x[k-1] - 30x[k] + 16x[k+1] - x[k+2])/12dt², exact for quintics;
// six off-centre samples serve the two at either end, exact for quintics too.
// It keeps noise that two first differences in a row would suppress near half
// the sampling rate, so it is for filtered or noise-free signals. With fewer than
// six samples it is the difference of three, repeated at the ends, and zero below
// three. dst must not overlap x.
func SecondDifference4(dst, x []float64, dt float64) {
	checkDiff(dst, x, dt)
	n := len(x)
	if n < 6 {
		clear(dst)
		if n < 3 {
			return
		}
		for k := 1; k < n-1; k++ {
			dst[k] = ((x[k+1] - x[k]) - (x[k] - x[k-1])) / (dt * dt)
		}
		dst[0], dst[n-1] = dst[1], dst[n-2]
		return
	}
	h := 12 * dt * dt
	for k := 2; k < n-2; k++ {
		dst[k] = (16*((x[k+1]-x[k])-(x[k]-x[k-1])) - ((x[k+2] - x[k]) - (x[k] - x[k-2]))) / h
	}
	a, b := x[:6], x[n-6:]
	dst[0] = secondAtEnd(a[0], a[1], a[2], a[3], a[4], a[5]) / h
	dst[1] = secondNextToEnd(a[0], a[1], a[2], a[3], a[4], a[5]) / h
	dst[n-2] = secondNextToEnd(b[5], b[4], b[3], b[2], b[1], b[0]) / h
	dst[n-1] = secondAtEnd(b[5], b[4], b[3], b[2], b[1], b[0]) / h
}

func secondAtEnd(a, b, c, d, e, f float64) float64 {
	return 45*a - 154*b + 214*c - 156*d + 61*e - 10*f
}

func secondNextToEnd(a, b, c, d, e, f float64) float64 {
	return 10*a - 15*b - 4*c + 14*d - 6*e + f
}
