package doctor

import "fmt"

// The kinds of finding about closed loops.
const (
	LoopOpen     = "loop-open"
	LoopResidual = "loop-residual"
)

// Distances, rad or m, of a measured passive joint from its position by the loops that exceed the rounding of encoders
// and drawings: a wrong zero, a wrong length or another assembly.
const (
	looseAngle = 0.02
	looseSlide = 0.002
	// A multiple of these distances that exceeds any error of a sensor's zero: another assembly.
	otherWay = 20
)

// Passive holds the differences between a measured passive joint and its position by the closed loops over a run, rad or
// m.
type Passive struct {
	Joint, Channel   string
	Slides           bool // the joint is prismatic
	RMS, Mean, Worst float64
	Row              int // row with the largest deviation, from 1
}

// LoopNotClosed returns the finding for a row at which the loops cannot be closed.
func LoopNotClosed(row int, why error) Finding {
	return Finding{ID: LoopOpen, Severity: Error, Where: fmt.Sprintf("row %d", row), Why: why.Error(),
		Fix: "check the lengths and zeros of the joints of the loop, or say with {assembly} how the loops close"}
}

// LoopDeviation returns the finding for a passive joint that deviates from its position by the loops.
func LoopDeviation(p Passive) Finding {
	limit := looseAngle
	if p.Slides {
		limit = looseSlide
	}
	f := Finding{ID: LoopResidual, Severity: Info, Channel: p.Channel, Joint: p.Joint, Value: p.RMS, Limit: limit, Where: fmt.Sprintf("row %d", p.Row),
		Why: fmt.Sprintf("the joint's position by the closed loops differs from the measured one by %.3g (root mean square; %.3g on average, %.3g at worst)", p.RMS, p.Mean, p.Worst)}
	switch {
	case p.RMS > otherWay*limit:
		f.Severity = Error
		f.Fix = "the loops close in another assembly than the robot's: leave out {assembly}, so that the measured joints decide, or correct the lengths in the robot file"
	case p.RMS > limit:
		f.Severity = Warning
		f.Fix = "check the zero of this joint and of the driven ones, the lengths in the robot file, and the way of closing ({assembly})"
	}
	return f
}
