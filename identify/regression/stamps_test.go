package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/observation"
)

// Stamps that are noise leave a fit as it is with the exact stamps, within a tenth of its error; rows that were sampled at jittered times are
// read at their stamps. The error is that of the torques, and the noise that of the log.
func TestStampsThatAreNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 9))
	for i := range long.Of(40, 2) {
		rate := 50 * math.Pow(4, rng.Float64())
		jitter := min(1e-4*math.Pow(30, rng.Float64()), 0.15/rate)
		r := arm(2)
		exact := steady(rate, 20)
		stamps := slices.Clone(exact)
		for k := range stamps {
			stamps[k] = math.Round((stamps[k]+jitter*rng.NormFloat64())/1e-4) * 1e-4
		}
		fitted := func(sampled, stamped []float64) (percent float64, noted bool) {
			rec := simulate(t, r, newTrajectory(2, uint64(i+1), 0.1), sampled)
			noise := rand.New(rand.NewPCG(1, uint64(i)))
			for j := range rec.q {
				for k := range rec.t {
					rec.q[j][k] += 2e-6 * noise.NormFloat64()
					rec.tau[j][k] += 0.02 * noise.NormFloat64()
				}
			}
			rec.t = stamped
			out := fit(t, r, Config{Path: observation.Path{Cutoff: 5}}, positionsOnly(rec.run("log")))
			return out.Result.Fit.RelativeError.Stacked, slices.ContainsFunc(out.Result.Notes, func(s string) bool { return strings.Contains(s, "steady clock") })
		}
		want, _ := fitted(exact, exact)
		got, noted := fitted(exact, stamps)
		if t.Logf("%.4g Hz, %.2g ms: %.4g with exact stamps, %.4g", rate, 1e3*jitter, want, got); !noted || !(got <= 1.1*want) {
			t.Errorf("%.4g Hz, %.2g ms: %.4g for %.4g with exact stamps, noted: %v", rate, 1e3*jitter, got, want, noted)
		}
		if _, noted := fitted(stamps, stamps); noted {
			t.Errorf("%.4g Hz, %.2g ms: rows that were sampled at their stamps are read on a clock", rate, 1e3*jitter)
		}
	}
}
