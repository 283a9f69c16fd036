package regressor

import (
	"math"

	"ident/internal/lanes"
	"ident/robot"
	"ident/symbolic"
)

// The terms of friction.
const (
	Fv         Term = "Fv"   // viscous friction
	Fs         Term = "Fs"   // Coulomb friction
	Asymmetric Term = "Fa"   // viscous and Coulomb friction of each direction
	LoadFs     Term = "Fl"   // Coulomb friction that grows with the load
	Stribeck   Term = "Fst"  // friction that falls as a joint starts to move
	StribeckV  Term = "Fstv" // derivative of Stribeck friction by its velocity
	Quadratic  Term = "Fq"   // friction that grows with the square of the rate
	Warming    Term = "Fw"   // friction and offset that change while the gears warm
	ByHeat     Term = "Fp"   // friction and offset that change as the power of a joint heats it
	ByDegrees  Term = "Ft"   // friction and offset that change with a measured temperature
	Presliding Term = "Fh"   // friction with a memory of the last reversals
)

// frictionLines returns the lines of the terms of friction beside Fv and Fs in the table of terms.
func frictionLines() []termLine {
	return []termLine{{Asymmetric, asymmetricTerm}, {LoadFs, loadTerm}, {Stribeck, stribeckTerm}, {StribeckV, stribeckVelocityTerm}, {Quadratic, quadraticTerm},
		{Warming, warmingTerm}, {ByHeat, heatTerm}, {ByDegrees, temperatureTerm}, {Presliding, preslidingTerm}}
}

// viscousTerm declares friction in proportion to the rate.
func viscousTerm() declaration {
	return declaration{name: Fv, about: "viscous friction", of: ofJoint, shared: true, says: answers{friction: yes, perJoint: yes, file: yes, form: yes, dry: no, filtered: no, driven: no, offered: no}, params: []parameter{{
		kind: "Fv", formula: "Fv·ṡ", unit: [2]string{"N·m·s/rad", "N·s/m"}, form: rateForm, slides: viscous, like: Fv,
		value: func(j *robot.Joint) float64 { return j.Fv },
		law:   law{torque: func(dst []float64, x *driveCoordinate) { copy(dst, x.ds) }, signal: signalRate},
	}}}
}

// coulombTerm declares dry friction, which opposes the rate and is zero at rest.
func coulombTerm() declaration {
	return declaration{name: Fs, about: "Coulomb friction", of: ofJoint, shared: true, says: answers{friction: yes, dry: yes, filtered: yes, perJoint: yes, file: yes, form: yes, driven: no, offered: no}, params: []parameter{{
		kind: "Fs", formula: "Fs·sign ṡ", unit: [2]string{"N·m", "N"}, form: signForm, slides: dry, like: Fs,
		value: func(j *robot.Joint) float64 { return j.Fs },
		law:   law{torque: func(dst []float64, x *driveCoordinate) { lanes.Signs(dst, x.ds) }, signal: signalSign},
	}}}
}

// quadraticTerm declares friction with the square of the rate: windage and churned oil, and, below zero, viscous
// friction that grows less than the rate, as that of thinned grease does. With Fv and Fs it is the polynomial of
// Daemi and Heimann (1996), odd in the rate.
func quadraticTerm() declaration {
	return declaration{name: Quadratic, about: "friction with the square of the rate", of: ofJoint, says: answers{friction: yes, perJoint: yes, offered: yes, file: yes, form: yes, dry: no, filtered: no, driven: no}, params: []parameter{
		ofRate(parameter{kind: "Fq", formula: "Fq·ṡ·|ṡ|", unit: [2]string{"N·m·s²/rad²", "N·s²/m²"}, signed: true,
			form: func(x *Symbols) symbolic.Node { return x.Graph.Mul(x.DS, x.Graph.Abs(x.DS)) }},
			func(ds float64) float64 { return ds * math.Abs(ds) }),
	}}
}

// asymmetricTerm declares friction with a viscous and a Coulomb coefficient for
// each direction. It contains Fv, Fs and Fo: with those in the model as well,
// the base parameters keep Fv, Fs, Fo and the difference of the viscous ones.
func asymmetricTerm() declaration {
	damping, torque := [2]string{"N·m·s/rad", "N·s/m"}, [2]string{"N·m", "N"}
	return declaration{name: Asymmetric, about: "viscous and Coulomb friction of each direction", of: ofJoint, says: answers{friction: yes, dry: yes, filtered: yes, perJoint: yes, file: yes, form: yes, driven: no, offered: no}, params: []parameter{
		ofRate(parameter{kind: "Fvp", formula: "Fvp·ṡ where ṡ > 0", unit: damping, form: func(x *Symbols) symbolic.Node { return x.positive(x.DS) }}, func(ds float64) float64 { return max(ds, 0) }),
		ofRate(parameter{kind: "Fvn", formula: "Fvn·ṡ where ṡ < 0", unit: damping, form: func(x *Symbols) symbolic.Node { return x.negative(x.DS) }}, func(ds float64) float64 { return min(ds, 0) }),
		ofRate(parameter{kind: "Fsp", formula: "Fsp where ṡ > 0", unit: torque, form: func(x *Symbols) symbolic.Node { return x.positive(x.Direction()) }}, func(ds float64) float64 { return max(sign(ds), 0) }),
		ofRate(parameter{kind: "Fsn", formula: "−Fsn where ṡ < 0", unit: torque, form: func(x *Symbols) symbolic.Node { return x.negative(x.Direction()) }}, func(ds float64) float64 { return min(sign(ds), 0) }),
	}}
}

// loadTerm declares Coulomb friction that grows with the torque that the drive
// carries, as in harmonic drives and worm gears (Hamon, Gautier and Garrec 2010).
// The torque is the measured one, so this column holds measurement noise: where
// that is large, Fl comes out too small.
func loadTerm() declaration {
	return declaration{name: LoadFs, about: "Coulomb friction in proportion to the torque carried", of: ofJoint, needs: NeedLoad, says: answers{friction: yes, dry: yes, filtered: yes, driven: yes, perJoint: yes, offered: no, file: no, form: no}, params: []parameter{{
		kind: "Fl", formula: "Fl·|τ|·sign ṡ", unit: [2]string{"1", "1"},
		law: law{torque: func(dst []float64, x *driveCoordinate) {
			for i := range dst {
				dst[i] = math.Abs(x.load[i]) * sign(x.ds[i])
			}
		}},
	}}}
}

// ofRate completes a parameter whose torque is a function of the rate alone, and is lost.
func ofRate(p parameter, torque func(ds float64) float64) parameter {
	p.law, p.slides = dissipative(torque), func(rate, _ float64) float64 { return torque(rate) }
	return p
}

func viscous(rate, _ float64) float64 { return rate }
func dry(rate, _ float64) float64     { return sign(rate) }

// sign is -1, 0 or 1; NaN stays NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}
