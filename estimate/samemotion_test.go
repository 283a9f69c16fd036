package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/triangle"
)

// Runs of the same regressor under other torques are near each other, runs of another regressor are not, and one run
// has no distance.
func TestMotionDistance(t *testing.T) {
	const columns, rows = 5, 400
	masks := [][]int{{0, 1, 2, 3}, {2, 3, 4}}
	run := func(r *Reduction, number int, phase, shift float64, rng *rand.Rand) {
		b := r.NewBlock(number)
		for k, mask := range masks {
			w, y := make([][]float64, len(mask)), make([]float64, rows)
			for c := range w {
				w[c] = make([]float64, rows)
				for i := range rows {
					w[c][i] = math.Sin(float64(i)*0.03*float64(mask[c]+1)+phase*float64(c)) + shift + 1e-3*rng.NormFloat64()
				}
			}
			for i := range y {
				y[i] = rng.NormFloat64()
			}
			b.Joints[k].Add(w, y, &triangle.Work{})
		}
		r.Append(b)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	same := NewReduction(columns, masks)
	run(same, 0, 0, 0.2, rng)
	if d := same.MotionDistance(); !math.IsInf(d, 1) {
		t.Errorf("one run: distance %g", d)
	}
	run(same, 1, 0, 0.2, rng)
	if d := same.MotionDistance(); !(d < 0.01) {
		t.Errorf("the same motion: distance %g", d)
	}
	other := NewReduction(columns, masks)
	run(other, 0, 0, 0.2, rng)
	run(other, 1, 1.3, -0.8, rng)
	if d := other.MotionDistance(); !(d > 0.5) {
		t.Errorf("another motion: distance %g", d)
	}
}
