package result

import "testing"

// A known value that the log refutes comes before all that it causes, and its grade is theirs; one that the robot file alone doubts
// is a doubt of the parameters.
func TestRefutedValueLeads(t *testing.T) {
	res := &Result{Fit: Errors{RelativeError: Relative{Stacked: 85}}, Condition: Condition{Scaled: 10}}
	res.DoubtKnown(nil, []string{"Fv1 = 50, where the log gives 1.5 ± 0.01"})
	res.Judge(DefaultLimits())
	if len(res.Grade.Reasons) == 0 || res.Grade.Value != Unusable || res.Grade.Reasons[0].ID != "known-values" {
		t.Errorf("%s: %v", res.Grade.Value, res.Grade.Reasons)
	}
	res = &Result{Fit: Errors{RelativeError: Relative{Stacked: 1}}, Condition: Condition{Scaled: 10}}
	res.DoubtKnown([]string{"M1 = 50 kg, where the robot file says 5 kg of upper"}, nil)
	res.Judge(DefaultLimits())
	if res.Grade.Value != Doubtful || res.Grade.Torques.Value != Sound {
		t.Errorf("%s, torques %s", res.Grade.Value, res.Grade.Torques.Value)
	}
}
