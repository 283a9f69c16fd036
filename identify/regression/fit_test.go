package regression

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
)

// A joint that stands still leaves parameters undetermined: the error names
// them and gives remedies; the smallest solution is a warning, and predicts.
func TestUndetermined(t *testing.T) {
	r := arm(3)
	x := newTrajectory(3, 1, 0.1)
	for h := range x.a[1] {
		x.a[1][h] = 0
	}
	run := simulate(t, r, x, steady(100, 20)).run("still")
	_, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, exact())
	var rank *estimate.RankError
	if !errors.As(err, &rank) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"Fv2", "lock", "minimum-norm"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %s", err, want)
		}
	}
	for _, never := range []string{"Fv1", "Fs3"} {
		if strings.Contains(err.Error(), never) {
			t.Errorf("%q blames %s", err, never)
		}
	}
	cfg := exact()
	cfg.MinimumNorm = true
	out := fit(t, r, cfg, run)
	if e := out.Result.Fit.RelativeError.Stacked; !(e < 1e-6) {
		t.Errorf("the smallest solution leaves %g %% of the torques", e)
	}
	if len(out.Result.Warnings) == 0 {
		t.Error("no warning")
	}
}

// Errors and residuals of a fit are those of their definitions.
func TestErrorsByDefinition(t *testing.T) {
	r := arm(3)
	run := noisy(t, r, 200, 20, true)
	out := fit(t, r, Config{Path: observation.Path{Trim: 0.5, Cutoff: 10}, chunk: 700}, run)
	res, kept := out.Result.Fit, out.Residuals[0]
	if kept.Stride != 1 || len(kept.T) != res.Samples || res.Samples != out.Result.Samples.Used {
		t.Fatalf("%d residuals with stride %d of %d samples", len(kept.T), kept.Stride, res.Samples)
	}
	var e2, t2 float64
	for k := range kept.Measured {
		var ek, tk, sum, worst float64
		for i, y := range kept.Measured[k] {
			d := kept.Predicted[k][i] - y
			ek, tk, sum, worst = ek+d*d, tk+y*y, sum+d, math.Max(worst, math.Abs(d))
		}
		n := float64(len(kept.T))
		for what, v := range map[string][2]float64{
			"relative error": {res.RelativeError.Joints[k], 100 * math.Sqrt(ek/tk)},
			"RMSE":           {res.RMSE[k], math.Sqrt(ek / n)},
			"bias":           {res.Bias[k], sum / n},
			"largest":        {res.MaxAbs[k], worst},
		} {
			if !(math.Abs(v[0]-v[1]) <= 1e-9*math.Abs(v[1])+1e-12) {
				t.Errorf("%s of joint %d is %v, want %v", what, k+1, v[0], v[1])
			}
		}
		e2, t2 = e2+ek, t2+tk
	}
	if want := 100 * math.Sqrt(e2/t2); !(math.Abs(res.RelativeError.Stacked/want-1) < 1e-9) {
		t.Errorf("stacked error %v, want %v", res.RelativeError.Stacked, want)
	}
	if !(res.RelativeErrorRaw.Stacked > res.RelativeError.Stacked) {
		t.Errorf("the raw error %v is no larger than the filtered %v", res.RelativeErrorRaw.Stacked, res.RelativeError.Stacked)
	}
	if first, last := kept.T[0], kept.T[len(kept.T)-1]; math.Abs(first-0.5) > 1e-9 || math.Abs(last-19.495) > 1e-9 {
		t.Errorf("residuals from %v to %v s", first, last)
	}
}

// A validation log through Predict has the errors that Fit gives it, and plays
// no part in the estimate.
func TestValidation(t *testing.T) {
	r := arm(3)
	train, other := noisy(t, r, 200, 20, true), noisy(t, r, 200, 15, false)
	other.Name = "other"
	cfg := Config{Path: observation.Path{Trim: 0.5, Cutoff: 10}}
	alone := fit(t, r, cfg, train)
	both, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{train}, []Run{other}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(estimates(alone), estimates(both)) {
		t.Error("the validation log changed the estimate")
	}
	v := both.Result.Validation
	if v == nil || len(v.Runs) != 1 || v.Runs[0].Log != "other" || v.Runs[0].RelativeError.Stacked != v.RelativeError.Stacked {
		t.Fatalf("validation %+v", v)
	}
	if alone.Result.Validation != nil || len(both.Residuals) != 2 || both.Residuals[1].Role != "validate" {
		t.Errorf("%d residual runs", len(both.Residuals))
	}
	p, processing, err := Predict(t.Context(), r, regressor.DefaultTerms(), both.Base, estimates(both), []Run{other}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if p.RelativeError.Stacked != v.RelativeError.Stacked || processing.Cutoff != 10 {
		t.Errorf("predicted %v, validated %v, cut-off %v", p.RelativeError.Stacked, v.RelativeError.Stacked, processing.Cutoff)
	}
}

// However many the gaps and however large the robot, the summary stays small.
func TestLeastBlock(t *testing.T) {
	masks := func(joints, columns int) [][]int {
		var m [][]int
		for range joints {
			m = append(m, make([]int, columns))
		}
		return m
	}
	for _, c := range []struct{ joints, columns, blocks int }{{7, 40, 1000}, {30, 200, 20}, {1, 0, 1000}} {
		if got := leastBlock(masks(c.joints, c.columns), 1e6); 1e6/got > c.blocks {
			t.Errorf("%d joints of %d columns: blocks of %d samples, more than %d", c.joints, c.columns, got, c.blocks)
		}
	}
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 60))
	var rows []int
	for i := range rec.t {
		if i%40 < 20 {
			rows = append(rows, i)
		}
	}
	out := fit(t, r, exact(), rec.keep(rows).run("gappy"))
	if n := len(out.Reduction.Blocks()); n > 150*3 {
		t.Errorf("%d blocks of %d rows", n, len(rows))
	}
}
