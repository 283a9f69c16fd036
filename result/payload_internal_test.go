package result

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/robot"
)

// The derivative of mass, centre and central inertia is that of differences.
func TestCentralSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b robot.Inertial
	for i := range b {
		b[i] = rng.NormFloat64()
	}
	b[robot.M] = 2.5
	d := centralSlope(b)
	const h = 1e-6
	for j := range b {
		up, down := b, b
		up[j] += h
		down[j] -= h
		cu, cd := central(up), central(down)
		for i := range cu {
			// Differences err by h² and ε/h.
			if want := (cu[i] - cd[i]) / (2 * h); !(math.Abs(d.At(i, j)-want) < 1e-8) {
				t.Errorf("derivative of %d by %s is %g, want %g", i, robot.InertialNames[j], d.At(i, j), want)
			}
		}
	}
}
