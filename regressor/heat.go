package regressor

import (
	"fmt"
	"math"
	"strconv"

	"ident/robot"
)

// DefaultReference is the default reference temperature of the term Ft, in °C: that of Fv, Fs and Fo.
const DefaultReference = 25

// temperatureTerm declares friction and an offset that change with the measured temperature ϑ of a joint, to first order
// about the reference temperature ϑ₀ of Fv, Fs and Fo (Bittencourt and Gunnarsson 2012):
//
//	τ = (ϑ − ϑ₀)·(Ftv·ṡ + Fts·sign ṡ + Fto)
//
// ϑ₀ is the term's argument in the unit of the channel, "Ft:40".
func temperatureTerm() declaration {
	return declaration{name: ByDegrees, about: "friction and offset that change with a measured temperature", of: ofJoint, needs: NeedTemperature, part: newByDegrees, says: answers{friction: yes, dry: yes, filtered: yes, driven: yes, perJoint: no, offered: yes, file: no, form: yes},
		check:  func(r *robot.Robot, t Term) error { _, err := ReferenceTemperature(t); return err },
		params: heated("Ft", "(ϑ − ϑ₀)", "K")}
}

// heatTerm declares friction and an offset that change as the power that goes through a joint warms it: one lump of heat,
// cooled by its surroundings in proportion to its rise (Newton),
//
//	τ = z·(Fpv·ṡ + Fps·sign ṡ + Fpo),  T·ż = |τₘ·ṡ| − z
//
// with the measured torque τₘ. The state z, W, is the mean power of the last time T, to which the rise of temperature is in proportion; it
// begins at zero with the run. Without a sensor, power tells gears that warm at work from those that warm with the room
// (Carlson, Robertsson and Johansson 2015). T, s, is the argument, one for all joints or one for each, 0 for none: "Fp:600/300/0".
func heatTerm() declaration {
	return declaration{name: ByHeat, about: "friction and offset that change as the power of a joint warms it", of: ofJoint, needs: NeedHeat, part: newByHeat, says: answers{friction: yes, dry: yes, filtered: yes, driven: yes, perJoint: no, offered: yes, file: no, form: yes},
		check:  func(r *robot.Robot, t Term) error { _, err := heatTimes(r, t); return err },
		count:  countOf(heatTimes, 3),
		params: heated("Fp", "z", "W")}
}

// heated returns the three friction parameters that multiply a state.
func heated(kind, state, unit string) []parameter {
	dry := [2]string{"N·m/" + unit, "N/" + unit}
	return []parameter{
		{kind: kind + "v", formula: kind + "v·" + state + "·ṡ", unit: [2]string{"N·m·s/(rad·" + unit + ")", "N·s/(m·" + unit + ")"}, signed: true, law: law{torque: copyRate}, form: rateForm},
		{kind: kind + "s", formula: kind + "s·" + state + "·sign ṡ", unit: dry, signed: true, law: dissipative(sign), form: signForm},
		{kind: kind + "o", formula: kind + "o·" + state, unit: dry, signed: true, offset: true, law: dissipative(func(float64) float64 { return 1 }), form: oneForm},
	}
}

// ReferenceTemperature returns the reference temperature that Ft's argument gives, or DefaultReference.
func ReferenceTemperature(t Term) (float64, error) {
	if t.Argument() == "" {
		return DefaultReference, nil
	}
	v, err := strconv.ParseFloat(t.Argument(), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("term %q: %q is no temperature, as in %s:40", t, t.Argument(), ByDegrees)
	}
	return v, nil
}

// heatTimes reads the argument of Fp: time constants by link, 0 for none.
func heatTimes(r *robot.Robot, t Term) ([][]float64, error) {
	return byJoint(r, t, DefaultWarming, 1, "time constant, in seconds")
}

// newByDegrees returns the part for a column: its law times the temperature above the reference.
func newByDegrees(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	reference, err := ReferenceTemperature(t)
	if err != nil {
		return nil, err
	}
	return newState(c, r, col, t, func(in *Batch) [][]float64 { return in.Temperature }, 1, 0, reference)
}

// newByHeat returns the part for a column: its law times the state of heat.
func newByHeat(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	return newState(c, r, col, t, func(in *Batch) [][]float64 { return in.Heat }, 1, 0, 0)
}

// newState returns the part for a column whose law is multiplied by a state minus reference; at is the index among the
// several states of a coordinate.
func newState(c *chain, r *robot.Robot, col Column, t Term, channels func(in *Batch) [][]float64, several, at int, reference float64) (part, error) {
	p, err := newDrive(c, r, col, t)
	if err != nil {
		return nil, err
	}
	d := p.(*drive)
	d.state, d.stateAt = channels, several*d.coords[0]+at
	plain := d.law.torque
	d.law = law{torque: func(dst []float64, x *driveCoordinate) {
		plain(dst, x)
		for i, z := range x.state[:len(dst)] {
			dst[i] *= z - reference
		}
	}}
	return d, nil
}
