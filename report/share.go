package report

import (
	"math"

	"ident/internal/digits"
	"ident/result"
)

// percentCell returns an error in per cent of the torque, of a joint or of all for -1, for a table that has N·m beside it: a dash
// where the torque is below three times its noise.
func percentCell(e *result.Errors, joint int) string {
	switch {
	case !e.Relates(joint):
		return digits.None
	case joint < 0:
		return digits.Percent(e.RelativeError.Stacked)
	}
	return digits.Percent(at(e.RelativeError.Joints, joint))
}

// errorWords returns an error for a sentence: in per cent, or in the unit where the torque is below three times its noise.
func errorWords(e *result.Errors, joint int, unit string) string {
	if e.Relates(joint) {
		return percentCell(e, joint) + " %"
	}
	rms := 0.0
	for k, v := range e.RMSE {
		if joint < 0 || k == joint {
			rms = math.Hypot(rms, v)
		}
	}
	return digits.Number(rms, 3) + " " + unit
}
