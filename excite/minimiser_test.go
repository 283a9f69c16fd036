package excite

import (
	"math"
	"math/rand/v2"
	"testing"
)

// banana is the sum of Rosenbrock's functions of neighbours, with its minimum of zero where all variables are one.
func banana(grad, x []float64) (f float64, ok bool) {
	clear(grad)
	for i := range len(x) - 1 {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		f += 100*a*a + b*b
		grad[i] += -400*a*x[i] - 2*b
		grad[i+1] += 200 * a
	}
	return f, true
}

// A descent finds the minimum of a curved valley, in one run or taken up again after every twenty evaluations. A run ends at
// values that change by less than 1e-6, of a function whose least curvature is about a half: within some thousandths.
func TestMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		start := make([]float64, 2+rng.IntN(6))
		for i := range start {
			start[i] = 1 + 0.5*rng.NormFloat64()
		}
		whole, parts := newMinimiser(start), newMinimiser(start)
		whole.Run(2000, patience{}, banana)
		for range 100 {
			parts.Run(20, patience{}, banana)
		}
		for _, m := range []*minimiser{whole, parts} {
			if f, _ := banana(make([]float64, len(start)), m.X); !(f < 1e-4) {
				t.Errorf("from %v: %g at %v", start, f, m.X)
			}
		}
	}
}

// A budget bounds the evaluations, and a descent without gain ends before.
func TestBudget(t *testing.T) {
	calls := 0
	f := func(grad, x []float64) (float64, bool) {
		calls++
		return banana(grad, x)
	}
	newMinimiser([]float64{-1.2, 1}).Run(7, patience{}, f)
	if calls != 7 {
		t.Errorf("%d evaluations, want 7", calls)
	}
	calls = 0
	newMinimiser([]float64{-1.2, 1}).Run(1000, patience{3, 1e9}, f)
	if calls > 40 {
		t.Errorf("%d evaluations without the gain that was asked for", calls)
	}
	m := newMinimiser([]float64{-1.2, 1})
	m.Run(1000, patience{}, func(grad, x []float64) (float64, bool) { return math.NaN(), true })
	if m.X[0] != -1.2 || m.X[1] != 1 {
		t.Errorf("a function without values moves the point to %v", m.X)
	}
}
