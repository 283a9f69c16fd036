package estimate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/internal/triangle"
)

// BenchmarkConsistent is the whole of Solution.Consistent for an impossible
// estimate.
func BenchmarkConsistent(b *testing.B) {
	for _, n := range []int{7, 30} {
		b.Run(fmt.Sprintf("%dlinks", n), func(b *testing.B) {
			r := testrobot.Random(rand.New(rand.NewPCG(3, 4)), n, false)
			x := newExperiment(b, r, 50, 12)
			tau := x.torque()
			rng := rand.New(rand.NewPCG(4, 4))
			for k := range tau {
				for i := range tau[k] {
					tau[k][i] += rng.NormFloat64()
				}
			}
			var work triangle.Work
			s, err := x.reduce(tau, 0, x.rows.Rows, 20, &work).Solve(WLS, false)
			if err != nil {
				b.Fatal(err)
			}
			steps := 0
			for b.Loop() {
				c, err := s.Consistent(r, x.set, ConsistentOptions{})
				if err != nil {
					b.Fatal(err)
				}
				steps = c.Iterations
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}
