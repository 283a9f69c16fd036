package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// poly evaluates coefficients, lowest first, and their derivative of some order.
func poly(c []float64, x float64, derivative int) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= derivative; i-- {
		f := 1.0
		for d := range derivative {
			f *= float64(i - d)
		}
		sum = sum*x + f*c[i]
	}
	return sum
}

func TestDifferencesAreExactForPolynomials(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coef := rapid.SliceOfN(rapid.Float64Range(-1, 1), 5, 5).Draw(t, "coefficients")
		n := rapid.IntRange(6, 20).Draw(t, "n")
		dt := rapid.Float64Range(0.01, 0.1).Draw(t, "dt")
		sample := func(c []float64, derivative int) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = poly(c, float64(i)*dt, derivative)
			}
			return x
		}
		got := make([]float64, n)
		tol := 1e-12 / (dt * dt)
		Differentiate(got, sample(coef[:3], 0), dt)
		if want := sample(coef[:3], 1); distance(got[1:n-1], want[1:n-1]) > tol {
			t.Errorf("first differences of a quadratic: %v, want %v", got, want)
		}
		Differentiate4(got, sample(coef, 0), dt)
		if want := sample(coef, 1); distance(got, want) > tol {
			t.Errorf("fourth-order differences of a quartic: %v, want %v", got, want)
		}
	})
}

// The stated gains on a sinusoid.
func TestDifferenceGains(t *testing.T) {
	const dt, theta = 0.01, 0.7
	x, slopes := make([]float64, 100), make([]float64, 100)
	for i := range x {
		x[i] = math.Sin(theta * float64(i))
		slopes[i] = theta / dt * math.Cos(theta*float64(i))
	}
	y := make([]float64, len(x))
	for _, c := range []struct {
		name string
		diff func(dst, x []float64, dt float64)
		gain float64
	}{
		{"Differentiate", Differentiate, math.Sin(theta) / theta},
		{"Differentiate4", Differentiate4, (8*math.Sin(theta) - math.Sin(2*theta)) / (6 * theta)},
	} {
		c.diff(y, x, dt)
		for i := 2; i < len(x)-2; i++ {
			if math.Abs(y[i]-c.gain*slopes[i]) > 1e-11 {
				t.Fatalf("%s: sample %d is %g, want %g", c.name, i, y[i], c.gain*slopes[i])
			}
		}
	}
}

func TestDifferencesOfShortSignals(t *testing.T) {
	for n := range 8 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 3 * float64(i)
		}
		d, d4 := make([]float64, n), make([]float64, n)
		Differentiate(d, x, 0.5)
		Differentiate4(d4, x, 0.5)
		for i := range x {
			want := 6.0
			if n == 1 {
				want = 0
			}
			if math.Abs(d[i]-want) > 1e-12 || math.Abs(d4[i]-want) > 1e-12 {
				t.Errorf("%d samples of a line: %v, %v", n, d, d4)
			}
		}
	}
}

func TestDifferentiateInPlace(t *testing.T) {
	x := noise(50, 1)
	want := make([]float64, len(x))
	Differentiate(want, x, 0.1)
	Differentiate(x, x, 0.1)
	if !slices.Equal(x, want) {
		t.Error("in place differs")
	}
}

// Differences in vector registers are those of the formula, to the bit, for every length.
func TestDifferencesInVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 5; n < 40; n++ {
		x, got := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		dt := 1e-3
		Differentiate4(got, x, dt)
		for k := 2; k < n-2; k++ {
			if want := ((x[k-2] - x[k+2]) + 8*(x[k+1]-x[k-1])) / (12 * dt); got[k] != want {
				t.Fatalf("%d samples: difference %d is %.17g, want %.17g", n, k, got[k], want)
			}
		}
	}
}
