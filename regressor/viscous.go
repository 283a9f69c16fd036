package regressor

import "ident/robot"

// viscousTerm declares friction in proportion to the rate.
func viscousTerm() declaration {
	return declaration{name: Fv, about: "viscous friction", of: ofJoint, shared: true, params: []parameter{{
		kind: "Fv", formula: "Fv·ṡ", unit: [2]string{"N·m·s/rad", "N·s/m"},
		value: func(j *robot.Joint) float64 { return j.Fv },
		law:   law{torque: func(dst []float64, x *stroke) { copy(dst, x.ds) }},
	}}}
}
