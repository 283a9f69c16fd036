package physical_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/physical"
	"ident/robot"
)

// Bodies of any scale have eigenvalues in proportion: whether one is possible does not depend on the unit of its mass.
func TestEigenvaluesOfAnyScale(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var p robot.Inertial
		for i := range p {
			p[i] = r.NormFloat64()
		}
		want := physical.LeastEigenvalue(p)
		for e := -320; e <= 300; e += 5 {
			scale := math.Pow(10, float64(e))
			scaled := p
			for i := range scaled {
				scaled[i] *= scale
			}
			got := physical.LeastEigenvalue(scaled)
			physical.WhyImpossible(scaled)
			// Denormals keep few digits: from 1e-300 on the sign alone is asked for.
			if e > -300 && math.Abs(got-want*scale) > 1e-12*scale || e > -310 && (got < 0) != (want < 0) {
				t.Fatalf("scale 1e%d: %g, want %g", e, got, want*scale)
			}
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if e := physical.LeastEigenvalue(robot.Inertial{v, 1, 2, 3}); !math.IsNaN(e) {
			t.Errorf("%g: %g", v, e)
		}
	}
}
