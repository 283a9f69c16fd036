package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
)

// Stamps that are off by up to most of an interval, in whole units of about its size, tell the rows that are missing: the others are
// read on their own clock.
func TestJitteredFindsLostRows(t *testing.T) {
	logs := long.Of(400, 20)
	all, found, gaps, rows, late := 0, 0, 0, 0, 0
	for seed := range uint64(logs) {
		rng := rand.New(rand.NewPCG(seed, 58))
		dt := 0.001 * (1 + 0.02*rng.NormFloat64())
		jitter, share := 0.3*rng.Float64()*0.001, 0.01*rng.Float64()
		var stamps, truth []float64
		latest := math.Inf(-1)
		for k := range 10000 {
			at := float64(k) * dt
			latest = max(latest, math.Round(1e3*(at+jitter*rng.NormFloat64()))/1e3)
			if k > 0 && rng.Float64() < share {
				continue
			}
			stamps, truth = append(stamps, latest), append(truth, at)
		}
		times := NewTimes(stamps)
		if _, _, _, ok := times.Regular(times.Clock()); ok {
			continue // stamps that are rounded, and no more
		}
		all++
		clock, _, ok := times.Jittered(times.Clock())
		if !ok {
			t.Logf("%d: no clock: %.4g s, jitter %.2g s, %.2g %% lost", seed, dt, jitter, 100*share)
			continue
		}
		found++
		gaps += 10000 - len(truth)
		rows += len(truth)
		off := 0.0
		for k, at := range clock.All() {
			off += (at - truth[k]) / float64(len(truth))
		}
		for k, at := range clock.All() {
			if d := math.Abs(at - truth[k] - off); d > 0.5*dt {
				late++
			}
		}
	}
	t.Logf("a clock in %d of %d logs; %d rows of %d are off by more than half an interval, beside %d lost ones", found, all, late, rows, gaps)
	if found < all*9/10 || late > rows/10 { // one row that is counted too many turns the line through all
		t.Errorf("a clock in %d of %d logs, %d rows of %d misplaced", found, all, late, rows)
	}
}
