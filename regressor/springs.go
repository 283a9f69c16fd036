package regressor

import (
	"fmt"
	"math"

	"ident/robot"
)

// springTerm declares a spring in the joint, with its rest at the zero of the
// joint. A rest elsewhere adds a constant torque, which is Fo.
func springTerm() declaration {
	return declaration{name: Spring, about: "joint spring", of: ofJoint, params: []parameter{{
		kind: "Ks", formula: "Ks·s", unit: [2]string{"N·m/rad", "N/m"},
		law: stored(func(s float64) float64 { return s }, func(s float64) float64 { return s * s / 2 }),
	}}}
}

// balanceTerm declares a spring that compensates gravity at a revolute joint: of
// no free length, from a point of the carrying link at the distance a of the
// axis to a point of the carried one at the distance b. With stiffness k its
// energy is ½k(a² + b² − 2ab·cos(s − s₀)), and so
//
//	τ = k·a·b·sin(s − s₀) = Kgs·sin s + Kgc·cos s
//
// At a joint whose axis stays level gravity acts on the link in the same way:
// the base parameters then regroup it with the first moments.
func balanceTerm() declaration {
	unit := [2]string{"N·m", "N·m"}
	return declaration{name: Balance, about: "spring that compensates gravity", of: ofJoint, check: balanceCheck, params: []parameter{
		{kind: "Kgs", formula: "Kgs·sin s", unit: unit, signed: true, law: stored(math.Sin, func(s float64) float64 { return -math.Cos(s) })},
		{kind: "Kgc", formula: "Kgc·cos s", unit: unit, signed: true, law: stored(math.Cos, math.Sin)},
	}}
}

func balanceCheck(r *robot.Robot, t Term) error {
	for _, j := range r.Moving() {
		if r.Links[j].Joint.Kind == robot.Prismatic {
			return fmt.Errorf("term %q: joint %q slides, and the springs are those of turning joints; Ks is a spring along a slide", t, r.Links[j].Joint.Name)
		}
	}
	return argumentless(r, t)
}
