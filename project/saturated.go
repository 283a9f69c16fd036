package project

import (
	"math"

	"ident/doctor"
	"ident/identify"
)

// maskSaturated lowers the bounds of a run's torques to just below the extreme at which the check has found them to stand:
// rows there show the limit of a drive or sensor, not the torque that the motion took.
func maskSaturated(run *identify.Run, found []Finding) {
	for _, f := range found {
		if f.ID == doctor.Saturated && f.Log == run.Name {
			run.Bounds[f.Channel] = math.Abs(f.Value) * (1 - 1e-9) // printed values are exact to less
		}
	}
}
