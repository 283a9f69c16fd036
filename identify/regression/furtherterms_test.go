package regression

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/regressor"
)

var termSeeds = flag.Uint64("term-seeds", 0, "seeds of each term of the test of recovered terms; 0 for a few")

// Terms of friction and of periodic torques come out of noisy logs within three deviations, seed by seed, and where the
// log has none of their torque they are within three deviations of zero.
func TestFurtherTermsWithinDeviations(t *testing.T) {
	long.Only(t, "TestTermsAreRecovered stands for it")
	seeds := *termSeeds
	if seeds == 0 {
		seeds = uint64(long.Draws(20, 10, 1))
	}
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	for _, c := range []struct {
		term  regressor.Term
		truth map[string]float64
	}{
		{regressor.Quadratic, map[string]float64{"Fq1": 0.4, "Fq2": -0.2, "Fq3": 0}},
		{"Fw:8", map[string]float64{"Fwv1": -0.5, "Fws1": -0.3, "Fws2": -0.3, "Fwo3": 0.2, "Fwv3": 0}},
		{"Ft:30", map[string]float64{"Ftv1": -0.03, "Fts1": -0.02, "Fts2": -0.02, "Fto3": 0.01, "Ftv3": 0}},
		{"Fp:6/0/4", map[string]float64{"Fpv1": -0.02, "Fps1": -0.015, "Fpo3": 0.02, "Fps3": 0}},
		{"Fh:0.05/0.1/0.02+0.2", map[string]float64{"Fha1": 1, "Fha2": -0.3, "Fha3": 0, "Fhb3": 0.5}},
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

// Terms that are offered by name are chosen where the log has their torque, and left where it has none, under white noise and under
// coloured noise as that of an unmodelled part of the motion.
func TestOfferedTermsAreChosenByEvidence(t *testing.T) {
	long.Only(t, "TestTermsLevel stands for it")
	seeds := *termSeeds
	if seeds == 0 {
		seeds = uint64(long.Draws(10, 4, 1))
	}
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 30))
	offered := []regressor.Term{regressor.Quadratic, "Tr:7", regressor.Spring, "Fw:8", "Ft:30", "Fp:6", "Fh:0.1"}
	for _, c := range []struct {
		name    string
		term    regressor.Term // in the log, "" for none
		truth   map[string]float64
		colour  float64
		falsely float64 // part of the seeds in which an absent term may be chosen
	}{
		{"none, white", "", nil, 0, 0.02},
		{"none, coloured", "", nil, 0.9, 0.02},
		{"Fq", regressor.Quadratic, map[string]float64{"Fq1": 0.8, "Fq2": 0.8, "Fq3": 0.6}, 0, 0.02},
		{"Tr", "Tr:7", map[string]float64{"Tr1s1": 0.5, "Tr1c2": 0.5, "Tr1s3": 0.5}, 0, 0.02},
		{"Fw", "Fw:8", map[string]float64{"Fwv1": -0.8, "Fws1": -0.4, "Fwv2": -0.6, "Fws2": -0.4, "Fws3": -0.4}, 0, 0.02},
		{"Ks", regressor.Spring, map[string]float64{"Ks1": 1, "Ks2": 2, "Ks3": 1}, 0, 0.02},
		{"Ft", "Ft:30", map[string]float64{"Ftv1": -0.08, "Fts1": -0.04, "Ftv2": -0.08, "Fts3": -0.05}, 0, 0.02},
		{"Fp", "Fp:6", map[string]float64{"Fpv1": -0.1, "Fps1": -0.06, "Fpv2": -0.05, "Fps3": -0.1}, 0, 0.02},
		{"Fh", "Fh:0.1", map[string]float64{"Fha1": 1.5, "Fha2": 1.5, "Fha3": 1}, 0, 0.02},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, wrong, absent := 0, 0, 0
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(seed, 22))
				noisy := *rec
				noisy.tau = nil
				for k := range rec.tau {
					v, e := make([]float64, len(rec.t)), 0.0
					for i := range v {
						e = c.colour*e + 0.2*math.Sqrt(1-c.colour*c.colour)*rng.NormFloat64()
						v[i] = rec.tau[k][i] + e
					}
					noisy.tau = append(noisy.tau, v)
				}
				run := addedState(t, &noisy, c.term, c.truth, offered...)
				cfg := exact()
				cfg.Cutoff, cfg.Choices = 10, Choices{Terms: true, Offered: offered}
				out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg)
				if err != nil {
					t.Fatal(err)
				}
				chosen := ""
				for _, d := range out.Result.Selection {
					if d.Decision == "terms" {
						chosen = d.Chosen
					}
				}
				for _, o := range offered {
					if c.term == "Fp:6" && o == "Fw:8" {
						continue // of a motion of steady power heat rises as the time does
					}
					has := strings.Contains(chosen, string(o)) || o == "Fp:6" && o == c.term && strings.Contains(chosen, "Fw:8")
					switch {
					case o == c.term && has:
						found++
					case o != c.term:
						if absent++; has {
							wrong++
							t.Logf("seed %d: %s", seed, chosen)
						}
					}
				}
			}
			t.Logf("%d seeds: chosen %d times where it is there, %d of %d times where it is not", seeds, found, wrong, absent)
			if c.term != "" && found != int(seeds) {
				t.Errorf("%s was chosen in %d of %d logs that have it", c.term, found, seeds)
			}
			// Four deviations of a binomial.
			if limit := c.falsely*float64(absent) + 4*math.Sqrt(c.falsely*float64(absent)); float64(wrong) > limit {
				t.Errorf("absent terms were chosen %d of %d times, the limit is %.1f", wrong, absent, limit)
			}
		})
	}
}
