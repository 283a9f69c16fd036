package report

import (
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
	rms := e.Size()
	if joint >= 0 {
		rms = at(e.RMSE, joint)
	}
	return digits.Number(rms, 3) + " " + unit
}

// leftOutWords returns an error on rows left out for a sentence, as errorWords returns that of the fit.
func leftOutWords(res *result.Result, percent float64) string {
	if v, in := res.Fit.OfTorque(percent, unit(res, 0)); in != "%" {
		return digits.Number(v, 3) + " " + in
	}
	return digits.Percent(percent) + " %"
}

// sideError returns the training error of a side of a comparison for a sentence.
func sideError(s *result.ComparedSide) string {
	if s.FitUnit != "" {
		return digits.Number(s.FitRMSE, 3) + " " + s.FitUnit
	}
	return digits.Percent(s.Fit.Stacked) + " %"
}

// trainingError returns the error of a side on its training motion in %, or with its unit; "" for a robot file.
func trainingError(s *result.ComparedSide) string {
	switch {
	case s.Fit == nil:
		return ""
	case s.FitUnit != "":
		return sideError(s)
	}
	return digits.Percent(s.Fit.Stacked)
}

// validationError returns the error of a side on its validation logs in %, [digits.None] without any.
func validationError(s *result.ComparedSide) string {
	if s.Held == nil {
		return digits.None
	}
	return digits.Percent(s.Held.Stacked)
}
