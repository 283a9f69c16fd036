package identify

import (
	"testing"

	"ident/observation"
)

// A motion without rows goes through the filters of the path that a fit has used; older documents, and paths of defaults, leave some out.
func TestMotionSettings(t *testing.T) {
	of := motionSettings(observation.Path{Cutoff: 8, MotionCutoff: 30, Order: 4, MotionOrder: 6, Differentiator: observation.Kalman, Decimate: 4, Trim: 2,
		Velocity: observation.FromPosition, VelocityLag: []float64{0.1}}, 0.5)
	if of.Cutoff != 0 || of.Decimate != 0 || of.VelocityLag != nil || of.MotionCutoff != 30 || of.Order != 4 || of.MotionOrder != 6 ||
		of.Differentiator != observation.Kalman || of.Trim != 0.5 || of.Velocity != observation.Auto {
		t.Errorf("%+v", of)
	}
	if of := motionSettings(observation.Path{}, 0); of.Order != 2 || of.Differentiator != observation.Central {
		t.Errorf("of nothing: %+v", of)
	}
}
