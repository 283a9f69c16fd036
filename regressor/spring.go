package regressor

// springTerm declares a spring in the joint, with its rest at the zero of the
// joint. A rest elsewhere adds a constant torque, which is Fo.
func springTerm() declaration {
	return declaration{name: Spring, about: "joint spring", of: ofJoint, params: []parameter{{
		kind: "Ks", formula: "Ks·s", unit: [2]string{"N·m/rad", "N/m"},
		law: stored(func(s float64) float64 { return s }, func(s float64) float64 { return s * s / 2 }),
	}}}
}
