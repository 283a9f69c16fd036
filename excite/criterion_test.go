package excite

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// The gradient through regressor, spectrum and limits against differences of
// the fourth order, for an arm with prismatic joints and all terms, inside and
// far outside the limits.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 4 {
		r := testrobot.Random(rng, 4, false)
		r.Gravity = robot.StandardGravity
		limits := LimitsOf(r)
		for i := range limits {
			limits[i].Lower, limits[i].Upper, limits[i].Velocity, limits[i].Accel = -1.5, 2, 3, 12
		}
		e := spaceOf(t, Problem{Model: base(t, r, regressor.AllTerms()...), Limits: limits, Harmonics: 3, Period: 5})
		const order, gauge = 16, 32
		y, grad := make([]float64, e.s.vars), make([]float64, e.s.vars)
		f := func(z []float64) float64 {
			e.g.inside(y, z, gauge)
			v, _ := e.smooth(grad, y, order, 1, true)
			return v
		}
		z := e.s.draw(rng, e.g)
		for v := range z {
			z[v] *= []float64{0.3, 1, 2, 10}[trial]
		}
		f(z)
		e.g.pull(grad, z, gauge)
		got := append([]float64(nil), grad...)
		worst, size := 0.0, 0.0
		for v := range z {
			h := 2e-4 * math.Max(1, math.Abs(z[v]))
			at := func(d float64) float64 {
				old := z[v]
				z[v] += d
				defer func() { z[v] = old }()
				return f(z)
			}
			want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
			worst, size = max(worst, math.Abs(got[v]-want)), max(size, math.Abs(want))
		}
		t.Logf("trial %d: gradient %.3g, largest error %.2g of it", trial, size, worst/size)
		if worst > 1e-6*size {
			t.Errorf("trial %d: gradient off by %g of its largest entry", trial, worst/size)
		}
	}
}

// The smoothed criterion tends to the logarithm of the condition number from
// above.
func TestSmoothBoundsTheCondition(t *testing.T) {
	r := elbow()
	e := spaceOf(t, Problem{Model: base(t, r, regressor.Links), Limits: LimitsOf(r)})
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		z := e.s.draw(rng, e.g)
		cond := math.Log(e.at(z).value)
		last := math.Inf(1)
		for _, p := range []int{8, 32, 128, 512} {
			f, _ := e.smooth(make([]float64, len(z)), z, p, 1, true)
			if f < cond-1e-9 || f > last+1e-12 || f-cond > 2*math.Log(float64(len(e.sigma)))/float64(p)+1e-9 {
				t.Fatalf("order %d: %g for a condition number of ln %g", p, f, cond)
			}
			last = f
		}
	}
}
