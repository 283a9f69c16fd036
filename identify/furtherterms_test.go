package identify

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/regressor"
)

var termSeeds = flag.Uint64("term-seeds", 0, "seeds of each term of the test of recovered terms; 0 for a few")

// Terms of friction and of periodic torques come out of noisy logs within three deviations, seed by seed, and where the
// log has none of their torque they are within three deviations of zero.
func TestFurtherTermsWithinDeviations(t *testing.T) {
	seeds := *termSeeds
	if seeds == 0 {
		seeds = uint64(long.Of(20, 4, 2))
	}
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	for _, c := range []struct {
		term  regressor.Term
		truth map[string]float64
	}{
		{regressor.Quadratic, map[string]float64{"Fq1": 0.4, "Fq2": -0.2, "Fq3": 0}},
		{"Tr:7/11/3+4", map[string]float64{"Tr1s1": 0.3, "Tr1c1": -0.1, "Tr1s2": 0.2, "Tr1c2": 0, "Tr1s3": 0, "Tr2s3": -0.4, "Tr2c3": 0.1}},
	} {
		t.Run(string(c.term), func(t *testing.T) {
			checked, beyond, most := 0, 0, 0.0
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(seed, 21))
				noisy := *rec
				noisy.tau = nil
				for k := range rec.tau {
					v := make([]float64, len(rec.t))
					for i := range v {
						v[i] = rec.tau[k][i] + 0.2*rng.NormFloat64()
					}
					noisy.tau = append(noisy.tau, v)
				}
				run := added(t, &noisy, "a", []regressor.Term{c.term}, c.truth, regressor.Batch{})
				cfg := exact()
				cfg.Cutoff = 10
				out, err := Fit(t.Context(), r, append(regressor.DefaultTerms(), c.term), []Run{run}, nil, cfg)
				if err != nil {
					t.Fatal(err)
				}
				for name, want := range c.truth {
					got, sigma := parameter(t, out, name)
					z := math.Abs(got-want) / sigma
					checked++
					if most = max(most, z); !(z <= 3) {
						beyond++
					}
				}
			}
			// A normal error is beyond three deviations in 0.27 % of the draws; the deviations come from some fifty
			// blocks of time, which makes it 0.4 % (Student). Four deviations of a binomial of twice that.
			if limit := 0.008*float64(checked) + 4*math.Sqrt(0.008*float64(checked)) + 1; float64(beyond) > limit {
				t.Errorf("%d of %d parameters are beyond three deviations, the limit is %.1f", beyond, checked, limit)
			}
			t.Logf("%d seeds: %d of %d parameters beyond 3 deviations, the largest distance %.2f", seeds, beyond, checked, most)
		})
	}
}
