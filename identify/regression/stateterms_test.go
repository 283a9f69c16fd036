package regression

import (
	"math/rand/v2"

	"fmt"
	"ident/internal/long"
	"math"
	"testing"

	"ident/datasets"
	"ident/regressor"
)

// temperatureAt is a joint's temperature, in degrees: it rises, and follows a room that is aired.
func temperatureAt(joint int, t float64) float64 {
	return 25 + 15*(1-math.Exp(-t/6)) + 3*math.Sin(0.9*t+float64(joint))
}

// addedState makes a run with the torques of a term, which may be one with states, "" for none; followed are the terms that the
// run has channels and states for.
func addedState(tb testing.TB, rec *record, term regressor.Term, chi map[string]float64, followed ...regressor.Term) Run {
	tb.Helper()
	joints, n, dt := len(rec.q), len(rec.t), rec.t[1]-rec.t[0]
	states, err := regressor.StatesOf(rec.robot, followed)
	if err != nil {
		tb.Fatal(err)
	}
	own, err := regressor.StatesOf(rec.robot, []regressor.Term{term})
	if err != nil {
		tb.Fatal(err)
	}
	var in regressor.Batch
	for range joints {
		in.Temperature, in.Heat = append(in.Temperature, make([]float64, n)), append(in.Heat, make([]float64, n))
	}
	for range joints * regressor.MaxWidths {
		in.Presliding = append(in.Presliding, make([]float64, n))
	}
	for k := range joints {
		name := func(kind string) float64 { return chi[fmt.Sprintf("%s%d", kind, k+1)] }
		heat := 0.0
		for i := range n {
			in.Temperature[k][i], in.Heat[k][i] = temperatureAt(k, rec.t[i]), heat
			if own.Heating == nil || own.Heating[k] == 0 {
				continue
			}
			// The torque that heats is the whole one.
			tau := rec.tau[k][i] + heat*(name("Fpv")*rec.dq[k][i]+name("Fps")*math.Copysign(1, rec.dq[k][i])+name("Fpo"))
			heat += dt / own.Heating[k] * (math.Abs(tau*rec.dq[k][i]) - heat)
		}
		if own.Widths == nil {
			continue
		}
		for w, width := range own.Widths[k] {
			z := in.Presliding[k*regressor.MaxWidths+w]
			for i := 1; i < n; i++ {
				z[i] = math.Max(-1, math.Min(1, z[i-1]+(rec.q[k][i]-rec.q[k][i-1])/width))
			}
		}
	}
	run := rec.run("a")
	if term != "" {
		run = added(tb, rec, "a", []regressor.Term{term}, chi, in)
	}
	run.States = states
	for k := range joints {
		name := fmt.Sprintf("temp%d", k+1)
		run.Log, run.Temperature = run.Log.WithColumn(datasets.Channel{Name: name}, in.Temperature[k]), append(run.Temperature, name)
	}
	return run
}

// Parameters of heat are within two deviations of the truth, as a root mean square over parameters and seeds, where little noise makes the
// deviations small: a velocity that lags or is smoothed would make the heat, and so all of them, wrong by the same part.
func TestHeatIsNotBiased(t *testing.T) {
	truth := map[string]float64{"Fpv1": -0.02, "Fps1": -0.015, "Fpo3": 0.02, "Fps3": 0}
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	seeds := long.Of(8, 1)
	squares, count := 0.0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 31))
		noisy := *rec
		noisy.tau = nil
		for k := range rec.tau {
			v := make([]float64, len(rec.t))
			for i := range v {
				v[i] = rec.tau[k][i] + 0.001*rng.NormFloat64()
			}
			noisy.tau = append(noisy.tau, v)
		}
		run := addedState(t, &noisy, "Fp:6/0/4", truth, "Fp:6/0/4")
		cfg := exact()
		cfg.Cutoff = 10
		out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), "Fp:6/0/4"), []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range truth {
			got, sigma := parameter(t, out, name)
			z := (got - want) / sigma
			squares, count = squares+z*z, count+1
			t.Logf("seed %d: %s %.6g, truth %g, %.2f deviations, which are %.2g", seed, name, got, want, z, sigma)
		}
	}
	if rms := math.Sqrt(squares / float64(count)); rms > 2 {
		t.Errorf("the distances are %.3g deviations, root mean square", rms)
	}
}
