package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
)

// Law 7 of errors: per cents are of what was measured. Whatever value a parameter is said to have, the torques that the
// errors of a fit and of motion not seen are per cents of stay the same, N·m, and so do the squares behind those of its
// cross-validation and of its own rows, for all models. Of the rows that it fits, a fit with a parameter less leaves no
// smaller part.
func TestErrorsArePartsOfWhatWasMeasured(t *testing.T) {
	outer := t
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(1, 1<<20).Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 3))
		r := arm(rapid.IntRange(1, 3).Draw(t, "joints"))
		for j := range r.Links {
			for p := range r.Links[j].Inertial {
				r.Links[j].Inertial[p] *= 0.5 + rng.Float64()
			}
		}
		var runs []Run
		for k := range 2 {
			rec := simulate(outer, r, newTrajectory(len(r.Links), seed+uint64(k), 0.2), steady(100, 6))
			for j := range rec.tau {
				for i := range rec.tau[j] {
					rec.tau[j][i] += 0.2 * rng.NormFloat64()
				}
			}
			runs = append(runs, rec.run("log"))
		}
		full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		name := rapid.SampledFrom(full.Names()).Draw(t, "parameter")
		value := rapid.Float64Range(-500, 500).Draw(t, "value")
		kind := rapid.SampledFrom([]Kind{Dynamic, Energy, Momentum, Filtered}).Draw(t, "model")
		fitted := func(known map[string]float64) (*Outcome, error) {
			cfg := Config{Known: known, Path: observation.Path{Cutoff: 10, Velocity: "position", MotionCutoff: NoFilter}, Model: kind, Weighting: estimate.OLS}
			return Fit(outer.Context(), r, regressor.DefaultTerms(), runs[:1], runs[1:], cfg)
		}
		free, err := fitted(nil)
		if err != nil {
			t.Skip(err)
		}
		given, err := fitted(map[string]float64{name: value})
		if err != nil {
			t.Skip(err)
		}
		cases++
		same := func(what string, a, b float64) {
			if !(math.Abs(a-b) <= 1e-6*a) {
				t.Fatalf("%s, %s = %.3g: %s is a part of %.9g, without it of %.9g", kind, name, value, what, b, a)
			}
		}
		for k := range r.Links {
			a, b := &free.Result, &given.Result
			same("the training error", a.Fit.RMSE[k]/a.Fit.RelativeError.Joints[k], b.Fit.RMSE[k]/b.Fit.RelativeError.Joints[k])
			same("the training error as logged", a.Fit.RMSERaw[k]/a.Fit.RelativeErrorRaw.Joints[k], b.Fit.RMSERaw[k]/b.Fit.RelativeErrorRaw.Joints[k])
			same("the error of the validation", a.Validation.RMSE[k]/a.Validation.RelativeError.Joints[k], b.Validation.RMSE[k]/b.Validation.RelativeError.Joints[k])
		}
		for k, yy := range free.Reduction.MeasuredSquares(nil, nil) {
			same("the error of its rows", yy, given.Reduction.MeasuredSquares(nil, nil)[k])
		}
		if free.OwnError > 1.01*given.OwnError {
			t.Fatalf("%s, %s = %.3g: %.6g %% of the fitted rows are left, without it %.6g %%", kind, name, value, given.OwnError, free.OwnError)
		}
	})
	if cases == 0 {
		t.Error("no case was compared")
	}
	t.Logf("%d cases", cases)
}
