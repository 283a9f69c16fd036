package filter

import (
	"errors"
	"math"
	"testing"
)

// A cubic goes through the filters as the differential equations say, to
// rounding, from the first sample to the last.
func TestRealPoleIsExactForCubics(t *testing.T) {
	const rate, n = 50.0, 40
	c := []float64{0.7, -2, 3, -1.5}
	value := func(t float64) float64 { return c[0] + t*(c[1]+t*(c[2]+t*c[3])) }
	slope := func(t float64) float64 { return c[1] + t*(2*c[2]+3*t*c[3]) }
	for order := 1; order <= 2; order++ {
		for _, corner := range []float64{0.3, 5, 20} {
			f, err := NewRealPole(order, corner, rate)
			if err != nil {
				t.Fatal(err)
			}
			low, of := make([]float64, n), make([]float64, n)
			for k := range low {
				low[k] = value(float64(k) / rate)
				of[k] = low[k]
			}
			f.LowPass(low)
			f.LowPassRate(of)
			// The response to an input u, by Simpson's rule on a fine grid.
			response := func(u func(float64) float64, t float64) float64 {
				const steps = 4000
				h := t / steps
				sum := 0.0
				for i := 0; i <= steps; i++ {
					s := float64(i) * h
					w := 2.0 + 2*float64(i%2)
					if i == 0 || i == steps {
						w = 1
					}
					g := f.a * math.Exp(-f.a*(t-s))
					if order == 2 {
						g *= f.a * (t - s)
					}
					sum += w * g * u(s)
				}
				return sum * h / 3
			}
			for _, k := range []int{0, 1, 2, 3, 17, n - 2, n - 1} {
				at := float64(k) / rate
				// Simpson's error is below 1e-9 with (a·t/4000)⁴ < 1e-6 on the last.
				if want := response(value, at); !(math.Abs(low[k]-want) < 1e-7) {
					t.Errorf("order %d, %g Hz, sample %d: %.12g, want %.12g", order, corner, k, low[k], want)
				}
				if want := response(slope, at); !(math.Abs(of[k]-want) < 1e-6) {
					t.Errorf("order %d, %g Hz, sample %d: rate %.12g, want %.12g", order, corner, k, of[k], want)
				}
			}
		}
	}
}

// Half the power passes at the corner, and beyond Tail(1e-12) the impulse response
// is negligible.
func TestRealPoleCornerAndTail(t *testing.T) {
	const rate, corner = 1000.0, 12.0
	for order := 1; order <= 2; order++ {
		f, err := NewRealPole(order, corner, rate)
		if err != nil {
			t.Fatal(err)
		}
		n := 5000
		x := make([]float64, n)
		for k := range x {
			x[k] = math.Sin(2 * math.Pi * corner * float64(k) / rate)
		}
		f.LowPass(x)
		power := 0.0
		for _, v := range x[n-1000:] { // twelve whole periods
			power += v * v / 1000
		}
		// Interpolation errs by (2π·12/1000)⁴ of it.
		if !(math.Abs(power-0.25) < 1e-5) {
			t.Errorf("order %d: %g of the power passes, want half of one half", order, power)
		}
		impulse := make([]float64, n)
		impulse[10] = 1
		f.LowPass(impulse)
		for k := 10 + f.Tail(1e-12); k < n; k++ {
			if math.Abs(impulse[k]) > 1e-12 {
				t.Fatalf("order %d: %g is left after %d samples", order, impulse[k], k-10)
			}
		}
	}
}

// F' of a signal is F of its derivative, with an error of fourth order.
func TestRealPoleTakesDerivatives(t *testing.T) {
	worst := func(rate float64) float64 {
		f, err := NewRealPole(2, 8, rate)
		if err != nil {
			t.Fatal(err)
		}
		n := int(2 * rate)
		of, level := make([]float64, n), make([]float64, n)
		const w = 2 * math.Pi * 3
		for k := range of {
			s, c := math.Sincos(w*float64(k)/rate + 0.4)
			of[k], level[k] = s, w*c
		}
		f.LowPassRate(of)
		f.LowPass(level)
		e := 0.0
		for k := range of {
			e = math.Max(e, math.Abs(of[k]-level[k])/w)
		}
		return e
	}
	coarse, fine := worst(100), worst(200)
	if order := math.Log2(coarse / fine); !(order > 3.5) || !(fine < 1e-4) {
		t.Errorf("errors %g and %g: order %g, want four", coarse, fine, order)
	}
}

func TestIntegrate(t *testing.T) {
	const dt = 0.1
	for n := 4; n < 9; n++ {
		x := make([]float64, n)
		for k := range x {
			s := float64(k) * dt
			x[k] = 1 - 2*s + 3*s*s - 4*s*s*s
		}
		Integrate(x, x, dt)
		for k := range x {
			s := float64(k) * dt
			if want := s - s*s + s*s*s - s*s*s*s; !(math.Abs(x[k]-want) < 1e-14) {
				t.Errorf("%d samples: integral to %g is %g, want %g", n, s, x[k], want)
			}
		}
	}
}

func TestRealPoleRefuses(t *testing.T) {
	var e *CutoffError
	if _, err := NewRealPole(1, 60, 100); !errors.As(err, &e) {
		t.Errorf("60 Hz at a rate of 100 Hz: %v", err)
	}
	if _, err := NewRealPole(3, 10, 100); err == nil {
		t.Error("order 3 was accepted")
	}
}
