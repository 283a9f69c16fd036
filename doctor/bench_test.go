package doctor_test

import (
	"math/rand/v2"
	"testing"

	"ident/datasets"
	"ident/doctor"
)

// long is a log of many rows: the same motion again and again on one clock.
func long(rows int) (*experiment, *datasets.Log, datasets.Roles) {
	rng := rand.New(rand.NewPCG(1, 2))
	e := run(sixAxis(rng), rng, 1000, 20).measure(rng, 1e-6, 2e-3, 0.01)
	for _, set := range [][][]float64{e.q, e.dq, e.tau} {
		for j, x := range set {
			for len(x) < rows {
				x = append(x, x[:min(len(x), rows-len(x))]...)
			}
			set[j] = x
		}
	}
	e.t = make([]float64, rows)
	for k := range e.t {
		e.t[k] = float64(k) / 1000
	}
	l, roles := e.log()
	return e, l, roles
}

// BenchmarkCheck examines a million rows of a six-axis arm: 19 channels.
func BenchmarkCheck(b *testing.B) {
	e, l, roles := long(1_000_000)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if _, err := doctor.Check(b.Context(), e.robot, l, roles, e.opt); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(l.Rows())/b.Elapsed().Seconds(), "rows/s")
}
