package result

import (
	"os"
	"strings"
	"testing"

	"ident/estimate"
)

// The topic "verdicts" of the program explains every verdict, with its kind.
func TestVerdictTable(t *testing.T) {
	text, err := os.ReadFile("../cmd/ident/internal/help/topics/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	res := &Result{Validation: &Validation{}, BaseParameters: []BaseParameter{{Name: "Fv1", Joint: "a", Value: 2}}, Expected: &Relative{}, Possibility: &PossibleReport{},
		Commanded: &Commanded{Controller: "pd kp=1 kd=?", ExplainedPercent: []float64{0}, Parameters: []LawParameter{{Name: "kd1", Joint: "a", Value: 1}}}, Joints: []string{"a"},
		DriveParameters: drives(3), ModelErrors: &ModelErrors{Causes: []ModelError{{}}}, MotionPair: &MotionPair{}, Diagnosis: &estimate.Diagnosis{
			Residuals: []estimate.ResidualTest{{}}, Runs: &estimate.RunsTest{}, CrossValidation: &estimate.CrossValidation{Inside: 1}, Terms: []estimate.TermTest{{}}}}
	res.Fit.RelativeError.Stacked = 1
	res.Judge(DefaultLimits())
	if len(res.Verdicts) != 20 {
		t.Errorf("%d verdicts", len(res.Verdicts))
	}
	for _, v := range res.Verdicts {
		kind := "(verdict)"
		if v.Advice {
			kind = "(advice"
		}
		found := false
		for line := range strings.SplitSeq(string(text), "\n") {
			found = found || strings.HasPrefix(line, v.ID+": ") && strings.Contains(line, kind)
		}
		if !found {
			t.Errorf("%s is not explained as %s", v.ID, kind)
		}
	}
}

// Advice that does not hold is no failure.
func TestAdvice(t *testing.T) {
	res := &Result{Joints: []string{"a", "b"}, Diagnosis: &estimate.Diagnosis{Residuals: []estimate.ResidualTest{{}, {Largest: 0.9, Kurtosis: 40}},
		Terms: []estimate.TermTest{{}, {Friction: estimate.Explained{Percent: 60, P: 1e-9}, Drift: estimate.Explained{Percent: 60, P: 0.2}}},
		Runs:  &estimate.RunsTest{Runs: 2, Excess: 9, Apart: []estimate.RunDeviation{{Run: 1, Parameter: 3, Deviations: -12}}}}}
	res.Fit.RelativeError.Stacked = 1
	res.Judge(DefaultLimits())
	doubts := map[string]string{}
	for _, v := range res.Verdicts {
		if !v.Pass {
			doubts[v.ID] = v.Why
		}
	}
	if res.Failed() || len(doubts) != 4 || !strings.Contains(doubts["friction-lack-of-fit"], " b ") || !strings.Contains(doubts["runs-agree"], "parameter 4 of run 2 by 12 standard deviations") {
		t.Errorf("failed %v, doubts %v", res.Failed(), doubts)
	}
	if _, drift := doubts["drift"]; drift {
		t.Error("what may be chance is a doubt")
	}
}

// A drift of most of the residual makes a result doubtful where it is a relevant part of the torque.
func TestDriftInGrade(t *testing.T) {
	for left, want := range map[float64]Level{4: Doubtful, 0.5: Sound} {
		res := &Result{Joints: []string{"a"}, Diagnosis: &estimate.Diagnosis{Terms: []estimate.TermTest{{Drift: estimate.Explained{Percent: 90, P: 1e-9}}}}}
		res.Fit.RelativeError = Relative{Stacked: left, Joints: []float64{left}}
		res.Judge(DefaultLimits())
		if res.Grade.Value != want || want == Doubtful && res.Grade.Reasons[0].ID != "drift" {
			t.Errorf("%g %% left: %+v", left, res.Grade)
		}
	}
}
