package regressor

import "ident/robot"

// inertiaTerm declares the reflected inertia of a rotor that turns with its
// joint: the torque Ia·s̈ of a rotor whose own carrier hardly turns, or whose
// gear ratio is large. Ir has the rest.
func inertiaTerm() declaration {
	copyOf := func(of func(*stroke) []float64) func([]float64, *stroke) {
		return func(dst []float64, x *stroke) { copy(dst, of(x)) }
	}
	return declaration{name: Ia, about: "reflected rotor inertia", of: ofJoint, shared: true, params: []parameter{{
		kind: "Ia", formula: "Ia·s̈", unit: [2]string{"kg·m²", "kg"},
		value: func(j *robot.Joint) float64 { return j.Ia },
		law: law{
			torque:   copyOf(func(x *stroke) []float64 { return x.dds }),
			momentum: copyOf(rate),
			energy:   each(func(ds float64) float64 { return ds * ds / 2 }, rate),
		}}}}
}
