package observation

import (
	"math"

	"ident/regressor"
)

// Limits of PredictLoad's iteration.
const (
	// loadSteps bounds the fixed-point iteration: each step reduces the error by the factor Fl, a tenth for most drives.
	loadSteps = 60
	// loadTolerance ends the iteration, relative to the largest torque.
	loadTolerance = 1e-9
)

// PredictLoad predicts the torques again with the predicted load instead of the measured one: friction that
// grows with the load stands on both sides of
//
//	τ = Y·χ + Fl·|τ|·sign q̇
//
// which fixed-point iteration solves for |Fl| < 1. An observation of other terms stays as it is. A prediction must not
// use the measured torque: with it the error would be that of an equation that contains the answer.
func (v *Observation) PredictLoad(x []float64) error {
	o := v.observer
	if v.Predicted == nil || v.batch.Load == nil || Needs(o.model, Known{})&regressor.NeedLoad == 0 {
		return nil
	}
	known := o.loads.resize(len(v.Torque), len(v.Torque[0])) // torques that were subtracted
	for k, load := range v.batch.Load {
		for i := range load {
			known[k][i] = load[i] - v.Torque[k][i]
		}
	}
	for range loadSteps {
		change, largest := 0.0, 0.0
		for k, load := range v.batch.Load {
			for i := range load {
				next := v.Predicted[k][i] + known[k][i]
				change, largest = max(change, math.Abs(next-load[i])), max(largest, math.Abs(next))
				load[i] = next
			}
		}
		if change <= loadTolerance*largest {
			break
		}
		if err := v.PredictFor(x, v.Predicted); err != nil {
			return err
		}
	}
	return nil
}
