package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/estimate"
	"ident/filter"
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

// Law 7 of errors, second half: a joint whose torque is below three times its noise behind the filter has no error in per cent, and
// every other joint has one. The noise is white, so that behind the filter a part of it is left that is known.
func TestTorqueBelowItsNoiseHasNoPercent(t *testing.T) {
	outer := t
	seen := [2]int{}
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(1, 1<<20).Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 4))
		r := arm(rapid.IntRange(1, 3).Draw(t, "joints"))
		rec := simulate(outer, r, newTrajectory(len(r.Links), seed, 0.2), steady(100, 6))
		share := filter.LowPass{Cutoff: 10, Order: DefaultOrder}.WhiteShare(100)
		want, open := make([]bool, len(rec.tau)), make([]bool, len(rec.tau))
		for j, tau := range rec.tau {
			rms := 0.0
			for _, v := range tau {
				rms += v * v
			}
			rms = math.Sqrt(rms / float64(len(tau)))
			part := math.Exp(rapid.Float64Range(math.Log(0.01), math.Log(3)).Draw(t, "noise, of the torque"))
			sigma := part * rms / math.Sqrt(share) // behind the filter part·rms of noise is left
			for i := range tau {
				tau[i] += sigma * rng.NormFloat64()
			}
			// The noise counts in what was measured, too: √(1 + part²) < 3·part from part = 0.35 on.
			want[j], open[j] = part > 0.35, part > 0.25 && part < 0.5
		}
		out, err := Fit(outer.Context(), r, regressor.DefaultTerms(), []Run{rec.run("log")}, nil, Config{Plain: true, Weighting: estimate.OLS,
			Path: observation.Path{Cutoff: 10, Velocity: "position", MotionCutoff: NoFilter}})
		if err != nil {
			t.Skip(err)
		}
		for j := range want {
			if got := !out.Result.Fit.Relates(j); got != want[j] && !open[j] {
				t.Fatalf("joint %d: below its noise %v, want %v", j+1, got, want[j])
			} else if got {
				seen[1]++
			} else {
				seen[0]++
			}
		}
	})
	if seen[0] == 0 || seen[1] == 0 {
		t.Errorf("%d joints above and %d below the noise", seen[0], seen[1])
	}
}
