package result

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ident/estimate"
	"ident/observation"
)

func TestVerdicts(t *testing.T) {
	limits := DefaultLimits()
	limits.WeakPercent, limits.UnexcitedPercent = 75, 75
	good := func() *Result {
		res := &Result{Condition: Condition{Scaled: 50}, Validation: &Validation{}}
		res.Fit.RelativeError.Stacked = 3
		res.Validation.RelativeError.Stacked = 4
		for range 10 {
			res.BaseParameters = append(res.BaseParameters, BaseParameter{Value: 1, Sigma: 0.01, RelativeSigmaPercent: 1})
		}
		return res
	}
	for _, c := range []struct {
		name   string
		change func(*Result)
		fails  string // the verdict, "" for none
		makes  Level
	}{
		{"good", func(*Result) {}, "", Sound},
		{"no validation", func(r *Result) { r.Validation = nil }, "", Sound},
		{"at the limit", func(r *Result) { r.Fit.RelativeError.Stacked = 20 }, "", Sound},
		{"wrong model", func(r *Result) { r.Fit.RelativeError.Stacked = 20.1 }, "torque-error", Unusable},
		{"wrong elsewhere", func(r *Result) { r.Fit.RelativeError.Stacked = 19; r.Validation.RelativeError.Stacked = 26 }, "validation-error", Unusable},
		{"learned by heart", func(r *Result) { r.Fit.RelativeError.Stacked = 1 }, "generalisation", Doubtful},
		{"both rounding", func(r *Result) { r.Fit.RelativeError.Stacked = 1e-12; r.Validation.RelativeError.Stacked = 1e-9 }, "", Sound},
		{"poorly excited", func(r *Result) { r.Condition.Scaled = 2e4 }, "condition-number", Unusable},
		{"not determined", func(r *Result) { r.Condition.Scaled = math.Inf(1) }, "condition-number", Unusable},
		{"NaN", func(r *Result) { r.Condition.Scaled = math.NaN() }, "condition-number", Unusable},
		{"weak", func(r *Result) {
			for i := range 8 {
				r.BaseParameters[i].Sigma, r.BaseParameters[i].RelativeSigmaPercent = 0.31, 31
			}
		}, "weak-parameters", Unusable},
		{"weak, of little consequence", func(r *Result) {
			r.Expected = &Relative{Stacked: 2}
			for i := range 8 {
				r.BaseParameters[i].Sigma, r.BaseParameters[i].RelativeSigmaPercent = 0.31, 31
			}
		}, "weak-parameters", Doubtful},
		{"small ones weak", func(r *Result) {
			for i := range 8 {
				r.BaseParameters[i].Value, r.BaseParameters[i].Sigma, r.BaseParameters[i].RelativeSigmaPercent = 0.1, 0.09, 90
			}
		}, "", Sound},
		{"biased by noise", func(r *Result) {
			r.MotionNoise = &MotionNoise{Bias: []float64{0.1, -0.9}, BiasError: []float64{0, 0.2}}
		}, "motion-noise", Doubtful},
		{"biased by one realization of noise", func(r *Result) {
			r.MotionNoise = &MotionNoise{Bias: []float64{0.1, -0.9}, BiasError: []float64{0, 0.4}}
		}, "", Sound},
		{"uncertain elsewhere", func(r *Result) { r.Expected = &Relative{Stacked: 12} }, "expected-error", Doubtful},
		{"unknown elsewhere", func(r *Result) { r.Expected = &Relative{Stacked: 30} }, "expected-error", Unusable},
		{"stretches differ", func(r *Result) { r.Diagnosis = crossValidated(12) }, "cross-validation", Doubtful},
		{"stretches contradict", func(r *Result) { r.Diagnosis = crossValidated(40) }, "cross-validation", Unusable},
		{"one joint", func(r *Result) {
			r.Validation.Errors = errorsOf(4, []float64{3, 60}, []float64{1, 0.9})
		}, "joint-error", Doubtful},
		{"an error beyond a rating, in torques below their noise", func(r *Result) {
			r.RatedTorque = []float64{50, 50}
			r.Validation.RMSE, r.Validation.BelowNoise, r.Validation.RelativeError.Joints = []float64{1, 60}, []bool{false, true}, []float64{4, 900}
		}, "joint-error", Doubtful},
		{"a rating that the torques themselves exceed", func(r *Result) {
			r.RatedTorque = []float64{1, 1}
			r.Validation.RMSE, r.Validation.RelativeError.Joints = []float64{1.2, 1.3}, []float64{4, 5}
		}, "", Sound},
		{"one joint, small beside its drive", func(r *Result) {
			r.RatedTorque = []float64{100, 100}
			r.Validation.Errors = errorsOf(4, []float64{3, 60}, []float64{1, 0.9})
		}, "", Sound},
		{"runs contradict", func(r *Result) { r.Diagnosis = crossValidated(5); r.Diagnosis.Runs = apart(7) }, "runs-agree", Doubtful},
		{"runs differ by chance", func(r *Result) { r.Diagnosis = crossValidated(5); r.Diagnosis.Runs = apart(2) }, "", Sound},
		{"impossible", func(r *Result) { r.Possibility = &PossibleReport{DistanceSigma: 6, Impossible: []string{"forearm"}} }, "impossible", Doubtful},
		{"impossible, though feasible bodies were taken", func(r *Result) {
			r.Consistency = &Consistency{}
			r.Possibility = &PossibleReport{DistanceSigma: 6, Impossible: []string{"forearm"}}
		}, "impossible", Doubtful},
		{"impossible by chance", func(r *Result) { r.Possibility = &PossibleReport{DistanceSigma: 4} }, "", Sound},
		{"friction gives power", func(r *Result) { r.DriveParameters = drives(-8, 40, 30) }, "friction-sign", Doubtful},
	} {
		res := good()
		c.change(res)
		res.Judge(limits)
		if res.Failed() != (c.makes == Unusable) || res.Grade.Value != c.makes {
			t.Errorf("%s: failed %v, grade %+v", c.name, res.Failed(), res.Grade)
		}
		if named := len(res.Grade.Reasons) == 1 && res.Grade.Reasons[0].ID == c.fails; named != (c.fails != "") {
			t.Errorf("%s: reasons %+v", c.name, res.Grade.Reasons)
		}
		seen := map[string]bool{}
		for _, v := range res.Verdicts {
			if seen[v.ID] {
				t.Errorf("%s: %s twice", c.name, v.ID)
			}
			seen[v.ID] = true
			if v.Pass == (v.ID == c.fails) || v.Why == "" || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				t.Errorf("%s: %+v", c.name, v)
			}
		}
		if want := res.Validation != nil; seen["validation-error"] != want || seen["generalisation"] != want || !seen["torque-error"] {
			t.Errorf("%s: verdicts %v", c.name, seen)
		}
		// Judging again replaces.
		n := len(res.Verdicts)
		if res.Judge(limits); len(res.Verdicts) != n {
			t.Errorf("%s: %d verdicts, then %d", c.name, n, len(res.Verdicts))
		}
	}
}

func TestFilterText(t *testing.T) {
	for want, p := range map[string]Processing{
		"no filter": {},
		"8 Hz zero-phase Butterworth of order 4 on torques and model alike":  {Path: observation.Path{Cutoff: 8, MotionCutoff: 8, Order: 4}},
		"motion 8 Hz zero-phase Butterworth of order 4, torques unfiltered":  {Path: observation.Path{MotionCutoff: 8, Order: 4}},
		"10 Hz zero-phase Butterworth of order 2 on torques and model alike": {Path: observation.Path{Cutoff: 9.999939509700575, MotionCutoff: 9.999939509700575, Order: 2}},
		"motion 100 Hz, zero-phase FIR decimation by 100":                    {Path: observation.Path{MotionCutoff: 100, Order: 4, Decimate: 100}},
	} {
		if got := p.FilterText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func crossValidated(percent float64) *estimate.Diagnosis {
	return &estimate.Diagnosis{CrossValidation: &estimate.CrossValidation{By: "run", Percent: percent, Inside: 2}}
}

// Runs that contradict one another without harm to what is predicted are advice: a good error on runs left out, and one that is that of the
// fit.
func TestRunsContradictWithoutHarm(t *testing.T) {
	for _, c := range []struct{ left, inside float64 }{{0.9, 0.3}, {2.3, 2}} {
		res := &Result{Condition: Condition{Scaled: 50}, Diagnosis: crossValidated(c.left)}
		res.Fit.RelativeError.Stacked, res.Diagnosis.CrossValidation.Inside, res.Diagnosis.Runs = c.inside, c.inside, apart(7)
		if res.Judge(DefaultLimits()); res.Grade.Value != Sound {
			t.Errorf("%g %% on runs left out: %+v", c.left, res.Grade)
		}
	}
}

// apart is a test of two runs whose estimates are so many times as far apart as they should be.
func apart(excess float64) *estimate.RunsTest { return &estimate.RunsTest{Runs: 2, Excess: excess} }

func errorsOf(stacked float64, joints, rmse []float64) Errors {
	return Errors{RelativeError: Relative{Stacked: stacked, Joints: joints}, RMSE: rmse}
}

// drives are the viscous frictions of some joints, in deviations.
func drives(deviations ...float64) []DriveParameter {
	var out []DriveParameter
	for k, d := range deviations {
		out = append(out, DriveParameter{Name: fmt.Sprintf("Fv%d", k+1), Joint: fmt.Sprintf("joint %d", k+1), Friction: true, Deviations: d})
	}
	return out
}

// Torques with the sign of the load turn the friction of all joints: that is no matter of one of them.
func TestTurnedTorques(t *testing.T) {
	res := &Result{DriveParameters: drives(-90, -40, -8, 2)}
	res.Judge(DefaultLimits())
	if g := res.Grade; g.Value != Unusable || g.Reasons[0].ID != "sign" {
		t.Errorf("%+v", g)
	}
}

// Findings of the logs reach the grade: errors and the warnings that bear on parameters, one reason a kind.
func TestFindingsInGrade(t *testing.T) {
	g := GradeOf(nil, []Finding{{ID: "offset", Severity: "warning", Joint: "a", Why: "zero"}, {ID: "offset", Severity: "warning", Joint: "b", Why: "zero"},
		{ID: "dropout", Severity: "warning"}, {ID: "gravity", Severity: "info"}})
	if g.Value != Doubtful || len(g.Reasons) != 1 || g.Reasons[0].Why != "zero (the same on b)" {
		t.Errorf("%+v", g)
	}
	g = GradeOf([]Verdict{{ID: "impossible", Makes: Doubtful}}, []Finding{{ID: "units", Severity: "error", Why: "degrees"}})
	if g.Value != Unusable || g.Reasons[0].ID != "units" || g.Reasons[1].ID != "impossible" {
		t.Errorf("%+v", g)
	}
	// A law that is not the log's comes first: other reasons follow from it.
	g = GradeOf([]Verdict{{ID: "training-error", Makes: Unusable}, {ID: "controller", Makes: Doubtful}}, nil)
	if g.Value != Unusable || g.Reasons[0].ID != "controller" || g.Reasons[0].Makes != Unusable {
		t.Errorf("%+v", g)
	}
	if g := GradeOf([]Verdict{{ID: "drift", Advice: true}}, nil); g.Value != Sound || g.Reasons == nil {
		t.Errorf("%+v", g)
	}
}

// A validation on rows that trained the result never says that they were not seen.
func TestTrainingRowsAreNoValidation(t *testing.T) {
	for _, c := range []struct {
		trained []string
		want    string
	}{{nil, "motion not seen"}, {[]string{"a"}, "motion of which a part trained the result"}, {[]string{"a", "b"}, "motion that trained the result"}} {
		res := &Result{Condition: Condition{Scaled: 50}, Validation: &Validation{Runs: []ValidationRun{{Log: "a"}, {Log: "b"}}, Trained: c.trained}}
		res.Fit.RelativeError.Stacked, res.Validation.RelativeError.Stacked = 3, 4
		res.Judge(DefaultLimits())
		res.AcceptTorques([]Requirement{{Name: GateError, High: 5}})
		if got := res.Validation.Motion(); got != c.want {
			t.Errorf("%v: %s, want %s", c.trained, got, c.want)
		}
		text := res.Gates[0].Why
		for _, v := range res.Verdicts {
			text += "\n" + v.Why
		}
		if said := regexp.MustCompile(`not seen|unseen`).MatchString(text); said != (c.trained == nil) {
			t.Errorf("trained by %v: %s", c.trained, text)
		}
	}
}

// An error of the model that intervals are widened for is a remark and makes no grade.
func TestModelErrorIsARemark(t *testing.T) {
	res := &Result{Condition: Condition{Scaled: 50}, ModelErrors: &ModelErrors{Shift: []float64{5}, Causes: []ModelError{{Cause: FrictionError, P: 1e-9, ShiftSigma: 5, Parameter: "ZZ1"}}}}
	res.Fit.RelativeError.Stacked = 3
	res.Judge(DefaultLimits())
	i := slices.IndexFunc(res.Verdicts, func(v Verdict) bool { return v.ID == "model-error" })
	if v := res.Verdicts[i]; v.Pass || !v.Advice || res.Grade.Value != Sound || !strings.Contains(v.Why, "friction") {
		t.Errorf("%+v, graded %s", v, res.Grade.Value)
	}
}

// A payload below zero is one that the other runs carry; a drive's parameter below zero is none.
func TestPayloadOfTheOtherRuns(t *testing.T) {
	res := &Result{DriveParameters: append(drives(9, 4), DriveParameter{Name: "PM6", Joint: "wrist", Deviations: -300}),
		Payloads: []Payload{{Link: "flange", Parameters: []PayloadParameter{{Name: "PM6", Value: -2}}}}}
	res.Judge(DefaultLimits())
	if g := res.Grade; len(g.Reasons) == 0 || !strings.Contains(g.Reasons[0].Why, "the payload of flange has -2 kg") || g.Reasons[0].Fix != "give {carries} the other runs" {
		t.Errorf("%+v", g)
	}
	res.Payloads = nil
	res.Judge(DefaultLimits())
	if g := res.Grade; len(g.Reasons) == 0 || !strings.Contains(g.Reasons[0].Why, "which no drive has") {
		t.Errorf("%+v", g)
	}
}
