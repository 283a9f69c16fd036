package regressor

import "ident/robot"

// coulombTerm declares dry friction, which opposes the rate and is zero at rest.
func coulombTerm() declaration {
	return declaration{name: Fs, about: "Coulomb friction", of: ofJoint, shared: true, params: []parameter{{
		kind: "Fs", formula: "Fs·sign ṡ", unit: [2]string{"N·m", "N"},
		value: func(j *robot.Joint) float64 { return j.Fs },
		law: law{torque: func(dst []float64, x *stroke) {
			for i, ds := range x.ds[:len(dst)] {
				dst[i] = sign(ds)
			}
		}},
	}}}
}
