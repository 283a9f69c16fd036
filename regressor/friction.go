package regressor

import (
	"math"

	"ident/internal/lanes"
	"ident/robot"
)

// viscousTerm declares friction in proportion to the rate.
func viscousTerm() declaration {
	return declaration{name: Fv, about: "viscous friction", of: ofJoint, shared: true, params: []parameter{{
		kind: "Fv", formula: "Fv·ṡ", unit: [2]string{"N·m·s/rad", "N·s/m"},
		value: func(j *robot.Joint) float64 { return j.Fv },
		law:   law{torque: func(dst []float64, x *driveCoordinate) { copy(dst, x.ds) }, signal: signalRate},
	}}}
}

// coulombTerm declares dry friction, which opposes the rate and is zero at rest.
func coulombTerm() declaration {
	return declaration{name: Fs, about: "Coulomb friction", of: ofJoint, shared: true, params: []parameter{{
		kind: "Fs", formula: "Fs·sign ṡ", unit: [2]string{"N·m", "N"},
		value: func(j *robot.Joint) float64 { return j.Fs },
		law:   law{torque: func(dst []float64, x *driveCoordinate) { lanes.Signs(dst, x.ds) }, signal: signalSign},
	}}}
}

// quadraticTerm declares friction with the square of the rate: windage and churned oil, and, below zero, viscous
// friction that grows less than the rate, as that of thinned grease does. With Fv and Fs it is the polynomial of
// Daemi and Heimann (1996), odd in the rate.
func quadraticTerm() declaration {
	return declaration{name: Quadratic, about: "friction with the square of the rate", of: ofJoint, params: []parameter{{
		kind: "Fq", formula: "Fq·ṡ·|ṡ|", unit: [2]string{"N·m·s²/rad²", "N·s²/m²"}, signed: true,
		law: dissipative(func(ds float64) float64 { return ds * math.Abs(ds) }),
	}}}
}

// asymmetricTerm declares friction with a viscous and a Coulomb coefficient for
// each direction. It contains Fv, Fs and Fo: with those in the model as well,
// the base parameters keep Fv, Fs, Fo and the difference of the viscous ones.
func asymmetricTerm() declaration {
	viscous, dry := [2]string{"N·m·s/rad", "N·s/m"}, [2]string{"N·m", "N"}
	return declaration{name: Asymmetric, about: "viscous and Coulomb friction of each direction", of: ofJoint, params: []parameter{
		{kind: "Fvp", formula: "Fvp·ṡ where ṡ > 0", unit: viscous, law: dissipative(func(ds float64) float64 { return max(ds, 0) })},
		{kind: "Fvn", formula: "Fvn·ṡ where ṡ < 0", unit: viscous, law: dissipative(func(ds float64) float64 { return min(ds, 0) })},
		{kind: "Fsp", formula: "Fsp where ṡ > 0", unit: dry, law: dissipative(func(ds float64) float64 { return max(sign(ds), 0) })},
		{kind: "Fsn", formula: "−Fsn where ṡ < 0", unit: dry, law: dissipative(func(ds float64) float64 { return min(sign(ds), 0) })},
	}}
}

// loadTerm declares Coulomb friction that grows with the torque that the drive
// carries, as in harmonic drives and worm gears (Hamon, Gautier and Garrec 2010).
// The torque is the measured one, so this column holds measurement noise: where
// that is large, Fl comes out too small.
func loadTerm() declaration {
	return declaration{name: LoadFs, about: "Coulomb friction in proportion to the torque carried", of: ofJoint, needs: NeedLoad, params: []parameter{{
		kind: "Fl", formula: "Fl·|τ|·sign ṡ", unit: [2]string{"1", "1"},
		law: law{torque: func(dst []float64, x *driveCoordinate) {
			for i := range dst {
				dst[i] = math.Abs(x.load[i]) * sign(x.ds[i])
			}
		}},
	}}}
}

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
