package identify

import (
	"testing"
	"time"

	"ident/baseparams"
	"ident/internal/triangle"
	"ident/regressor"
)

// BenchmarkRowsToFactors is the regressor and its reduction alone, on one core and some samples at a time: the motion is in
// memory, the rows stay in the second-level cache, every joint has its triangular factor. "best" is the fastest batch, which
// other work on the machine disturbs least.
func BenchmarkRowsToFactors(b *testing.B) {
	for _, c := range []struct{ joints, samples int }{{7, 256}, {30, 64}} {
		r := arm(c.joints)
		full, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
		if err != nil {
			b.Fatal(err)
		}
		set := baseparams.QR(full, baseparams.Options{})
		m := full.Select(set.Base).Compiled()
		rec := simulate(b, r, newTrajectory(c.joints, 1, 0.1), steady(1000, float64(c.samples)/1000))
		b.Run(r.Name, func(b *testing.B) {
			block, ws := m.NewBlock(c.samples), m.NewWorkspace()
			factors := make([]*triangle.Factor, c.joints)
			for k := range factors {
				factors[k] = triangle.New(len(m.Mask(k)))
			}
			var w triangle.Work
			best, rows := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				m.Eval(block, rec.q, rec.dq, rec.ddq, ws)
				rows = min(rows, time.Since(start))
				for k, cols := range block.Joint {
					factors[k].Add(cols, rec.tau[k], &w)
				}
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Nanoseconds())/float64(c.samples), "best-ns/sample")
			b.ReportMetric(float64(rows.Nanoseconds())/float64(c.samples), "best-regressor-ns/sample")
			b.ReportMetric(float64(set.Count()), "columns")
		})
	}
}
