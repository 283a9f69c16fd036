package physical

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/estimatortest"
	"ident/internal/testrobot"
	"ident/internal/triangle"
)

// BenchmarkConsistent times Consistent for an infeasible estimate.
func BenchmarkConsistent(b *testing.B) {
	for _, n := range []int{7, 30, 50} {
		b.Run(fmt.Sprintf("%dlinks", n), func(b *testing.B) {
			r := testrobot.Random(rand.New(rand.NewPCG(3, 4)), n, false)
			x := estimatortest.NewExperiment(b, r, 50, 12)
			tau := x.Torque()
			rng := rand.New(rand.NewPCG(4, 4))
			for k := range tau {
				for i := range tau[k] {
					tau[k][i] += rng.NormFloat64()
				}
			}
			var work triangle.Work
			s, err := x.Reduce(tau, 0, x.Rows.Rows, 20, &work).Solve(estimate.WLS, false)
			if err != nil {
				b.Fatal(err)
			}
			steps := 0
			for b.Loop() {
				c, err := Consistent(s, r, x.Set, Options{})
				if err != nil {
					b.Fatal(err)
				}
				steps = c.Iterations
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}
