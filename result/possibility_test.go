package result

import (
	"slices"
	"strings"
	"testing"
)

// Without feasible bodies a pose in which the inertia matrix is not positive definite refutes the parameters beyond the limit of chance, and with
// them it is said beside their distance. A matrix that is positive definite, or one that chance made indefinite, refutes nothing.
func TestIndefiniteInertiaRefutes(t *testing.T) {
	pose := []float64{0.5}
	for _, c := range []struct {
		name     string
		possible *PossibleReport
		matrix   *InertiaMatrix
		judged   bool
		grade    Level
		says     string
	}{
		{"no search", nil, nil, false, Sound, ""},
		{"no bodies, positive definite", nil, &InertiaMatrix{Least: 0.1, Pose: pose}, false, Sound, ""},
		{"no bodies, beyond chance", nil, &InertiaMatrix{Least: -0.1, Pose: pose, DistanceSigma: 6, LimitSigma: 4}, true, Doubtful, "feasible parameters are at least 6 standard deviations away"},
		{"no bodies, chance", nil, &InertiaMatrix{Least: -0.1, Pose: pose, DistanceSigma: 3, LimitSigma: 4}, true, Sound, "may be chance"},
		{"bodies, beyond chance", &PossibleReport{DistanceSigma: 9, LimitSigma: 4, Impossible: []string{"arm"}}, &InertiaMatrix{Least: -0.1, Pose: pose}, true, Doubtful, "arm cannot exist as identified: the nearest feasible parameters are 9 standard deviations away; the inertia matrix is not positive definite in every pose"},
		{"bodies, beyond chance, positive definite", &PossibleReport{DistanceSigma: 9, LimitSigma: 4}, &InertiaMatrix{Least: 0.1, Pose: pose}, true, Doubtful, "are 9 standard deviations away"},
		{"bodies, chance", &PossibleReport{DistanceSigma: 3, LimitSigma: 4}, &InertiaMatrix{Least: -0.1, Pose: pose, DistanceSigma: 1, LimitSigma: 4}, true, Sound, "may be chance"},
	} {
		res := &Result{Condition: Condition{Scaled: 50}, Possibility: c.possible, InertiaMatrix: c.matrix}
		res.Judge(DefaultLimits())
		i := slices.IndexFunc(res.Verdicts, func(v Verdict) bool { return v.ID == "impossible" })
		if i >= 0 != c.judged {
			t.Fatalf("%s: %+v", c.name, res.Verdicts)
		}
		if i >= 0 {
			v := res.Verdicts[i]
			if !strings.Contains(v.Why, c.says) || v.Pass != (c.grade == Sound) || strings.Contains(v.Why, "inertia matrix") != (c.matrix.Indefinite() && !v.Pass) {
				t.Errorf("%s: %+v", c.name, v)
			}
		}
		if res.Grade.Parameters.Value != c.grade {
			t.Errorf("%s: %+v", c.name, res.Grade.Parameters)
		}
	}
}
