package filter

import (
	"errors"
	"math"
	"math/cmplx"
	"testing"

	"pgregory.net/rapid"
)

// anyFilter draws a Butterworth filter with a cut-off from 0.0005 to 0.45 of the
// rate.
func anyFilter(t *rapid.T) (s SOS, order int, cutoff, rate float64) {
	order = rapid.IntRange(1, MaxOrder).Draw(t, "order")
	rate = rapid.Float64Range(1, 1e4).Draw(t, "rate")
	cutoff = rate * math.Exp(rapid.Float64Range(math.Log(0.0005), math.Log(0.45)).Draw(t, "log cutoff"))
	s, err := Butterworth(order, cutoff, rate)
	if err != nil {
		t.Fatal(err)
	}
	return s, order, cutoff, rate
}

// orderOf is a filter's order, before forward-backward doubling: two of each section, one where it is of first order.
func orderOf(s SOS) int {
	n := 0
	for _, c := range s.sections {
		n += 2
		if c.k == 0 {
			n--
		}
	}
	return n
}

func TestButterworthGains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, order, cutoff, rate := anyFilter(t)
		if orderOf(s) != order {
			t.Fatalf("order %d, asked for %d", orderOf(s), order)
		}
		if g := s.Response(0, rate); g != 1 {
			t.Fatalf("gain at zero frequency %v", g)
		}
		f := rate / 2 * rapid.Float64Range(0, 1).Draw(t, "f")
		ratio := math.Tan(math.Pi*f/rate) / math.Tan(math.Pi*cutoff/rate)
		want := 1 / math.Sqrt(1+math.Pow(ratio, float64(2*order)))
		if g := cmplx.Abs(s.Response(f, rate)); math.Abs(g-want) > 1e-11*want+1e-150 {
			t.Fatalf("gain at %g Hz is %g, want %g", f, g, want)
		}
		if g := cmplx.Abs(s.Response(cutoff, rate)); math.Abs(g-math.Sqrt2/2) > 1e-12 {
			t.Fatalf("gain at the cut-off is %g", g)
		}
	})
}

// poles returns the poles in the z plane, section by section.
func poles(s SOS) []complex128 {
	var p []complex128
	for _, c := range s.sections {
		z := c.pole()
		p = append(p, z)
		if c.k != 0 {
			p = append(p, cmplx.Conj(z))
		}
	}
	return p
}

// The poles are those of the analogue circle through the bilinear transform, and
// all inside the unit circle.
func TestButterworthPoles(t *testing.T) {
	for order := 1; order <= MaxOrder; order++ {
		s, err := Butterworth(order, 37, 500)
		if err != nil {
			t.Fatal(err)
		}
		wc := 2 * 500 * math.Tan(math.Pi*37/500)
		var want []complex128
		for m := range order {
			pole := cmplx.Rect(wc, math.Pi/2+math.Pi*float64(2*m+1)/float64(2*order))
			want = append(want, (1000+pole)/(1000-pole))
		}
		got := poles(s)
		if len(got) != order {
			t.Fatalf("order %d: %d poles", order, len(got))
		}
		for _, p := range got {
			near := math.Inf(1)
			for _, w := range want {
				near = min(near, cmplx.Abs(p-w))
			}
			if near > 1e-14 || cmplx.Abs(p) >= 1 {
				t.Errorf("order %d: pole %v is %g from the analytic ones", order, p, near)
			}
		}
	}
}

func TestDesignErrors(t *testing.T) {
	for _, cutoff := range []float64{0, -1, 50, 51, math.NaN(), math.Inf(1)} {
		_, err := Butterworth(4, cutoff, 100)
		var bad *CutoffError
		if !errors.As(err, &bad) || bad.Rate != 100 || (bad.Cutoff != cutoff && cutoff == cutoff) {
			t.Errorf("cut-off %g: %v", cutoff, err)
		}
	}
	for _, rate := range []float64{0, -100, math.NaN(), math.Inf(1)} {
		var bad *CutoffError
		if _, err := Butterworth(4, 1, rate); !errors.As(err, &bad) {
			t.Errorf("rate %g: %v", rate, err)
		}
	}
	for _, order := range []int{-1, 0, MaxOrder + 1} {
		var bad *OrderError
		if _, err := Butterworth(order, 10, 100); !errors.As(err, &bad) || bad.Order != order {
			t.Errorf("order %d: %v", order, err)
		}
	}
}

// The tail bounds the rest of the true forward-backward response, and does not
// waste more than the constant of the bound costs.
func TestTail(t *testing.T) {
	for _, order := range []int{1, 2, 3, 4, 6, 10} {
		for _, cutoff := range []float64{2, 20, 100, 250, 400} {
			s, err := Butterworth(order, cutoff, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, tol := range []float64{1e-3, 1e-6, 1e-10} {
				n := s.Tail(tol)
				long := 2*s.Tail(1e-15) + 10
				h := make([]float64, 2*long+1)
				h[long] = 1
				s.zeroPhasePadded(h, h, 0, nil)
				rest, within := 0.0, 0.0
				for k, v := range h {
					switch d := max(k-long, long-k); {
					case d > n:
						rest += math.Abs(v)
					case d > n/2:
						within += math.Abs(v)
					}
				}
				if rest > tol*(1+1e-3)+1e-15*float64(long) {
					t.Errorf("order %d at %g Hz: %g left after Tail(%g) = %d", order, cutoff, rest, tol, n)
				}
				if n > 20 && rest+within < tol {
					t.Errorf("order %d at %g Hz: Tail(%g) = %d is twice too long", order, cutoff, tol, n)
				}
			}
		}
	}
}
