package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
	"ident/symbolic"
)

// inertiaTerm declares the reflected inertia of a rotor that turns with its joint: the torque Ia·s̈ if its carrier
// hardly turns or the gear ratio is large. Ir adds the gyroscopic torques.
func inertiaTerm() declaration {
	copyOf := func(of func(*driveCoordinate) []float64) func([]float64, *driveCoordinate) {
		return func(dst []float64, x *driveCoordinate) { copy(dst, of(x)) }
	}
	return declaration{name: Ia, about: "reflected rotor inertia", of: ofJoint, shared: true, says: answers{friction: no, dry: no, filtered: no, driven: yes, perJoint: no, offered: no, file: no, form: yes}, params: []parameter{{
		kind: "Ia", formula: "Ia·s̈", unit: [2]string{"kg·m²", "kg"},
		form:   func(x *Symbols) symbolic.Node { return x.DDS },
		stores: func(x *Symbols) symbolic.Node { return x.half(x.Graph.Mul(x.DS, x.DS)) },
		value:  func(j *robot.Joint) float64 { return j.Ia },
		law: law{
			torque:   copyOf(func(x *driveCoordinate) []float64 { return x.dds }),
			momentum: copyOf(rate),
			energy:   each(func(ds float64) float64 { return ds * ds / 2 }, rate),
			signal:   signalAcceleration,
		}}}}
}

// offsetTerm declares a constant torque: an amplifier's offset, or half the difference of Coulomb friction between the
// directions. Its potential is s.
func offsetTerm() declaration {
	return declaration{name: Fo, about: "torque offset", of: ofJoint, says: answers{friction: no, dry: no, filtered: no, driven: yes, perJoint: no, offered: no, file: no, form: yes}, params: []parameter{{
		kind: "Fo", formula: "Fo", unit: [2]string{"N·m", "N"}, signed: true, form: oneForm, stores: placeForm,
		value: func(j *robot.Joint) float64 { return j.Fo },
		law: law{
			torque: func(dst []float64, _ *driveCoordinate) { lanes.Fill(dst, 1) },
			energy: func(dst []float64, x *driveCoordinate) { copy(dst, x.s) },
			signal: signalOne,
		}}}}
}

// gainTerm declares drive gains as unknowns: the torque of a drive is its gain
// times the motor current, which moves to the side of the unknowns,
//
//	τ_known = Y·χ − gain·i
//
// Without a known torque, such as a weighed payload's, the equations are
// homogeneous: all parameters could be multiplied by any number.
func gainTerm() declaration {
	return declaration{name: Gain, about: "drive gain: joint torque per motor current", of: ofJoint, needs: NeedCurrent, says: answers{friction: no, dry: no, filtered: yes, driven: yes, perJoint: no, offered: no, file: no, form: no}, params: []parameter{{
		kind: "G", formula: "−G·i", unit: [2]string{"N·m/A", "N/A"}, signed: true,
		law: law{torque: func(dst []float64, x *driveCoordinate) {
			for i, c := range x.current[:len(dst)] {
				dst[i] = -c
			}
		}},
	}}}
}
