package trialfit

import "math"

// FindScales divides the torques of joints ks by their scales, in rounds that begin with the step g, and returns the
// relative change of the last round.
func (t *Stacked) FindScales(ks []int, g Gain) (scales []float64, last float64) {
	scales = make([]float64, len(ks))
	for i := range scales {
		scales[i] = 1
	}
	steps, cols := make([]float64, len(ks)), make([][]float64, len(ks))
	most := 0.0
	for range 20 {
		most = 0
		for i := range ks {
			// The step is limited, because the scale of a joint with little information could otherwise diverge over
			// the rounds.
			steps[i] = math.Min(math.Max(1/math.Max(1-g.Coef[i], 0.1), 0.5), 2)
			if scales[i]*steps[i] > 1000 || scales[i]*steps[i] < 1e-3 {
				steps[i] = 1
			}
			scales[i] *= steps[i]
			most = math.Max(most, math.Abs(steps[i]-1))
		}
		t.DivideTorques(ks, steps)
		for i, k := range ks {
			cols[i] = t.Predicted(k)
		}
		var ok bool
		if g, ok = t.Added(cols...); !ok || most < 1e-3 {
			break
		}
	}
	return scales, most
}
