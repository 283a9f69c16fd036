package identify

import (
	"testing"

	"ident/baseparams"
	"ident/regressor"
)

// BenchmarkReduce is the one pass of a fit on one core, from positions to the
// triangular factors of a seven-joint arm: differences, regressor, the filter of
// both sides where there is one, and reduction. The log is in memory.
func BenchmarkReduce(b *testing.B) {
	r := arm(7)
	run := positionsOnly(simulate(b, r, newTrajectory(7, 1, 0.1), steady(1000, 60)).run("bench"))
	measured := simulate(b, r, newTrajectory(7, 1, 0.1), steady(1000, 60)).run("bench")
	for _, c := range []struct {
		name  string
		terms []regressor.Term
		cfg   Config
		run   Run
	}{
		{"links", []regressor.Term{regressor.Links}, Config{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}, run},
		{"links-measured", []regressor.Term{regressor.Links}, exact(), measured},
		{"friction", regressor.DefaultTerms(), Config{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}, run},
		{"friction-filtered", regressor.DefaultTerms(), Config{Cutoff: 10, MotionCutoff: 20, Trim: 0.5}, run},
		{"friction-kept", regressor.DefaultTerms(), Config{Cutoff: 10, MotionCutoff: 20, Trim: 0.5, long: 1}, run},
		{"friction-decimated", regressor.DefaultTerms(), Config{MotionCutoff: 20, Decimate: 20, Trim: 0.5}, run},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := c.cfg
			cfg.Workers = 1
			cfg = cfg.withDefaults([]Run{c.run})
			full, err := regressor.NewDynamic(r, c.terms)
			if err != nil {
				b.Fatal(err)
			}
			set := baseparams.QR(full, baseparams.Options{})
			e, err := open(b.Context(), cfg, parametrization{model: full.Select(set.Base).Compiled()}, []Run{c.run}, 1)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.reduce(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			samples := float64(c.run.Log.Rows()) * float64(b.N)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/samples, "ns/sample")
			b.ReportMetric(7*samples/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(set.Count()), "columns")
		})
	}
}
