package result

import (
	"fmt"
	"math"
)

// Limits of the verdicts. DefaultLimits returns the usual ones.
type Limits struct {
	RelativeErrorPercent   float64 // stacked, on the training rows
	ValidationErrorPercent float64 // stacked, on the validation rows
	Generalisation         float64 // validation over training error
	ConditionScaled        float64
	WeakPercent            float64 // share of parameters whose relative deviation is above WeakSigmaPercent
	WeakSigmaPercent       float64
	GainPercent            float64 // deviation of a drive gain that counts as determined
	// Limits of advice.
	RunsExcess       float64 // distance of runs over that of their deviations
	Autocorrelation  float64 // of residuals, beyond that of the filter
	Kurtosis         float64 // of residuals, in excess of the normal distribution's
	LackOfFitPercent float64 // of residual power explained by terms beyond the model's
}

// DefaultLimits returns the limits that verdicts use unless told otherwise.
//
// A rigid model with Coulomb and viscous friction leaves 1 to 10 % on
// published robots; 20 % means that something is wrong with the model or with
// the log. Training and validation errors of an identified arm differ by less
// than a factor of two when the motion excites it. A scaled condition number
// of 10⁴ turns one part in 10⁴ of torque error into its own size. Where nine
// parameters in ten are not known to 30 %, the log did not excite the robot.
//
// Runs whose estimates are three times as far apart as they should be have nine
// tenths of their difference from other causes than noise. Where residuals are
// correlated by a half, or terms beyond the model explain a quarter of their power,
// improve the model first. Beyond an excess kurtosis of 3, that
// of two-sided exponential errors, a robust estimate is worth its passes.
func DefaultLimits() Limits {
	return Limits{RelativeErrorPercent: 20, ValidationErrorPercent: 25, Generalisation: 3, ConditionScaled: 1e4, WeakPercent: 90, WeakSigmaPercent: 30, GainPercent: gainPercent,
		RunsExcess: 3, Autocorrelation: 0.5, Kurtosis: 3, LackOfFitPercent: 25}
}

// Judge fills the verdicts from the other fields.
func (res *Result) Judge(l Limits) {
	res.Verdicts = nil
	add := func(id string, value, limit float64, why string) {
		res.Verdicts = append(res.Verdicts, Verdict{ID: id, Pass: value <= limit, Value: value, Limit: limit, Why: why})
	}
	add("torque-error", res.Fit.RelativeError.Stacked, l.RelativeErrorPercent,
		fmt.Sprintf("the model leaves %.2f %% of the training torques (%s)", res.Fit.RelativeError.Stacked, res.Processing.FilterText()))
	if v := res.Validation; v != nil {
		add("validation-error", v.RelativeError.Stacked, l.ValidationErrorPercent,
			fmt.Sprintf("the model leaves %.2f %% of torques that it has not seen", v.RelativeError.Stacked))
		if res.Fit.RelativeError.Stacked > 0 {
			ratio := v.RelativeError.Stacked / res.Fit.RelativeError.Stacked
			if v.RelativeError.Stacked < 1e-3 {
				ratio = 1 // both errors are rounding
			}
			add("generalisation", ratio, l.Generalisation,
				fmt.Sprintf("the error on unseen torques is %.2f times that on the training torques", ratio))
		}
	}
	add("condition-number", res.Condition.Scaled, l.ConditionScaled,
		fmt.Sprintf("condition number %.4g of the base regressor with unit columns", res.Condition.Scaled))
	if n := len(res.BaseParameters); n > 0 {
		weak := 0
		for _, p := range res.BaseParameters {
			if p.RelativeSigmaPercent > l.WeakSigmaPercent {
				weak++
			}
		}
		share := 100 * float64(weak) / float64(n)
		add("weak-parameters", share, l.WeakPercent,
			fmt.Sprintf("%d of %d base parameters have a relative deviation above %g %%", weak, n, l.WeakSigmaPercent))
	}
	res.judgeGains(l, add)
	res.advise(l)
	res.adviseBias()
	for i := range res.Verdicts {
		v := &res.Verdicts[i]
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			v.Value, v.Pass = math.MaxFloat64, false
		}
	}
}

// Failed tells whether some verdict is a fail; advice is none.
func (res *Result) Failed() bool {
	for _, v := range res.Verdicts {
		if !v.Pass && !v.Advice {
			return true
		}
	}
	return false
}

// FilterText states the filter that both sides of the equation went through.
func (p Processing) FilterText() string {
	switch {
	case p.Decimate > 1:
		return fmt.Sprintf("motion %g Hz, zero-phase FIR decimation by %d", p.MotionCutoffHz, p.Decimate)
	case p.CutoffHz > 0:
		return fmt.Sprintf("%g Hz zero-phase Butterworth of order %d on both sides", p.CutoffHz, p.FilterOrder)
	case p.MotionCutoffHz > 0:
		return fmt.Sprintf("motion %g Hz zero-phase Butterworth of order %d, torques unfiltered", p.MotionCutoffHz, p.FilterOrder)
	}
	return "no filter"
}
