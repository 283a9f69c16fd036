package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/regressor"
)

// A log whose torques have three times the noise counts by a ninth: errors are smaller than with both logs alike, and deviations are
// those of the errors either way. A weight of all logs alike changes nothing.
func TestWeightsOfLogs(t *testing.T) {
	long.Only(t, "script fit-terms has the command, and estimate.TestWeightRule the rule")
	r := arm(3)
	terms := regressor.DefaultTerms()
	one, two := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20)), simulate(t, r, newTrajectory(3, 2, 0.1), steady(100, 20))
	noisy := func(rec *record, sigma float64, rng *rand.Rand, weight float64) Run {
		c := *rec
		c.tau = nil
		for k := range rec.tau {
			v := make([]float64, len(rec.t))
			for i := range v {
				v[i] = rec.tau[k][i] + sigma*rng.NormFloat64()
			}
			c.tau = append(c.tau, v)
		}
		run := c.run([]string{"a", "b"}[min(int(sigma), 1)])
		run.Weight = weight
		return run
	}
	cfg := exact()
	cfg.Cutoff = 10
	var want []float64
	fit := func(seed uint64, wa, wb float64) ([]float64, []float64) {
		rng := rand.New(rand.NewPCG(seed, 23))
		a, b := noisy(one, 0.4, rng, wa), noisy(two, 1.2, rng, wb)
		out, err := Fit(t.Context(), r, terms, []Run{a, b}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		want = truth(out, r)
		var x, sigma []float64
		for _, p := range out.Result.BaseParameters {
			x, sigma = append(x, p.Value), append(sigma, p.Sigma)
		}
		return x, sigma
	}
	seeds := uint64(long.Draws(60, 24, 3))
	var ratio float64
	checked, squares := [2]int{}, [2]float64{}
	for seed := range seeds {
		var sum [2]float64
		for i, wb := range []float64{1.0 / 9, 1} {
			x, sigma := fit(seed, 1, wb)
			for k := range x {
				z := (x[k] - want[k]) / sigma[k]
				checked[i], squares[i] = checked[i]+1, squares[i]+z*z
				sum[i] += math.Log(sigma[k])
			}
		}
		ratio += (sum[0] - sum[1]) / float64(len(want)) / float64(seeds)
	}
	for i, name := range []string{"weighted", "alike"} {
		rms := math.Sqrt(squares[i] / float64(checked[i]))
		t.Logf("%s: errors are %.2f of their deviations over %d parameters", name, rms, checked[i])
		// Parameters of one log are correlated: some ten independent ones in each of the logs, and deviations of time blocks that are known to 15 %.
		if free := 10 * float64(seeds); math.Abs(rms-1) > 0.15+4/math.Sqrt(2*free) {
			t.Errorf("%s: errors are %.2f of their deviations", name, rms)
		}
	}
	// Of two logs of like motion with variances 1 and 9 the best weights leave the variance 0.9, equal ones (1 + 9)/4 = 2.5.
	t.Logf("deviations with weights are %.2f of those without", math.Exp(ratio))
	if got := math.Exp(ratio); got > 0.8 {
		t.Errorf("weights leave deviations of %.2f, a ratio of %.2f is possible", got, math.Sqrt(0.9/2.5))
	}
	plain, _ := fit(1, 1, 1)
	scaled, _ := fit(1, 5, 5)
	for k := range plain {
		// Rows times √5 are rounded anew: the condition number of the scaled columns, some hundred, times the rounding.
		if math.Abs(plain[k]-scaled[k]) > 1e-11*(1+math.Abs(plain[k])) {
			t.Errorf("parameter %d: %g, with all weights 5 %g", k, plain[k], scaled[k])
		}
	}
}
