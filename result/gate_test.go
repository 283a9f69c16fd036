package result_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"ident/estimate"
	"ident/result"
)

// judgedResult is a result of which every gate finds its number.
func judgedResult() *result.Result {
	return &result.Result{
		Joints: []string{"j1", "j2"}, Grade: result.Grade{Value: result.Doubtful}, Condition: result.Condition{Scaled: 40},
		Fit: result.Errors{RelativeError: result.Relative{Stacked: 2, Joints: []float64{1, 9}}},
		BaseParameters: []result.BaseParameter{{Name: "ZZ1R", Unit: "kg·m²", Value: 1.5, Sigma: 0.1, RelativeSigmaPercent: 6.7},
			{Name: "Fo2", Unit: "N·m", Value: 0.1, Sigma: 0.1, RelativeSigmaPercent: 100}},
		Bodies: &result.Bodies{Total: result.Mass{Kg: 18}, Links: []result.LinkMass{{Link: "arm", Mass: result.Mass{Kg: 3}}}},
	}
}

// A gate passes up to its limits, both included, and holds against the number that it names.
func TestGates(t *testing.T) {
	open := math.Inf(1)
	for _, c := range []struct {
		name      string
		low, high float64
		pass      bool
		why       string
	}{
		{"relative-error", -open, 2, true, "the relative error on the training motion is 2.00 %, required 2 % or less"},
		{"relative-error", -open, 1.9999, false, "is 2 %, required 1.9999 % or less"},
		{"relative-error", -open, 1.99999, false, "is 2 %, required 1.99999 %"},
		{"training-error", -open, 3, true, "on the training motion"},
		{"joints.j2", -open, 8, false, "the relative error of j2 on the training motion is 9.00 %, required 8 % or less"},
		{"joints.j1", -open, 8, true, "j1"},
		{"joints.j3", -open, 8, false, "the result has no joint j3; did you mean j1 or j2?; required 8 % or less"},
		{"mass.total", 17, 19, true, "the mass of the links that move is 18.0 kg, required 17 to 19 kg"},
		{"mass.arm", 4, open, false, "the mass of arm is 3.00 kg, required 4 kg or more"},
		{"mass.leg", 4, open, false, "no mass of link leg"},
		{"parameters.ZZ1R", 1, 1.5, true, "ZZ1R is 1.50 kg·m², required 1 to 1.5 kg·m²"},
		{"parameters.ZZ1", 1, 1.5, false, "did you mean ZZ1R?"},
		{"weak", -open, 1, true, "the number of weak base parameters is 1"},
		{"weak", -open, 0, false, "required 0 or less"},
		{"condition-number", -open, 39, false, "the condition number is 40.0, required 39 or less"},
	} {
		res := judgedResult()
		res.Accept([]result.Requirement{{Name: c.name, Low: c.low, High: c.high}})
		g := res.Gates[0]
		if g.Pass != c.pass || !strings.Contains(g.Why, c.why) {
			t.Errorf("%s within [%g, %g]: %+v", c.name, c.low, c.high, g)
		}
		if res.Failed() == c.pass {
			t.Errorf("%s: the gate passes: %v, the result failed: %v", c.name, c.pass, res.Failed())
		}
		if _, err := json.Marshal(g); err != nil {
			t.Error(err)
		}
	}
}

func TestGateOfTheGrade(t *testing.T) {
	for level, pass := range map[result.Level]bool{result.Sound: false, result.Doubtful: true} {
		res := judgedResult()
		res.Accept([]result.Requirement{{Name: result.GateGrade, Level: level}})
		if g := res.Gates[0]; g.Pass != pass || !strings.Contains(g.Why, "the grade is doubtful, required "+string(level)) {
			t.Errorf("%s: %+v", level, g)
		}
	}
}

// The error is that of motion not seen: of validation logs, else of rows left out.
func TestGateTakesMotionNotSeen(t *testing.T) {
	res := judgedResult()
	res.Diagnosis = &estimate.Diagnosis{CrossValidation: &estimate.CrossValidation{By: "run", Percent: 6, Inside: 2}}
	requirement := []result.Requirement{{Name: result.GateError, Low: math.Inf(-1), High: 5}, {Name: "joints.j1", Low: math.Inf(-1), High: 5}, {Name: result.GateWeak, High: 5}}
	res.Accept(requirement)
	if g := res.Gates[0]; g.Pass || *g.Value != 6 || !strings.Contains(g.Why, "on rows left out") {
		t.Errorf("%+v", g)
	}
	res.Validation = &result.Validation{Errors: result.Errors{RelativeError: result.Relative{Stacked: 4, Joints: []float64{7, 7}}}}
	res.AcceptTorques(requirement)
	if len(res.Gates) != 2 {
		t.Fatalf("gates on torques: %+v", res.Gates)
	}
	if g := res.Gates[0]; !g.Pass || *g.Value != 4 || !strings.Contains(g.Why, "on motion not seen") {
		t.Errorf("%+v", g)
	}
	if g := res.Gates[1]; g.Pass || *g.Value != 7 {
		t.Errorf("%+v", g)
	}
}

// A result without bodies fails a gate on masses.
func TestGateWithoutBodies(t *testing.T) {
	res := judgedResult()
	res.Bodies = nil
	res.Accept([]result.Requirement{{Name: "mass.total", Low: 0, High: 100}})
	if g := res.Gates[0]; g.Pass || g.Value != nil || !strings.Contains(g.Why, "no mass is known") {
		t.Errorf("%+v", g)
	}
}
