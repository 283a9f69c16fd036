package physical

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/canceltest"
	"ident/internal/estimatortest"
	"ident/internal/long"
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

// A prior that is true gets more weight than one that is wrong by a factor of three,
// from the training data alone; and the same on every call.
func TestChooseWeight(t *testing.T) {
	r := estimatortest.Arm()
	x, red := noisy(t, r, 5)
	right := NewPrior(r, x.Set.Columns, "right")
	heavy := r.Clone()
	for j := range heavy.Links {
		for p := range heavy.Links[j].Inertial {
			heavy.Links[j].Inertial[p] *= 3
		}
	}
	wrong := NewPrior(heavy, x.Set.Columns, "wrong")
	for _, d := range []Distance{Entropic, Geodesic}[:long.Of(2, 1, 1)] {
		choose := func(p *Prior) *estimate.WeightChoice {
			c, err := ChooseWeight(t.Context(), red, estimate.WLS, r, x.Set, Options{Prior: p, Distance: d})
			if err != nil {
				t.Fatal(err)
			}
			if c.Parts != 5 || c.By != "stretch" || len(c.Score) != len(c.Grid) {
				t.Fatalf("%+v", c)
			}
			return c
		}
		a, b := choose(right), choose(wrong)
		t.Logf("%s: right %g, wrong %g", d, a.Weight, b.Weight)
		if !(a.Weight >= 30) || !(b.Weight <= a.Weight/5) {
			t.Errorf("%s: a true prior got weight %g, a wrong one %g", d, a.Weight, b.Weight)
		}
		if again := choose(right); again.Weight != a.Weight || again.Score[3] != a.Score[3] {
			t.Errorf("%s: %g, then %g", d, a.Weight, again.Weight)
		}
		// The score is about one where the estimate is right: the rows' own variance.
		for k, v := range a.Score {
			if !(v > 0.8 && v < 1.5) {
				t.Errorf("%s: score %g at weight %g", d, v, a.Grid[k])
			}
		}
	}
}

// Of one block nothing can be left out.
func TestChooseWeightOfOneBlock(t *testing.T) {
	r := estimatortest.Arm()
	x := estimatortest.NewExperiment(t, r, 50, 12)
	var work triangle.Work
	one := x.Reduce(x.Torque(), 0, x.Rows.Rows, x.Rows.Rows, &work)
	if _, err := ChooseWeight(t.Context(), one, estimate.WLS, r, x.Set, Options{}); err == nil {
		t.Error("a weight was chosen from one block")
	}
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

// The choice of a weight ends by its context within an estimate: seventeen weights for each of five parts.
func TestChooseWeightCancelled(t *testing.T) {
	long.NotShort(t, "TestUnderCancelled ends the solver by its context")
	r := estimatortest.Arm()
	x, red := noisy(t, r, 5)
	canceltest.Everywhere(t, 5*len(estimate.WeightGrid()), func(ctx context.Context) error {
		_, err := ChooseWeight(ctx, red, estimate.WLS, r, x.Set, Options{})
		return err
	})
}
