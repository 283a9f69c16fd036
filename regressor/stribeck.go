package regressor

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/robot"
)

// DefaultStribeck is the default Stribeck velocity, rad/s or m/s.
const DefaultStribeck = 0.1

// stribeckTerm declares the excess of friction near rest over Coulomb friction:
// it vanishes at speeds well above v_s (Bo and Pavelescu 1982). The velocity is
// not a linear parameter but the term's argument, one for all joints or one for
// each, "Fst:0.05/0.1/0.02".
func stribeckTerm() declaration {
	return declaration{name: Stribeck, about: "friction that falls with speed", of: ofJoint, check: stribeckCheck, says: answers{friction: yes, dry: yes, filtered: yes, driven: no, perJoint: yes, offered: no, file: yes, form: no}, params: []parameter{{
		kind: "Fst", formula: "Fst·sign ṡ·exp(−(ṡ/v)²)", unit: [2]string{"N·m", "N"}, signed: true,
		law: slidingLaw(nearRest), slides: nearRest,
	}}}
}

// stribeckVelocityTerm declares the derivative of Stribeck friction by v: the
// standard deviations of a fit with it include the uncertainty of v. Its
// parameter is Fst·δv.
func stribeckVelocityTerm() declaration {
	return declaration{name: StribeckV, about: "derivative of Fst by the Stribeck velocity", of: ofJoint, check: stribeckCheck, says: answers{friction: yes, dry: yes, filtered: yes, driven: no, perJoint: no, offered: no, file: yes, form: no}, params: []parameter{{
		kind: "Fstv", formula: "Fstv·sign ṡ·exp(−(ṡ/v)²)·2ṡ²/v³", unit: [2]string{"N·m·rad/s", "N·m/s"}, signed: true,
		law: slidingLaw(nearRestBySpeed), slides: nearRestBySpeed,
	}}}
}

// nearRest is the Stribeck friction of a unit of Fst.
func nearRest(rate, speed float64) float64 {
	z := rate / speed
	return sign(rate) * math.Exp(-z*z)
}

// nearRestBySpeed is the derivative of nearRest by the speed.
func nearRestBySpeed(rate, speed float64) float64 {
	z := rate / speed
	return sign(rate) * math.Exp(-z*z) * 2 * z * z / speed
}

// slidingLaw returns the law of a torque that depends on the rate and the Stribeck velocity.
func slidingLaw(f func(rate, speed float64) float64) law {
	return law{torque: func(dst []float64, x *driveCoordinate) {
		for i, ds := range x.ds[:len(dst)] {
			dst[i] = f(ds, x.speed)
		}
	}}
}

func stribeckCheck(r *robot.Robot, t Term) error {
	_, err := StribeckVelocities(r, t)
	return err
}

// StribeckVelocities returns the velocities in a Stribeck term's argument, rad/s or m/s: one for each independent joint
// of the robot, in order.
func StribeckVelocities(r *robot.Robot, t Term) ([]float64, error) {
	joints := r.Independent()
	out := make([]float64, len(joints))
	if t.Argument() == "" {
		for k := range out {
			out[k] = DefaultStribeck
		}
		return out, nil
	}
	list := strings.Split(t.Argument(), "/")
	if len(list) != 1 && len(list) != len(joints) {
		return nil, fmt.Errorf("term %q: %d velocities for %d joints; give one for all, or one for each, separated by /", t, len(list), len(joints))
	}
	for k := range out {
		v, err := strconv.ParseFloat(list[min(k, len(list)-1)], 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("term %q: %q is no velocity above zero", t, list[min(k, len(list)-1)])
		}
		out[k] = v
	}
	return out, nil
}

// StribeckVelocities returns the Stribeck velocity of each coordinate, rad/s or m/s; zero if it has no such friction.
func (m *Model) StribeckVelocities() []float64 {
	v := make([]float64, len(m.coords))
	for _, p := range m.parts {
		if d, ok := p.(*drive); ok && d.speed > 0 {
			v[d.coords[0]] = d.speed
		}
	}
	return v
}

// StribeckAt returns the term with the velocities as its argument.
func StribeckAt(name Term, v []float64) Term {
	text := make([]string, len(v))
	for k := range v {
		text[k] = strconv.FormatFloat(v[k], 'g', -1, 64)
	}
	return name + Term(":"+strings.Join(text, "/"))
}
