package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
)

// Rows at which errors are measured are those of the low-pass of all samples; the errors
// before the filter are of all samples.
func TestComparedRowsAreAmongAll(t *testing.T) {
	r, run := arm(2), noisy(t, arm(2), 200, 30, true)
	cfg := Config{Path: observation.Path{Cutoff: 2, MotionCutoff: 20, Trim: 0.5}}
	cfg.KeepRows = KeepAll
	all := fit(t, r, cfg, run)
	cfg.KeepRows, cfg.long = KeepAuto, 1
	kept := fit(t, r, cfg, run)
	if every := kept.Result.Processing.KeepEvery; every != 16 { // 200 Hz over 5·2 Hz, a multiple of eight
		t.Fatalf("one row in %d was kept", every)
	}
	a, k := all.Residuals[0], kept.Residuals[0]
	at, scale := map[float64]int{}, 0.0
	for i, v := range a.T {
		at[v] = i
		scale = max(scale, math.Abs(a.Measured[0][i]))
	}
	if len(k.T) < len(a.T)/16 {
		t.Fatalf("%d rows are compared of %d", len(k.T), len(a.T))
	}
	for i, v := range k.T {
		// Beyond the ends the filter of all samples has 1e-6 of its response left, which has decayed
		// by as much again two periods of the cut-off further.
		if v < 1 || v > 29 {
			continue
		}
		j, ok := at[v]
		// Sums over poles and the recursion differ by rounding of some hundred terms.
		if !ok || !(math.Abs(k.Measured[0][i]-a.Measured[0][j]) <= 1e-11*scale) {
			t.Fatalf("row at %g s: %v, among all %v", v, k.Measured[0][i], a.Measured[0][j])
		}
	}
	// Raw errors depend on the rows by the estimates alone, which lie within a deviation: the error of
	// 3000 samples changes by less than its own uncertainty, 1/√(2·3000).
	raw, want := kept.Result.Fit.RelativeErrorRaw.Stacked, all.Result.Fit.RelativeErrorRaw.Stacked
	if !(math.Abs(raw/want-1) < 0.013) {
		t.Errorf("raw error %g %%, of all rows %g %%", raw, want)
	}
}

// A run has the same errors as the validation run of a fit on a long log and alone.
func TestValidationDependsOnItsOwnLength(t *testing.T) {
	long.Only(t, "TestComparedRowsAreAmongAll and TestChunksAreWhole compare the rows of runs")
	r, rng := arm(2), rand.New(rand.NewPCG(5, 0))
	train := noisy(t, r, 200, 40, true)
	for _, seconds := range []float64{20, 35} {
		record := simulate(t, r, newTrajectory(2, 3, 0.1), steady(200, seconds))
		for i := range record.tau[0] {
			record.tau[0][i] += 0.1 * rng.NormFloat64()
		}
		run := positionsOnly(record.run("other"))
		cfg := Config{Path: observation.Path{Cutoff: 2, MotionCutoff: 20, Trim: 0.5}, long: 6000}
		terms := regressor.DefaultTerms()
		out, err := Fit(t.Context(), r, terms, []Run{train}, []Run{run}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		alone, _, err := Predict(t.Context(), r, terms, out.Base, estimates(out), []Run{run}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := alone.Errors, out.Result.Validation.Errors; a.Samples != b.Samples || a.RMSE[0] != b.RMSE[0] {
			t.Errorf("%g s: %d rows with an error of %v alone, %d with %v beside a fit", seconds, a.Samples, a.RMSE[0], b.Samples, b.RMSE[0])
		}
	}
}
