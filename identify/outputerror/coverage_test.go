package outputerror

import (
	"context"
	"flag"
	"math"
	"slices"
	"testing"

	"ident/estimate"
	"ident/internal/long"
)

// The hundred logs take ten minutes of a processor: go test ./identify/outputerror -run Coverage -seeds 100 -v
var seeds = flag.Int("seeds", 1, "logs of the coverage test")

// Six joints of which one proportional gain is known, 20 s at 1 kHz, an encoder with 0.05 mrad of noise and a velocity
// with 0.5 mrad/s, both of which the law sees: intervals hold the truth as often as they say, over all parameters, and no
// parameter is far from it. Of one log of 8 s, as in the gate, less can be said: its 70 errors are correlated.
func TestCoverage(t *testing.T) {
	long.Only(t, "TestExact has the same estimate without noise, TestOtherLaw one with it")
	x := puma(t)
	law := x.law(1)
	truth := x.all(law)
	seconds, least, most := 8.0, 0.8, 5.0
	if *seeds >= 20 {
		// Parameters move together, so that a log counts for some ten independent ones: 95 % ± 2 % of twenty logs.
		seconds, least, most = 20, 0.93, 6
	}
	held, beyond, total := 0, 0, 0
	worst, mean, squares := 0.0, make([]float64, len(truth)), make([]float64, len(truth))
	var names []string
	for seed := range *seeds {
		run := x.run(t, uint64(seed), seconds, 1, 5e-5)
		e, err := Fit(context.Background(), x.subject, law, []*Run{run}, Options{})
		if err != nil {
			t.Errorf("log %d: %v", seed, err)
			continue
		}
		names = e.Names
		if most := slices.Max(e.Explained); most > refuted {
			t.Errorf("log %d: commands explain %.3g %% of the errors under the declared law", seed, e.Explained)
		}
		for i := range e.Names {
			z := (e.X[i] - truth[i]) / math.Sqrt(e.Covariance[i][i])
			mean[i] += z / float64(*seeds)
			squares[i] += z * z / float64(*seeds)
			worst = math.Max(worst, math.Abs(z))
			if math.Abs(z) <= estimate.StudentQuantile(e.DegreesOfFreedom[i]) {
				held++
			}
			if math.Abs(z) > 3 {
				beyond++
			}
			total++
		}
	}
	if total == 0 {
		t.Fatal("no log could be fitted")
	}
	share := float64(held) / float64(total)
	t.Logf("%d logs of %g s: 95 %% intervals hold %.1f %% of %d values; %d lie beyond 3 σ, the farthest at %.1f σ", *seeds, seconds, 100*share, total, beyond, worst)
	for i, n := range names {
		t.Logf("%-8s mean %5.2f σ, root mean square %.2f σ", n, mean[i], math.Sqrt(squares[i]))
	}
	if share < least || worst > most {
		t.Errorf("intervals hold %.1f %% of the truths and the farthest is at %.1f σ", 100*share, worst)
	}
}
