package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
)

// offsetTerm declares a constant torque: an amplifier's offset, or Coulomb
// friction that differs between the directions, half their difference. As a
// constant torque it has the potential s.
func offsetTerm() declaration {
	return declaration{name: Fo, about: "torque offset", of: ofJoint, params: []parameter{{
		kind: "Fo", formula: "Fo", unit: [2]string{"N·m", "N"}, signed: true,
		value: func(j *robot.Joint) float64 { return j.Fo },
		law: law{
			torque: func(dst []float64, _ *stroke) { lanes.Fill(dst, 1) },
			energy: func(dst []float64, x *stroke) { copy(dst, x.s) },
		}}}}
}
