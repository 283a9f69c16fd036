package trialfit

import (
	"math"
	"slices"
)

const (
	// ScaleHeavy: a torque takes part only if it is at least this fraction of the reference's torque. Errors of sensors
	// and drives are fractions of their ranges, which are similar on all joints of a robot: a wrist with 7 % of the
	// torque showed a scale of 1.15 without a fault.
	ScaleHeavy = 0.1
	// A torque takes part only if its own fit leaves at most this fraction of it.
	scaleOwn = 0.1
	// scaleSure is the number of standard deviations within which a scale lies. In 34 measured logs without a fault the
	// largest (of the logarithm) was 3.1.
	scaleSure = 4.0
	// Logarithm of the largest scale that may stay undetected: a factor of two is the next gear, or another winding of
	// the motor.
	scaleUnseen = math.Ln2
)

// UnseenScales returns the joints of the stack, in order, whose torques may be off by a factor of two without a contradiction: carried by
// friction, or too small beside the reference's. scales are of Scales with the same reference. The equations are linear in 1/s, whose
// interval of four standard deviations is (1 ± 4·SD)/s. A scale that seems off is not known either: an error of the model, such as another
// law of friction, moves it as well.
func (t *Stacked) UnseenScales(reference int, scales []Scale) (unseen []int) {
	told := []int{reference}
	for _, s := range scales {
		o := t.Joints[s.K]
		heavy := o.Size() >= ScaleHeavy*t.Joints[reference].Size() && o.Sigma <= scaleOwn*o.Size()
		least, most := (1-scaleSure*s.SD)/s.Scale, (1+scaleSure*s.SD)/s.Scale
		if heavy && least > math.Exp(-scaleUnseen) && most < math.Exp(scaleUnseen) {
			told = append(told, s.K)
		}
	}
	for k := range t.Joints {
		if !slices.Contains(told, k) {
			unseen = append(unseen, k)
		}
	}
	return unseen
}
