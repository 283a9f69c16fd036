package elastic

import (
	"math"
	"testing"

	"ident/internal/long"
)

// Between the samples of an exact log a motor with Coulomb friction moves as the simulation has it at ten times the rate, where it
// reverses, sticks and breaks away as well: to the polynomials' error, and to rounding of the accelerations that break away.
func TestMotionBetweenSamples(t *testing.T) {
	long.Only(t, "TestRecovery needs these motions of motors that reverse")
	const rate, finer = 1500, 10
	m := machine(t, twoAxis())
	fine := moved(t, m, rate*finer, 1.6, 1e-12)
	turned, worst, smooth := 0, 0.0, 0.0
	for i := m.Links; i < m.Coordinates(); i++ {
		var x [3][]float64
		for d, of := range [3][][]float64{fine.X, fine.DX, fine.DDX} {
			for k := 0; k < len(fine.T); k += finer {
				x[d] = append(x[d], of[i][k])
			}
		}
		of := turnsOf(x[0], x[1], x[2], 1./rate)
		for k := range len(x[0]) - 1 {
			if _, is := of[k]; is {
				turned++
			}
			for j := range finer {
				u := float64(j) / finer
				q, _ := between(x[0], x[1], x[2], of, k, u, 1./rate)
				straight, _, _ := quintic(x[0], x[1], x[2], k, u, 1./rate)
				worst = math.Max(worst, math.Abs(q-fine.X[i][k*finer+j]))
				smooth = math.Max(smooth, math.Abs(straight-fine.X[i][k*finer+j]))
			}
		}
	}
	t.Logf("%d turns: %.2g rad, %.2g through them", turned, worst, smooth)
	if turned < 10 || worst > 1e-10 || smooth < 1e-9 {
		t.Errorf("%d turns, off by %.2g rad; a polynomial through them by %.2g", turned, worst, smooth)
	}
}
