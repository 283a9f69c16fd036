package regressor

// gainTerm declares drive gains as unknowns: the torque of a drive is its gain
// times the motor current, which goes over to the side of the unknowns,
//
//	τ_known = Y·χ − gain·i
//
// Without a torque that is known, such as a weighed payload's, all columns could
// be multiplied by any number, and nothing is determined.
func gainTerm() declaration {
	return declaration{name: Gain, about: "drive gain: joint torque a motor current", of: ofJoint, needs: NeedCurrent, params: []parameter{{
		kind: "G", formula: "−G·i", unit: [2]string{"N·m/A", "N/A"}, signed: true,
		law: law{torque: func(dst []float64, x *stroke) {
			for i, c := range x.current[:len(dst)] {
				dst[i] = -c
			}
		}},
	}}}
}
