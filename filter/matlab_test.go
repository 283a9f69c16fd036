package filter

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"
)

// Matlab's decimate, the last link of the published chain of filters that
// TestEMPSPrintedFigures repeats.

// chebyshev1 designs an equiripple low-pass filter: the one-way gain stays
// between 1 and -rippleDB in the pass band and leaves it at the cut-off. At zero
// frequency the gain is 1 for odd orders and -rippleDB for even ones, as in
// Matlab's cheby1. The ripple is positive.
func chebyshev1(order int, rippleDB, cutoff, rate float64) (SOS, error) {
	eps := math.Sqrt(math.Expm1(rippleDB * math.Ln10 / 10))
	mu := math.Asinh(1/eps) / float64(order)
	gain := 1.0
	if order%2 == 0 {
		gain = 1 / math.Hypot(1, eps)
	}
	return design(order, cutoff, rate, gain, func(theta float64) (re, im float64) {
		return math.Sinh(mu) * math.Sin(theta), math.Cosh(mu) * math.Cos(theta)
	})
}

// matlabDecimate keeps every factor-th sample of x as Matlab's decimate does by
// default: Chebyshev type I of order 8 with 0.05 dB of ripple and a cut-off of
// 0.8/factor of the Nyquist frequency, forward and backward with an extension of
// 24 samples, then the ⌈n/factor⌉ samples that end on the last one: from
// nbeg = factor - (factor·⌈n/factor⌉ - n), counted from one.
//
// Matlab lowers the order when its direct form becomes inaccurate (factors above
// about 13); sections do not need that, and the order stays 8. The gain at zero
// frequency is -0.1 dB, not one, which parallel filtering does not mind. It
// panics when factor < 1; a factor of 1 copies.
func matlabDecimate(x []float64, factor int) []float64 {
	if factor < 1 {
		panic(fmt.Sprintf("filter: decimation by %d", factor))
	}
	n := len(x)
	y := make([]float64, n)
	if factor == 1 {
		copy(y, x)
		return y
	}
	s, err := chebyshev1(8, 0.05, 0.8/float64(factor), 2)
	if err != nil {
		panic(err) // 0.8/factor is below 1 for every factor
	}
	s.zeroPhasePadded(y, x, 24, nil)
	m := (n + factor - 1) / factor
	for k := range m {
		y[k] = y[n-1-(m-1-k)*factor]
	}
	return y[:m]
}

func TestChebyshevRipple(t *testing.T) {
	for order := 1; order <= MaxOrder; order++ {
		const ripple, cutoff, rate = 0.3, 40.0, 1000.0
		s, err := chebyshev1(order, ripple, cutoff, rate)
		if err != nil {
			t.Fatal(err)
		}
		floor := math.Pow(10, -ripple/20)
		if g := cmplx.Abs(s.Response(cutoff, rate)); math.Abs(g-floor) > 1e-12 {
			t.Errorf("order %d: gain %g at the cut-off, want %g", order, g, floor)
		}
		eps2 := math.Pow(10, ripple/10) - 1
		for f := 0.0; f < rate/2; f += 0.7 {
			x := math.Tan(math.Pi*f/rate) / math.Tan(math.Pi*cutoff/rate)
			cheb := math.Cosh(float64(order) * math.Acosh(x))
			if x <= 1 {
				cheb = math.Cos(float64(order) * math.Acos(x))
			}
			want := 1 / math.Sqrt(1+eps2*cheb*cheb)
			if g := cmplx.Abs(s.Response(f, rate)); math.Abs(g-want) > 1e-11*want {
				t.Fatalf("order %d: gain at %g Hz is %g, want %g", order, f, g, want)
			}
		}
	}
}

func TestChebyshevAgainstDirectForm(t *testing.T) {
	const order, ripple, fraction = 8, 0.05, 0.04
	eps := math.Sqrt(math.Pow(10, ripple/10) - 1)
	mu := math.Asinh(1/eps) / order
	var poles []complex128
	for _, p := range butterworthCircle(order) {
		poles = append(poles, complex(math.Sinh(mu)*real(p), math.Cosh(mu)*imag(p)))
	}
	gain := math.Pow(10, -ripple/20)
	b, a := transfer(poles, math.Tan(math.Pi*fraction), gain)
	s, err := chebyshev1(order, ripple, fraction, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := noise(200, 3)
	want := naiveFiltfilt(b, a, gain, x, 24)
	got := make([]float64, len(x))
	s.zeroPhasePadded(got, x, 24, nil)
	if d := distance(got, want) / largest(want); d > 1e-12 {
		t.Errorf("differs by %g", d)
	}
}

func TestMatlabDecimateKeepsTheLast(t *testing.T) {
	for n := 1; n < 60; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		y := matlabDecimate(x, 1)
		if !slices.Equal(x, y) {
			t.Fatalf("decimation by one made %v", y)
		}
		// A line passes but for the gain at zero frequency, twice 0.05 dB, which is
		// of the whole extended signal.
		y = matlabDecimate(x, 4)
		if len(y) != (n+3)/4 {
			t.Fatalf("%d of %d samples kept", len(y), n)
		}
		gain := math.Pow(10, -0.1/20)
		if last := y[len(y)-1]; n > 30 && math.Abs(last-gain*x[n-1]) > 0.03*x[n-1] {
			t.Errorf("last of %d is %g, want about %g", n, last, gain*x[n-1])
		}
	}
}
