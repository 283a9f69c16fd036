package physical

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/triangle"
	"ident/robot"
)

// noisy is the reduction of an arm's log with white noise, and the arm's set.
func noisy(t *testing.T, r *robot.Robot, noise float64) (*estimatortest.Experiment, *estimate.Reduction) {
	t.Helper()
	x := estimatortest.NewExperiment(t, r, 50, 12)
	tau := x.Torque()
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += noise * rng.NormFloat64()
		}
	}
	var work triangle.Work
	return x, x.Reduce(tau, 0, x.Rows.Rows, 20, &work)
}

// The Gaussian prior's weight is chosen by the same rule, and the estimate is
// MAP's with it.
func TestChosenMAP(t *testing.T) {
	r := estimatortest.Arm()
	x, red := noisy(t, r, 5)
	mean, cov := NewPrior(r, x.Set.Columns, "robot").Base(x.Set)
	p := &estimate.Problem{Reduction: red}
	s, err := estimate.ChosenMAP{MAP: estimate.MAP{Mean: mean, Covariance: cov}}.Estimate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var weight float64
	if _, err := fmt.Sscanf(s.Remarks[len(s.Remarks)-1], "weight %g of the prior", &weight); err != nil || !(weight >= 3) {
		t.Fatalf("%q", s.Remarks)
	}
	for _, w := range estimate.WeightGrid() { // which the remark rounds
		if math.Abs(w-weight) < 0.01*w {
			weight = w
		}
	}
	want, err := estimate.MAP{Mean: mean, Covariance: cov, Weight: weight}.Estimate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for k := range want.X {
		if s.X[k] != want.X[k] {
			t.Errorf("%s: %g, want %g", x.Set.Name(k), s.X[k], want.X[k])
		}
	}
}
