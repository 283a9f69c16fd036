package regressor

import "math"

// loadTerm declares Coulomb friction that grows with the torque that the drive
// carries, as in harmonic drives and worm gears (Hamon, Gautier and Garrec 2010).
// The torque is the measured one, so this column holds measurement noise: where
// that is large, Fl comes out too small.
func loadTerm() declaration {
	return declaration{name: LoadFs, about: "Coulomb friction in proportion to the torque carried", of: ofJoint, needs: NeedLoad, params: []parameter{{
		kind: "Fl", formula: "Fl·|τ|·sign ṡ", unit: [2]string{"1", "1"},
		law: law{torque: func(dst []float64, x *stroke) {
			for i := range dst {
				dst[i] = math.Abs(x.load[i]) * sign(x.ds[i])
			}
		}},
	}}}
}
