package result

import (
	"strings"
	"testing"

	"ident/estimate"
)

// Of torques below three times their noise no verdict, gate or comparison has an error in per cent; the same result above its noise has per cents in all
// of these places.
func TestErrorsBelowNoise(t *testing.T) {
	for _, below := range []bool{false, true} {
		res := &Result{Joints: []string{"a", "b"}, JointUnits: []string{"N·m", "N·m"}, Validation: &Validation{}, Diagnosis: &estimate.Diagnosis{CrossValidation: &estimate.CrossValidation{By: "stretch", Percent: 60, Inside: 50}}}
		for _, e := range []*Errors{&res.Fit, &res.Validation.Errors} {
			*e = errorsOf(50, []float64{50, 50}, []float64{3, 4})
			if below {
				e.BelowNoise = []bool{true, true}
			}
		}
		res.Judge(DefaultLimits())
		for _, v := range res.Verdicts {
			if below && (v.Makes == Unusable || v.ID == "generalisation") {
				t.Errorf("noise refutes a model: %+v", v)
			}
			switch v.ID {
			case "torque-error", "validation-error", "cross-validation":
				if strings.Contains(v.Why, "%") == below {
					t.Errorf("%s, below %t: %s", v.ID, below, v.Why)
				}
			}
			if v.ID == "cross-validation" && below && !strings.Contains(v.Why, "predicted to 6 N·m, where the fit leaves 5 N·m") {
				t.Error(v.Why)
			}
		}
		side := (&Side{Result: res}).describe(&Side{Result: res})
		if (side.FitUnit == "N·m" && side.FitRMSE == 5) != below {
			t.Errorf("below %t: %+v", below, side)
		}
		for _, validated := range []bool{true, false} {
			for _, name := range []string{GateError, GateTraining, GateJoint + "a"} {
				var g Gate
				r := *res
				if !validated {
					r.Validation = nil
				}
				if _, _, missing := r.required(name, &g); (missing != "") != below || below && !strings.Contains(missing, " N·m") {
					t.Errorf("%s, below %t, validated %t: %q", name, below, validated, missing)
				}
			}
		}
	}
}
