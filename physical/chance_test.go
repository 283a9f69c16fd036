package physical

import (
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/internal/triangle"
)

// The distance of sound estimates is within the limit of Chance. That of estimates from torques behind a filter of the first order is beyond it more
// often than beyond the limit that holds for all robots.
func TestChance(t *testing.T) {
	sound, faulty, everywhere, n, lost := 0, 0, 0, 0, 0
	for seed := range uint64(long.Of(200, 24)) {
		rng := rand.New(rand.NewPCG(4, seed))
		r := testrobot.Random(rng, 4+int(seed%3), false)
		x := estimatortest.NewExperiment(t, r, 50, 12)
		for _, pole := range []float64{1, 0.7} {
			tau := x.Torque()
			for k := range tau {
				for i, last := 0, tau[k][0]; i < len(tau[k]); i++ {
					last += pole * (tau[k][i] - last)
					tau[k][i] = last + 0.1*rng.NormFloat64()
				}
			}
			var work triangle.Work
			s, err := x.Reduce(tau, 0, x.Rows.Rows, 20, &work).Solve(estimate.WLS, false)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Consistent(s, r, x.Set, Options{})
			if err != nil || c.Possible {
				continue
			}
			distance, limit, ok := Chance(s, r, x.Set, Options{}, c.Base)
			switch {
			case !ok:
				lost++
			case distance > 1.1*c.Distance: // the prior, whose weight is small, pulls both
				t.Errorf("seed %d: %g away in the metric in which %g is the least distance found", seed, distance, c.Distance)
			case pole == 1:
				n++
				if distance > limit {
					sound++
				}
			default:
				if distance > limit {
					faulty++
				}
				if c.Distance > c.Limit {
					everywhere++
				}
			}
		}
	}
	t.Logf("%d sound logs: %d beyond the limit; faulty ones: %d beyond it, %d beyond that of all robots", n, sound, faulty, everywhere)
	if lost > n/50 {
		t.Errorf("%d of %d distances were not found", lost, 2*n)
	}
	if sound > n/50 || faulty < everywhere || long.Set() && faulty == everywhere {
		t.Errorf("%d of %d sound logs beyond the limit, faulty ones: %d beyond it, %d beyond that of all robots", sound, n, faulty, everywhere)
	}
}

// The smallest of the solutions that fit is as far from the feasible ones as the combinations are that the data determine.
func TestDistanceOfSmallestSolution(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(5, 1)), 5, false)
	x := estimatortest.NewExperiment(t, r, 50, 0.6)
	var work triangle.Work
	tau := x.Torque()
	rng := rand.New(rand.NewPCG(5, 2))
	for k := range tau {
		for i := range tau[k] {
			tau[k][i] += 1e-3 * rng.NormFloat64()
		}
	}
	s, err := x.Reduce(tau, 0, x.Rows.Rows, 5, &work).Solve(estimate.WLS, true)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Consistent(s, r, x.Set, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("rank %d of %d, possible %v, %g away", s.Rank, len(s.X), c.Possible, c.Distance)
	if s.Rank == len(s.X) || c.Distance > c.Limit {
		t.Errorf("rank %d of %d parameters: a sound log is %g away, limit %g", s.Rank, len(s.X), c.Distance, c.Limit)
	}
}
