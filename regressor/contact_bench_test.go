package regressor_test

import (
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/regressor"
)

// The columns of a contact and of a wrench, with their frames along batches of samples, beside the same gradient by package
// kinematics, sample by sample: some 1.5 times its time, so that the regressor keeps its own. In a model with links
// the frames' sines are there anyway.
func BenchmarkContactFrames(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := testrobot.Random(rng, 7, false)
	const n = 256
	grid := func(rows int) [][]float64 {
		out := make([][]float64, rows)
		for i := range out {
			out[i] = make([]float64, n)
			for k := range out[i] {
				out[i][k] = rng.NormFloat64()
			}
		}
		return out
	}
	q, dq, ddq := grid(7), grid(7), grid(7)
	name := r.Links[6].Name
	for _, c := range []struct {
		name  string
		terms []regressor.Term
	}{{"bare", []regressor.Term{regressor.Fv}}, {"contact", []regressor.Term{regressor.Fv, regressor.ContactAt(name, []float64{0.1, 0.2, 0.3, 0, 0, 1})}}, {"wrench", []regressor.Term{regressor.Fv, regressor.Term("wrench:" + name)}}} {
		m, err := regressor.NewDynamic(r, c.terms)
		if err != nil {
			b.Fatal(err)
		}
		ws, blk := m.NewWorkspace(), m.NewBlock(n)
		b.Run(c.name, func(b *testing.B) {
			in := regressor.Batch{Q: q, DQ: dq, DDQ: ddq, Contact: [2][]float64(grid(2)), Wrench: [6][]float64(grid(6))}
			for b.Loop() {
				m.EvalBatch(blk, in, ws)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
		})
	}
	b.Run("kinematics", func(b *testing.B) {
		t, err := kinematics.New(r)
		if err != nil {
			b.Fatal(err)
		}
		p, g := t.NewSamplePose(), grid(7)
		for b.Loop() {
			for s := range n {
				p.Place(q, nil, s)
				p.AddPositionGradient(g, s, 6, p.Point(6, [3]float64{0.1, 0.2, 0.3}), [3]float64{0, 0, 1}, 1)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
	})
}
