package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/triangle"
	"ident/robot"
)

// noisy is the reduction of an arm's log with white noise, and the arm's set.
func noisy(t *testing.T, r *robot.Robot, noise float64) (*experiment, *Reduction) {
	t.Helper()
	x := newExperiment(t, r, 50, 12)
	tau := x.torque()
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += noise * rng.NormFloat64()
		}
	}
	var work triangle.Work
	return x, x.reduce(tau, 0, x.rows.Rows, 20, &work)
}

// A prior that is true gets more weight than one that is wrong by a factor of three,
// from the training data alone; and the same on every call.
func TestChooseWeight(t *testing.T) {
	r := arm()
	x, red := noisy(t, r, 5)
	right := NewPrior(r, x.set.Columns, "right")
	heavy := r.Clone()
	for j := range heavy.Links {
		for p := range heavy.Links[j].Inertial {
			heavy.Links[j].Inertial[p] *= 3
		}
	}
	wrong := NewPrior(heavy, x.set.Columns, "wrong")
	for _, d := range []Distance{Entropic, Geodesic} {
		choose := func(p *Prior) *WeightChoice {
			c, err := red.ChooseConsistentWeight(WLS, r, x.set, ConsistentOptions{Prior: p, Distance: d})
			if err != nil {
				t.Fatal(err)
			}
			if c.Parts != stretches || c.By != "stretch" || len(c.Score) != len(c.Grid) {
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

// With several runs one run after the other is left out; of one block nothing can be.
func TestWeightParts(t *testing.T) {
	red := NewReduction(1, [][]int{{0}})
	for _, run := range []int{0, 0, 0, 1, 1, 2} {
		red.Append(red.NewBlock(run))
	}
	parts, by := red.parts()
	if by != "run" || len(parts) != 3 || parts[0] != [2]int{0, 3} || parts[1] != [2]int{3, 5} || parts[2] != [2]int{5, 6} {
		t.Errorf("%v by %s", parts, by)
	}
	r := arm()
	x := newExperiment(t, r, 50, 12)
	var work triangle.Work
	one := x.reduce(x.torque(), 0, x.rows.Rows, x.rows.Rows, &work)
	if _, err := one.ChooseConsistentWeight(WLS, r, x.set, ConsistentOptions{}); err == nil {
		t.Error("a weight was chosen from one block")
	}
}

// The largest weight within a standard error of the least score.
func TestWeightRule(t *testing.T) {
	c := &WeightChoice{Grid: []float64{1, 2, 3, 4}}
	c.choose([][]float64{{5, 1, 1.2, 9}, {5, 1.2, 1.1, 8}, {5, 1.1, 1.3, 7}})
	if c.Weight != 2 && c.Weight != 3 {
		t.Errorf("%g", c.Weight)
	}
	// Excess 0.1 with deviation 0.1·√… : differences 0.2, −0.1, 0.2.
	if !(math.Abs(c.Excess[2]-0.1) < 1e-12) || !(math.Abs(c.Error[2]-0.1) < 1e-12) {
		t.Errorf("excess %g, error %g", c.Excess[2], c.Error[2])
	}
}

// The Gaussian prior's weight is chosen by the same rule, and the estimate is
// MAP's with it.
func TestChosenMAP(t *testing.T) {
	r := arm()
	x, red := noisy(t, r, 5)
	mean, cov := NewPrior(r, x.set.Columns, "robot").Base(x.set)
	p := &Problem{Reduction: red}
	s, err := ChosenMAP{MAP{Mean: mean, Covariance: cov}}.Estimate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var weight float64
	if _, err := fmt.Sscanf(s.Remarks[len(s.Remarks)-1], "weight %g of the prior", &weight); err != nil || !(weight >= 3) {
		t.Fatalf("%q", s.Remarks)
	}
	for _, w := range WeightGrid() { // which the remark rounds
		if math.Abs(w-weight) < 0.01*w {
			weight = w
		}
	}
	want, err := MAP{Mean: mean, Covariance: cov, Weight: weight}.Estimate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for k := range want.X {
		if s.X[k] != want.X[k] {
			t.Errorf("%s: %g, want %g", x.set.Name(k), s.X[k], want.X[k])
		}
	}
}
