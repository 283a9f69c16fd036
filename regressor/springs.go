package regressor

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/symbolic"
)

// springTerm declares a spring in the joint, with its rest at the zero of the
// joint. A rest elsewhere adds a constant torque, which is Fo.
func springTerm() declaration {
	return declaration{name: Spring, about: "joint spring", of: ofJoint, says: answers{friction: no, dry: no, filtered: no, driven: no, perJoint: no, offered: yes, file: no, form: yes}, params: []parameter{{
		kind: "Ks", formula: "Ks·s", unit: [2]string{"N·m/rad", "N/m"}, form: placeForm, stores: springEnergy,
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
	return declaration{name: Balance, about: "spring that compensates gravity", of: ofJoint, check: balanceCheck, says: answers{friction: no, dry: no, filtered: no, driven: no, perJoint: no, offered: yes, file: no, form: yes}, params: []parameter{
		{kind: "Kgs", formula: "Kgs·sin s", unit: unit, signed: true, form: sinForm, stores: func(x *Symbols) symbolic.Node { return -x.Graph.Cos(x.S) }, law: stored(math.Sin, func(s float64) float64 { return -math.Cos(s) })},
		{kind: "Kgc", formula: "Kgc·cos s", unit: unit, signed: true, form: func(x *Symbols) symbolic.Node { return x.Graph.Cos(x.S) }, stores: sinForm, law: stored(math.Cos, math.Sin)},
	}}
}

func balanceCheck(r *robot.Robot, t Term) error {
	for _, j := range r.Moving() {
		if r.Links[j].Joint.Kind == robot.Prismatic {
			return fmt.Errorf("term %q: joint %q slides, but these springs are for turning joints; Ks is a spring along a slide", t, r.Links[j].Joint.Name)
		}
	}
	return argumentless(r, t)
}

// elasticTerm declares stiffness and damping of an elastic joint, whose coordinate is the
// deflection of the motor against the link. The motor's row has the torque, the link's
// its opposite.
func elasticTerm() declaration {
	return declaration{name: Elastic, about: "stiffness and damping of elastic joints", of: ofSpring, check: hasSprings, says: answers{friction: no, dry: no, filtered: no, driven: no, perJoint: no, offered: no, file: no, form: yes}, params: []parameter{
		{kind: "K", formula: "K·δ", unit: [2]string{"N·m/rad", "N/m"}, form: placeForm, stores: springEnergy, law: stored(func(s float64) float64 { return s }, func(s float64) float64 { return s * s / 2 })},
		{kind: "D", formula: "D·δ̇", unit: [2]string{"N·m·s/rad", "N·s/m"}, form: rateForm, law: dissipative(func(ds float64) float64 { return ds })},
	}}
}

// cubicTerm declares the wind-up of a gear that stiffens, or softens, with the deflection.
func cubicTerm() declaration {
	return declaration{name: Cubic, about: "cubic stiffness of elastic joints", of: ofSpring, check: hasSprings, says: answers{friction: no, dry: no, filtered: no, driven: no, perJoint: no, offered: no, file: no, form: yes}, params: []parameter{{
		kind: "Kc", formula: "Kc·δ³", unit: [2]string{"N·m/rad³", "N/m³"}, signed: true,
		form: func(x *Symbols) symbolic.Node { return x.Graph.Mul(x.S, x.Graph.Mul(x.S, x.S)) },
		stores: func(x *Symbols) symbolic.Node {
			square := x.Graph.Mul(x.S, x.S)
			return x.Graph.Mul(x.Graph.Rat(1, 4), x.Graph.Mul(square, square))
		},
		law: stored(func(s float64) float64 { return s * s * s }, func(s float64) float64 { return s * s * s * s / 4 }),
	}}}
}

// SlipSpeed, rad/s or m/s, is the rate of a deflection at which the hysteresis of an elastic joint has
// three quarters of its value. A sign would be one of the noise wherever the deflection rests, and would stop an integration at
// each reversal of a vibration, whose rates are a hundred times this.
const SlipSpeed = 1e-3

// windUpTerm declares friction within an elastic joint: the torque at a deflection depends on
// the direction that the deflection is reached from.
func windUpTerm() declaration {
	slip := func(rate float64) float64 { return math.Tanh(rate / SlipSpeed) }
	return declaration{name: WindUp, about: "hysteresis of elastic joints", of: ofSpring, check: hasSprings, says: answers{friction: no, dry: no, filtered: yes, driven: no, perJoint: no, offered: no, file: no, form: no}, params: []parameter{{
		kind: "Kh", formula: "Kh·tanh(δ̇/v₀)", unit: [2]string{"N·m", "N"}, law: dissipative(slip),
	}}}
}

func hasSprings(r *robot.Robot, t Term) error {
	for _, d := range r.Drives {
		if d.Spring {
			return argumentless(r, t)
		}
	}
	return fmt.Errorf("term %q: robot %q has no coordinate of an elastic joint's deflection: leave the term out, which fits of robots with elastic joints add by themselves", t, r.Name)
}
