package result

import (
	"math"
	"testing"
)

func TestVerdicts(t *testing.T) {
	limits := Limits{RelativeErrorPercent: 20, ValidationErrorPercent: 25, Generalisation: 3, ConditionScaled: 1e4, WeakPercent: 75, WeakSigmaPercent: 30}
	good := func() *Result {
		res := &Result{Condition: Condition{Scaled: 50}, Validation: &Validation{}}
		res.Fit.RelativeError.Stacked = 3
		res.Validation.RelativeError.Stacked = 4
		for range 10 {
			res.BaseParameters = append(res.BaseParameters, BaseParameter{RelativeSigmaPercent: 1})
		}
		return res
	}
	for _, c := range []struct {
		name   string
		change func(*Result)
		fails  string // the verdict, "" for none
	}{
		{"good", func(*Result) {}, ""},
		{"no validation", func(r *Result) { r.Validation = nil }, ""},
		{"at the limit", func(r *Result) { r.Fit.RelativeError.Stacked = 20 }, ""},
		{"wrong model", func(r *Result) { r.Fit.RelativeError.Stacked = 20.1 }, "torque-error"},
		{"wrong elsewhere", func(r *Result) { r.Fit.RelativeError.Stacked = 19; r.Validation.RelativeError.Stacked = 26 }, "validation-error"},
		{"learned by heart", func(r *Result) { r.Fit.RelativeError.Stacked = 1 }, "generalisation"},
		{"both rounding", func(r *Result) { r.Fit.RelativeError.Stacked = 1e-12; r.Validation.RelativeError.Stacked = 1e-9 }, ""},
		{"poorly excited", func(r *Result) { r.Condition.Scaled = 2e4 }, "condition-number"},
		{"not determined", func(r *Result) { r.Condition.Scaled = math.Inf(1) }, "condition-number"},
		{"NaN", func(r *Result) { r.Condition.Scaled = math.NaN() }, "condition-number"},
		{"weak", func(r *Result) {
			for i := range 8 {
				r.BaseParameters[i].RelativeSigmaPercent = 31
			}
		}, "weak-parameters"},
	} {
		res := good()
		c.change(res)
		res.Judge(limits)
		if res.Failed() != (c.fails != "") {
			t.Errorf("%s: failed %v", c.name, res.Failed())
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
		"8 Hz zero-phase Butterworth of order 4 on both sides":              {CutoffHz: 8, MotionCutoffHz: 8, FilterOrder: 4},
		"motion 8 Hz zero-phase Butterworth of order 4, torques unfiltered": {MotionCutoffHz: 8, FilterOrder: 4},
		"motion 100 Hz, zero-phase FIR decimation by 100":                   {MotionCutoffHz: 100, FilterOrder: 4, Decimate: 100},
	} {
		if got := p.FilterText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
