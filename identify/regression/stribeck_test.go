package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/regressor"
)

// The velocities of Stribeck friction come out of a log without noise to the last
// step of the search, beside the friction itself, and with noise within three
// deviations.
func TestStribeckVelocitiesAreRecovered(t *testing.T) {
	long.Only(t, "TestTermsAreRecovered stands for it")
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 40))
	truth := []float64{0.15, 0.04}
	term := regressor.StribeckAt(regressor.Stribeck, truth)
	run := added(t, rec, "a", []regressor.Term{term}, map[string]float64{"Fst1": 2, "Fst2": 1.5}, regressor.Batch{})
	terms := append(regressor.DefaultTerms(), regressor.Stribeck)
	for _, kind := range []Kind{Dynamic, Momentum}[:long.Of(2, 1)] {
		cfg := exact()
		cfg.Model, cfg.Cutoff = kind, 10
		out, err := Fit(t.Context(), r, terms, []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range out.Result.OuterParameters {
			// The momentum model finds the same velocities as the dynamic one.
			if !p.Determined || !(math.Abs(p.Value-truth[k]) < 1e-5*truth[k]) {
				t.Errorf("%s: %s = %.9g, want %g", kind, p.Name, p.Value, truth[k])
			}
		}
		for name, want := range map[string]float64{"Fst1": 2, "Fst2": 1.5} {
			if got, _ := parameter(t, out, name); !(math.Abs(got-want) < 1e-3) {
				t.Errorf("%s: %s = %g, want %g", kind, name, got, want)
			}
		}
		if got := len(out.Result.OuterParameters); got != 2 {
			t.Errorf("%d outer parameters, want 2", got)
		}
	}
	runs := long.Of(6, 2)
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 5))
		noisy := *rec
		noisy.tau = nil
		for k := range rec.tau {
			v := make([]float64, len(rec.t))
			for i := range v {
				v[i] = rec.tau[k][i] + 0.2*rng.NormFloat64()
			}
			noisy.tau = append(noisy.tau, v)
		}
		run := added(t, &noisy, "a", []regressor.Term{term}, map[string]float64{"Fst1": 2, "Fst2": 1.5}, regressor.Batch{})
		cfg := exact()
		cfg.Cutoff = 10
		out, err := Fit(t.Context(), r, terms, []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range out.Result.OuterParameters {
			if !p.Determined || !(math.Abs(p.Value-truth[k]) < 3*p.Sigma) || !(p.Sigma < truth[k]/2) {
				t.Errorf("seed %d: %s = %.4g ± %.2g, want %g", seed, p.Name, p.Value, p.Sigma, truth[k])
			}
		}
	}
	// A joint without such friction has no such velocity.
	out, err := Fit(t.Context(), r, terms, []Run{noisyTorques(t, r, 3, 0.1).run("none")}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Result.OuterParameters {
		if p.Determined && p.Sigma < p.Value/5 {
			t.Errorf("without Stribeck friction %s = %g ± %g is determined", p.Name, p.Value, p.Sigma)
		}
	}
}
