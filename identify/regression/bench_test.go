package regression

import (
	"context"
	"testing"

	"ident/baseparams"
	"ident/observation"
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

		untested bool // without the columns of the lack-of-fit test
	}{
		{"links", []regressor.Term{regressor.Links}, Config{Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}, run, false},
		{"links-untested", []regressor.Term{regressor.Links}, Config{Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}, run, true},
		{"links-measured", []regressor.Term{regressor.Links}, exact(), measured, false},
		{"friction", regressor.DefaultTerms(), Config{Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}, run, false},
		{"friction-filtered", regressor.DefaultTerms(), Config{Path: observation.Path{Cutoff: 10, MotionCutoff: 20, Trim: 0.5}}, run, false},
		{"friction-kept", regressor.DefaultTerms(), Config{Path: observation.Path{Cutoff: 10, MotionCutoff: 20, Trim: 0.5}, long: 1}, run, false},
		{"friction-decimated", regressor.DefaultTerms(), Config{Path: observation.Path{MotionCutoff: 20, Decimate: 20, Trim: 0.5}}, run, false},
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
			pass := e.reduce
			if c.untested {
				sources, err := e.trainingSources(0)
				if err != nil {
					b.Fatal(err)
				}
				pass = func(ctx context.Context) (reduction, error) { return e.reduceSources(ctx, sources) }
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := pass(b.Context()); err != nil {
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
