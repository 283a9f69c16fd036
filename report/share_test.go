package report

import (
	"strings"
	"testing"

	"ident/estimate"
	"ident/result"
)

// An error of a torque below three times its noise is printed in its unit.
func TestNoPercentBelowTheNoise(t *testing.T) {
	res := &result.Result{Joints: []string{"upper", "wrist"}, JointUnits: []string{"N·m", "N·m"},
		Fit: result.Errors{RelativeError: result.Relative{Stacked: 3.21, Joints: []float64{3.21, 87.6}}, RelativeErrorRaw: result.Relative{Stacked: 4.3, Joints: []float64{4.3, 95.4}},
			RMSE: []float64{0.5, 0.0432}, RMSERaw: []float64{0.6, 0.1}, MaxAbs: []float64{1, 0.1}, Bias: []float64{0, 0}, BelowNoise: []bool{false, true}}}
	if got := errorWords(&res.Fit, 1, "N·m"); got != "0.0432 N·m" {
		t.Error(got)
	}
	page := *newTextPage(0)
	page.errors(res)
	page.summaryJoints(res)
	if text := page.buf.String(); strings.Contains(text, "87.6") || strings.Contains(text, "95.4") || !strings.Contains(text, "3.21") || !strings.Contains(text, "0.0432") {
		t.Error(text)
	}
	res.Fit.BelowNoise[0] = true
	res.Diagnosis = &estimate.Diagnosis{CrossValidation: &estimate.CrossValidation{By: "stretch", Percent: 45, Inside: 40, Folds: []estimate.Fold{{Run: -1, Percent: 47}}}}
	res.Selection = []result.Decision{{Decision: "terms", Chosen: "a", Candidates: []result.Candidate{{Choice: "a", Figure: result.CrossValidated, Percent: 45}}}}
	page = *newTextPage(0)
	page.selection(res)
	for _, got := range []string{summaryErrors(res), headlines(res)[0].Value, strings.Join(newDiagnosis(res).Lines, ""), page.buf.String(), choices(res)[0].Candidates[0].Percent,
		sideError(&result.ComparedSide{Fit: &res.Fit.RelativeError, FitRMSE: 2, FitUnit: "N·m"})} {
		if strings.Contains(got, "%") || !strings.Contains(got, "N·m") {
			t.Error(got)
		}
	}
}
