package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits of the verdicts. DefaultLimits returns the usual ones.
type Limits struct {
	RelativeErrorPercent   float64 // largest error of all joints together on the training rows
	ValidationErrorPercent float64 // largest error of all joints together on the validation rows
	Generalisation         float64 // largest ratio of the validation error to the training error
	ConditionScaled        float64
	WeakPercent            float64 // share of weak parameters: σ exceeds WeakSigmaPercent of the value and a fraction of the link's largest parameter
	UnexcitedPercent       float64 // like WeakPercent; above this share torques are unusable, if the error on other motions is not known
	WeakSigmaPercent       float64
	GainPercent            float64 // largest relative standard deviation of a drive gain that counts as determined
	JointErrorPercent      float64 // error of one joint, if that error is also more than one of the two parts below
	JointRatedPart         float64 // error of a joint as a part of the rated torque of its drive
	JointTorquePart        float64 // error of a joint as a part of the largest joint's torque, where no rating is known
	CrossValidationPercent float64 // largest error of all joints together on the runs left out (or parts, if there is one run)
	ExpectedPercent        float64 // largest error of all joints together expected on other motions from the standard deviations alone
	UnusableFactor         float64 // a gain, joint, cross-validation or expected error beyond this many times its limit makes a result unusable
	DriveDeviations        float64 // how many standard deviations below zero a drive parameter may be
	TurnedPercent          float64 // share of joints whose friction delivers power instead of taking it
	MotionBias             float64 // bias of a parameter by the noise of the motion, in standard deviations
	ModelShift             float64 // shift of a parameter by errors of the model, in standard deviations
	// Limits of advice.
	RunsExcess       float64 // distance between runs over the distance that their standard deviations explain
	RunsRatio        float64 // error on runs left out, divided by the error on the runs of the fit; above it, that distance does harm
	Autocorrelation  float64 // autocorrelation of residuals that the filter does not explain
	Kurtosis         float64 // excess kurtosis of residuals
	LackOfFitPercent float64 // share of residual power that terms outside the model explain
}

// DefaultLimits returns the limits that verdicts use unless told otherwise.
//
// A rigid model with Coulomb and viscous friction leaves 1 to 10 % on
// published robots; 20 % means that something is wrong with the model or with
// the log. Training and validation errors of an identified arm differ by less
// than a factor of two when the motion excites it. A scaled condition number
// of 10⁴ turns one part in 10⁴ of torque error into its own size. Where more than half
// of the parameters are not known, the parameters are doubtful; where nine in ten are not, the log did not excite the robot.
//
// Runs whose estimates are three times as far apart as they should be have nine
// tenths of their difference from other causes than noise. Sound measured runs (three of a KUKA, thirteen of a UR10e in four sets) are at
// most 1.54 times as far apart, and predicted with at most 1.15 times the error of the fit when left out; stretches of one measured log with at most
// 1.25 times. Runs farther apart by both limits do harm: a zero of one joint moved by 40 mrad in one of two runs has 12 and 2.8. Where residuals are
// correlated by a half, or terms beyond the model explain a quarter of their power,
// improve the model first. Beyond an excess kurtosis of 3, that
// of two-sided exponential errors, a robust estimate is worth its passes.
//
// A joint's 30 % counts from 1 % of its drive's rated torque on, which is the accuracy of current and torque
// sensors of arms, or from 2 % of the largest torque. On runs left out, 10 % is twice the error of a fair
// model; on published logs the error of other motions was 2 to 5 times the one expected from standard deviations
// alone, so an expected 10 % means that torques elsewhere may be half wrong. 2.5 times either is no model
// any more. A drive parameter is below zero beyond chance at 5 standard deviations: some dozens are looked at, and
// standard deviations are themselves known to a factor of two where residuals are the model's.
//
// A shift by errors of the model beyond two standard deviations makes more than half of the widened interval.
//
// A bias of half a standard deviation lowers the coverage of a 95 % interval to 92 %, of one standard deviation to 83
// %.
func DefaultLimits() Limits {
	return Limits{MotionBias: 0.5, ModelShift: 2, JointErrorPercent: 30, JointRatedPart: 0.01, JointTorquePart: 0.02, CrossValidationPercent: 10, ExpectedPercent: 10, UnusableFactor: 2.5,
		DriveDeviations: 5, TurnedPercent: 50,
		RelativeErrorPercent: 20, ValidationErrorPercent: 25, Generalisation: 3, ConditionScaled: 1e4, WeakPercent: 50, UnexcitedPercent: 90, WeakSigmaPercent: 30, GainPercent: gainPercent,
		RunsExcess: 3, RunsRatio: 1.25, Autocorrelation: 0.5, Kurtosis: 3, LackOfFitPercent: 25}
}

// Judge fills in the verdicts and the resulting grade, from the contents of the result and the limits.
func (res *Result) Judge(l Limits) {
	res.Verdicts = nil
	add := func(id string, value, limit float64, why string) *Verdict {
		res.Verdicts = append(res.Verdicts, Verdict{ID: id, Pass: value <= limit, Value: value, Limit: limit, Why: why, Makes: Unusable})
		return &res.Verdicts[len(res.Verdicts)-1]
	}
	left, fix := fmt.Sprintf("the model leaves %.2f %% of the training torques (%s)", res.Fit.RelativeError.Stacked, res.Processing.FilterText()), "look at the check of the logs: channels, signs, units and the robot file"
	if !res.Fit.Relates(-1) {
		left, fix = fmt.Sprintf("the training torques are below three times their noise (%s)", res.Processing.FilterText()), lessNoise
	}
	v := add("torque-error", res.Fit.RelativeError.Stacked, l.RelativeErrorPercent, left)
	v.Makes, v.Fix = res.Fit.levelBelowNoise(), fix
	res.judgeValidation(l, add)
	why := fmt.Sprintf("condition number %.4g of the base regressor with unit columns", res.Condition.Scaled)
	if res.Condition.Scaled >= math.MaxFloat64 {
		why = "the base regressor is singular on these rows: they do not tell all parameters apart"
	}
	v = add("condition-number", res.Condition.Scaled, l.ConditionScaled, why)
	v.Makes, v.Fix = res.poorlyExcited(), "record a motion designed for excitation"
	res.judgeExpected(l, add)
	res.judgeWeak(l, add)
	res.judgeJoints(l, add)
	res.judgeDrives(l, add)
	res.judgePossibility(add)
	res.judgeMotion(l, add)
	res.judgePair(l, add)
	res.judgeModel(l, add)
	res.judgeGains(l, add)
	res.judgeKnown(add)
	res.Commanded.judge(res.Joints, res.BaseParameters, add)
	res.advise(l)
	res.adviseBias()
	for i := range res.Verdicts {
		v := &res.Verdicts[i]
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			v.Value, v.Pass = math.MaxFloat64, false
		}
		if v.Pass {
			v.Makes, v.Fix = "", ""
		}
	}
	res.gradeJoints(l)
	res.Grade = GradeOf(res.Verdicts, res.Findings)
	res.Grade.Bodies = res.gradeBodies()
}

// judgeValidation judges the errors on torques outside the training.
func (res *Result) judgeValidation(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	if c := res.crossValidation(); c != nil {
		percent := unseenPercent(c)
		v := add("cross-validation", percent, l.CrossValidationPercent, res.crossValidationText(c))
		v.Fix = "more runs, of other motions; " + res.ofBodies() + "; fewer {terms}"
		if percent <= l.UnusableFactor*l.CrossValidationPercent || !res.Fit.Relates(-1) {
			v.Makes = Doubtful
		}
	}
	unseen := res.Validation
	if unseen == nil {
		return
	}
	torques, other := "torques that it has not seen", "unseen torques"
	switch {
	case len(unseen.Trained) == 0:
	case len(unseen.Trained) == len(unseen.Runs):
		torques, other = "torques that trained it", "these torques, which trained the model,"
	default:
		torques, other = "torques of which a part trained it", "these torques, of which a part trained the model,"
	}
	left, fix := fmt.Sprintf("the model leaves %.2f %% of %s", unseen.RelativeError.Stacked, torques), "train on motions like those of the validation"
	if !unseen.Relates(-1) {
		left, fix = torques+" are below three times their noise", lessNoise
	}
	v := add("validation-error", unseen.RelativeError.Stacked, l.ValidationErrorPercent, left)
	v.Makes, v.Fix = unseen.levelBelowNoise(), fix
	if res.Fit.RelativeError.Stacked <= 0 || !unseen.Relates(-1) || !res.Fit.Relates(-1) { // noise over noise
		return
	}
	ratio := unseen.RelativeError.Stacked / res.Fit.RelativeError.Stacked
	if unseen.RelativeError.Stacked < 1e-3 {
		ratio = 1 // both errors are rounding
	}
	v = add("generalisation", ratio, l.Generalisation,
		fmt.Sprintf("the error on %s is %.2f times that on the training torques", other, ratio))
	v.Makes, v.Fix = Doubtful, "more runs, of other motions; "+res.ofBodies()
	v.Pass = v.Pass || unseen.RelativeError.Stacked < fairPercent
}

// levelBelowNoise returns the level that a large error leaves: torques below three times their noise refute no model.
func (e *Errors) levelBelowNoise() Level {
	if e.Relates(-1) {
		return Unusable
	}
	return Doubtful
}

// lessNoise is the experiment that helps if torques are below three times their noise.
const lessNoise = "a motion with larger torques, torques with less noise, or a lower {cutoff}"

// ofBodies names the setting that lets less of the bodies be estimated.
func (res *Result) ofBodies() string {
	if res.Commanded != nil { // feasible bodies are not for a fit without torques
		return "{bodies} file"
	}
	return "{physically-consistent}"
}

// fairPercent is a good error on unseen torques however small the training error is: a hundredth of a torque is within
// the calibration of its sensor.
const fairPercent = 1.0

// judgeExpected judges the error on other motions due to the standard deviations alone. These are the unconstrained
// estimate's: a consistent estimate is more certain and is judged by cross-validation.
func (res *Result) judgeExpected(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	if res.Expected == nil || res.Consistency != nil {
		return
	}
	e := res.Expected.Stacked
	v := add("expected-error", e, l.ExpectedPercent,
		fmt.Sprintf("on other motions as fast as the training motion, the standard deviations of the parameters alone are %.3g %% of the torques", e))
	v.Fix = "record a motion designed for excitation, or {physically-consistent} with the robot file as prior"
	if e <= l.UnusableFactor*l.ExpectedPercent {
		v.Makes = Doubtful
	}
}

// DoubtKnown records known values, in words, that are far from what the robot file says, and those that the log refutes, for Judge.
func (res *Result) DoubtKnown(file, log []string) { res.doubted, res.refuted = file, log }

// DoubtBounds records what was given of the bodies, in words, that the log refutes, for Judge.
func (res *Result) DoubtBounds(given []string) { res.bounded = given }

// givenFix is what to do about values that are taken as known and refuted by the log.
const givenFix = "check what is given of the bodies (masses with all that is fixed to the link), or leave it out"

// judgeKnown doubts the parameters where known values and the robot file cannot both be right, and the result where the log refutes
// known values: all else that is wrong counts as their consequence.
func (res *Result) judgeKnown(add func(id string, value, limit float64, why string) *Verdict) {
	all := slices.Concat(res.refuted, res.bounded, res.doubted)
	if len(all) == 0 {
		return
	}
	makes := Doubtful
	for _, v := range res.Verdicts {
		if len(res.refuted)+len(res.bounded) > 0 && !v.Pass && v.Makes.rank() > makes.rank() {
			makes = v.Makes
		}
	}
	v := add("known-values", float64(len(all)), 0, "taken as known: "+strings.Join(all, "; "))
	v.Makes, v.Fix = makes, "check the value, and the body in the robot file"
	switch {
	case len(res.doubted) > 0:
	case len(res.refuted) == 0:
		v.Fix = givenFix
	default:
		v.Fix = "check the value, and the gains if torques are currents; or leave {known} out"
	}
}

// judgeWeak counts the parameters that the data do not determine.
func (res *Result) judgeWeak(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	n := len(res.BaseParameters)
	if n == 0 {
		return
	}
	weak := 0
	for _, open := range res.undetermined(l.WeakSigmaPercent) {
		if open {
			weak++
		}
	}
	v := add("weak-parameters", 100*float64(weak)/float64(n), l.WeakPercent,
		fmt.Sprintf("%d of %d base parameters are not known: neither to %g %% of their value nor to %g %% of the largest of their link", weak, n, l.WeakSigmaPercent, 100*linkPart))
	v.Makes, v.Fix = Doubtful, "record a motion designed for excitation"
	if v.Value > l.UnexcitedPercent {
		v.Makes = res.poorlyExcited()
	}
}

// poorlyExcited returns the level of a result whose data determine little. The expected error decides whether that
// affects torques; without it, or if the torques are below three times their noise, the result is unusable.
func (res *Result) poorlyExcited() Level {
	if res.Expected == nil || !res.Fit.Relates(-1) {
		return Unusable
	}
	return Doubtful
}

// Failed reports whether the result is unusable, or does not pass one of its gates.
func (res *Result) Failed() bool {
	return res.Grade.Value == Unusable || len(FailedGates(res.Gates)) > 0
}

// FilterText describes the filter of both sides of the equation.
func (p Processing) FilterText() string {
	switch {
	case p.Decimate > 1:
		return fmt.Sprintf("motion %.4g Hz, zero-phase FIR decimation by %d", p.MotionCutoff, p.Decimate)
	case p.Cutoff > 0:
		s := fmt.Sprintf("%.4g Hz zero-phase Butterworth of order %d on torques and model alike", p.Cutoff, p.Order)
		if p.MotionOrder > 0 {
			s += fmt.Sprintf(", motion %.4g Hz of order %d", p.MotionCutoff, p.MotionOrder)
		}
		return s
	case p.MotionCutoff > 0:
		return fmt.Sprintf("motion %.4g Hz zero-phase Butterworth of order %d, torques unfiltered", p.MotionCutoff, p.Order)
	}
	return "no filter"
}
