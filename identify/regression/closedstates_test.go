package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/regressor"
)

// Friction of the driven joints that depends on temperature, power or the last reversals comes out of noisy logs of a closed robot within three
// deviations; passive joints, whose torque and temperature nobody measures, have no such parameters.
func TestStatesOfAClosedRobot(t *testing.T) {
	long.Only(t, "TestFurtherTermsWithinDeviations and TestClosedRobotsRecovered stand for it")
	seeds := *termSeeds
	if seeds == 0 {
		seeds = uint64(long.Of(5, 1))
	}
	r := fourBar()
	rec, _ := simulateClosed(t, r, loopTrajectory(t, r, 2, 0.2), steady(100, 20))
	for _, c := range []struct {
		term  regressor.Term
		truth map[string]float64
	}{
		{"Ft:30", map[string]float64{"Ftv1": -0.03, "Fts1": -0.02, "Fto1": 0.01}},
		{"Fp:6", map[string]float64{"Fpv1": -0.02, "Fps1": -0.015, "Fpo1": 0.02}},
		{"Fh:0.05+0.2", map[string]float64{"Fha1": 1, "Fhb1": -0.5}},
	} {
		m, err := regressor.NewDynamic(r, []regressor.Term{c.term})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(m.Columns()); got != len(c.truth) {
			t.Errorf("%s: %d columns %v for one driven joint", c.term, got, m.Names())
		}
		checked, beyond, most := 0, 0, 0.0
		for seed := range seeds {
			rng := rand.New(rand.NewPCG(seed, 23))
			noisy := *rec
			noisy.tau = [][]float64{make([]float64, len(rec.t))}
			for i, v := range rec.tau[0] {
				noisy.tau[0][i] = v + 0.2*rng.NormFloat64()
			}
			run := addedState(t, &noisy, c.term, c.truth, c.term)
			cfg := exact()
			cfg.Cutoff = 10
			out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), c.term), []Run{run}, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range c.truth {
				got, sigma := parameter(t, out, name)
				z := math.Abs(got-want) / sigma
				if most = max(most, z); !(z <= 3) {
					beyond++
				}
				// A deviation that is as large as the parameters tells nothing.
				if checked++; !(sigma < 0.5) {
					t.Errorf("%s: deviation %g", name, sigma)
				}
			}
		}
		// As in TestFurtherTermsWithinDeviations.
		if limit := 0.008*float64(checked) + 4*math.Sqrt(0.008*float64(checked)) + 1; float64(beyond) > limit {
			t.Errorf("%s: %d of %d parameters are beyond three deviations, the limit is %.1f", c.term, beyond, checked, limit)
		}
		t.Logf("%s, %d seeds: %d of %d parameters beyond 3 deviations, the largest distance %.2f", c.term, seeds, beyond, checked, most)
	}
}
