package regressor

import (
	"math"

	"ident/robot"
)

// DefaultWarming is the default time constant, in seconds, of warming gears.
const DefaultWarming = 600

// warmingTerm declares friction and an offset that change while the gears of a robot that begins a run cold come to
// their working temperature: with the state z of a body that is heated evenly and cooled by its surroundings (Newton),
//
//	τ = z·(Fwv·ṡ + Fws·sign ṡ + Fwo),  z = 1 − exp(−t/T)
//
// beside Fv, Fs and Fo, which are those of the cold gear; t is the time since the run began. Friction that falls as oil warms has
// Fwv and Fws below zero (Bittencourt and Gunnarsson 2012 measure both). The time constant T is the term's
// argument in seconds, one for all joints or one for each, 0 for none: "Fw:600", "Fw:600/300/0".
func warmingTerm() declaration {
	damping, torque := [2]string{"N·m·s/rad", "N·s/m"}, [2]string{"N·m", "N"}
	d := declaration{name: Warming, about: "friction and offset that change as gears warm", of: ofJoint, needs: NeedTime, part: newWarming, says: answers{friction: yes, dry: yes, filtered: yes, driven: no, perJoint: no, offered: yes, file: yes, form: yes},
		check: func(r *robot.Robot, t Term) error { _, err := WarmingTimes(r, t); return err },
		count: countOf(WarmingTimes, 3),
		params: []parameter{
			{kind: "Fwv", formula: "Fwv·(1 − exp(−t/T))·ṡ", unit: damping, signed: true, law: law{torque: copyRate}, form: rateForm, slides: viscous, like: Fv},
			{kind: "Fws", formula: "Fws·(1 − exp(−t/T))·sign ṡ", unit: torque, signed: true, law: dissipative(sign), form: signForm, slides: dry, like: Fs},
			{kind: "Fwo", formula: "Fwo·(1 − exp(−t/T))", unit: torque, signed: true, offset: true, law: dissipative(func(float64) float64 { return 1 }), form: oneForm},
		}}
	return d
}

func copyRate(dst []float64, x *driveCoordinate) { copy(dst, x.ds) }

// WarmingTimes returns the time constants in the argument of Fw, in seconds, by link; none for a link without the term.
func WarmingTimes(r *robot.Robot, t Term) ([][]float64, error) {
	return byJoint(r, t, DefaultWarming, 1, "time constant, in seconds")
}

// newWarming returns the part for a column: its law times the state of warming.
func newWarming(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	times, err := WarmingTimes(r, t)
	if err != nil {
		return nil, err
	}
	constant := times[col.Link][0]
	p, err := newDrive(c, r, col, t)
	if err != nil {
		return nil, err
	}
	d := p.(*drive)
	cold := d.law.torque
	d.law = law{torque: func(dst []float64, x *driveCoordinate) {
		cold(dst, x)
		for i, at := range x.time[:len(dst)] {
			dst[i] *= -math.Expm1(-at / constant)
		}
	}}
	return d, nil
}
