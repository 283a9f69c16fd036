package population

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The centre and the scatter between robots are those of the draw, a fifth of outliers or none, and the alarms of a fleet
// without outliers are as rare as the level says.
func TestPopulation(t *testing.T) {
	const n, centre, scatter, sigma = 400, 3.0, 0.2, 0.1
	draw := rand.New(rand.NewPCG(1, 2))
	sigmas := make([]float64, n)
	for i := range sigmas {
		sigmas[i] = sigma
	}
	for _, part := range []float64{0, 0.2} {
		values := make([]float64, n)
		for i := range values {
			values[i] = centre + math.Hypot(scatter, sigma)*draw.NormFloat64()
			if float64(i) < part*n {
				values[i] += 3 * math.Pow(-1, float64(i)) // on both sides
			}
		}
		p := Of(values, sigmas)
		// The median deviates by 1.25/√400 of 0.22, the scatter by √(1.36/400) of it times 0.22/0.2; with a fifth of outliers
		// half of all are 62.5 % of the others, which widens the scatter to 0.89/0.67 of 0.22. Five deviations are allowed.
		widest := scatter * (1 + 5*0.065)
		if part > 0 {
			widest = 1.5 * math.Hypot(scatter, sigma)
		}
		if math.Abs(p.Centre-centre) > 5*0.014*1.25 || p.Scatter > widest || p.Scatter < scatter*(1-5*0.065) {
			t.Errorf("%g of outliers: centre %g, scatter %g", part, p.Centre, p.Scatter)
		}
		found := 0
		for i := range values {
			if p.Probability(p.Z(values[i], sigmas[i]))*n <= 0.01 {
				found++
				if float64(i) >= part*n {
					t.Errorf("%g of outliers: robot %d at %g is none", part, i, values[i])
				}
			}
		}
		if want := int(part * n); found != want {
			t.Errorf("%g of outliers: %d found, want %d", part, found, want)
		}
	}
	// A population without scatter of its own, and one that is too small.
	same := make([]float64, n)
	for i := range same {
		same[i] = 1 + 0.01*draw.NormFloat64()
	}
	if p := Of(same, sigmas); p.Scatter != 0 {
		t.Errorf("scatter %g of values within their deviations", p.Scatter)
	}
	if p := Of(same[:Least-1], sigmas[:Least-1]); p.Z(100, 0.1) != 0 || p.Probability(50) != 1 {
		t.Error("few robots are a population")
	}
	if p := Of(nil, nil); p.Robots != 0 {
		t.Error("nobody is a population")
	}
}
