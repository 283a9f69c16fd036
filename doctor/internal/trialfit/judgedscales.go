package trialfit

import (
	"fmt"
	"math"
	"slices"
)

// Limits on scales that are estimated for all torques at once.
const (
	// Number of standard deviations by which a scale must differ from one. In 34 measured logs without a fault the
	// largest (of the logarithm) was 3.1.
	scaleSure = 4.0
	// ScaleClear is the logarithm by which a scale must differ from one. In the same logs it was at most 0.09 for a
	// torque that takes part and whose standard deviation was below scaleDoubt.
	ScaleClear = 0.1
	// If the standard deviation of a scale's logarithm is above this, its whole interval must be beyond ScaleClear.
	scaleDoubt = 0.05
	// ScaleHeavy: a torque takes part only if it is at least this fraction of the reference's torque. Errors of sensors
	// and drives are fractions of their ranges, which are similar on all joints of a robot: a wrist with 7 % of the
	// torque showed a scale of 1.15 without a fault.
	ScaleHeavy = 0.1
	// A torque takes part only if its own fit leaves at most this fraction of it.
	scaleOwn = 0.1
	// Logarithm of the largest scale that may stay undetected: a factor of two is the next gear, or another winding of
	// the motor.
	scaleUnseen = math.Ln2
)

// JudgedScales says which of the torques' scales are off.
type JudgedScales struct {
	Off    []Scale
	Taking int // number of torques, besides the reference, whose scale the equations determine
	// Joints of the stack, in order, whose torques may be off by a factor of two without a contradiction: carried by
	// friction, or too small beside the reference's.
	Unseen []int
}

// JudgeScales tests whether scales, from Scales with the same reference, differ from one. The equations are linear in
// 1/s, whose interval of four standard deviations is (1 ± 4·SD)/s: where SD is large the logarithm's is skew, and the
// interval has to leave out all factors within a tenth. Then neither of the two torques may be small beside the
// largest, whose errors are in the parameters that both share.
func (t *Stacked) JudgeScales(reference int, scales []Scale) JudgedScales {
	var g JudgedScales
	heavy := ScaleHeavy * t.Joints[reference].Size()
	told := []int{reference}
	largest := 0.0
	for _, o := range t.Joints {
		largest = max(largest, o.Size())
	}
	for _, s := range scales {
		o := t.Joints[s.K]
		small := min(o.Size(), t.Joints[reference].Size())
		if o.Size() < heavy || o.Sigma > scaleOwn*o.Size() || math.IsInf(s.SD, 0) {
			continue
		}
		least, most := (1-scaleSure*s.SD)/s.Scale, (1+scaleSure*s.SD)/s.Scale
		l := math.Abs(math.Log(s.Scale))
		beyond := small >= ScaleHeavy*largest && (most < math.Exp(-ScaleClear) || least > math.Exp(ScaleClear))
		switch {
		case beyond, s.SD <= scaleDoubt && l > ScaleClear && l > scaleSure*s.SD:
			g.Off = append(g.Off, s)
		case s.SD > scaleDoubt:
			if least > math.Exp(-scaleUnseen) && most < math.Exp(scaleUnseen) {
				told = append(told, s.K)
			}
			continue
		}
		g.Taking++
		told = append(told, s.K)
	}
	for k := range t.Joints {
		if !slices.Contains(told, k) {
			g.Unseen = append(g.Unseen, k)
		}
	}
	return g
}

// Worst returns the scale that is off by the most standard deviations (of 1/s). At least one scale must be off.
func (g JudgedScales) Worst() Scale {
	return slices.MaxFunc(g.Off, func(a, b Scale) int { return int(math.Copysign(1, a.deviations()-b.deviations())) })
}

// deviations returns the number of standard deviations between 1/s and one.
func (s Scale) deviations() float64 { return math.Abs(s.Scale-1) / s.SD }

// Alike reports whether the scales that are off agree with each other within three standard deviations.
func (g JudgedScales) Alike() bool {
	for _, a := range g.Off {
		for _, b := range g.Off {
			if math.Abs(math.Log(a.Scale/b.Scale)) > 3*math.Hypot(a.SD, b.SD) {
				return false
			}
		}
	}
	return true
}

// String returns the scale with its interval of two standard deviations, or, if it is known badly, the factor that it
// exceeds by four standard deviations.
func (s Scale) String() string {
	switch least, most := (1-scaleSure*s.SD)/s.Scale, (1+scaleSure*s.SD)/s.Scale; {
	case s.SD <= scaleDoubt:
		return fmt.Sprintf("%.3g ± %.2g", s.Scale, 2*s.Scale*s.SD)
	case s.Scale > 1:
		return fmt.Sprintf("about %.2g and at least %.2g", s.Scale, 1/most)
	default:
		return fmt.Sprintf("about %.2g and at most %.2g", s.Scale, 1/least)
	}
}
