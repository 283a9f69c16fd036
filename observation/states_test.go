package observation

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/datasets"
	"ident/regressor"
)

// Chunks of any length have the states that the whole run has, and so has a segment behind rows that are left out.
func TestStatesOfChunks(t *testing.T) {
	const n, dt = 3000, 0.01
	rng := rand.New(rand.NewPCG(3, 21))
	times, q, tau := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		times[i] = dt * float64(i)
		q[i] = math.Sin(0.7*times[i]) + 0.2*math.Sin(5*times[i]) + 1e-4*rng.NormFloat64()
		tau[i] = rng.NormFloat64()
	}
	log := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "tau1"}}, [][]float64{times, q, tau}, nil)
	run := &Run{Name: "log", Log: log, Last: n, Roles: datasets.Roles{T: "t", Q: []string{"q1"}, Tau: []string{"tau1"}, Current: []string{""}},
		States: regressor.States{Heating: []float64{4}, Widths: [][]float64{{0.02, 0.5}}}}
	layout := NewLayout(run, Choice{})
	collect := func(seg *Segment, plan Plan) (out [3][]float64) {
		t.Helper()
		for k := range out {
			out[k] = make([]float64, n)
		}
		source := Source{Run: run, Segment: seg, Layout: layout, Plan: plan}
		err := Pass(t.Context(), []Source{source}, 2, func(_ int, c *Chunk) (struct{}, error) {
			in := regressor.Batch{Q: c.Columns[:1]}
			c.Supply(&in, regressor.NeedHeat|regressor.NeedPresliding)
			for s := c.First; s < c.Last; s++ {
				at := seg.First + s
				out[0][at], out[1][at], out[2][at] = in.Heat[0][s-c.Start], in.Presliding[0][s-c.Start], in.Presliding[1][s-c.Start]
			}
			return struct{}{}, nil
		}, func(struct{}) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	whole := &Segment{Last: n, Uniform: true, DT: dt, N: n}
	want := collect(whole, Plan{Core: n})
	// The stop operator of the outer width by its definition, from the positions.
	z := 0.0
	for i := 1; i < n; i++ {
		if z = math.Max(-1, math.Min(1, z+(q[i]-q[i-1])/0.02)); math.Abs(z-want[1][i]) > 1e-9 {
			t.Fatalf("row %d: state %g, want %g", i+1, want[1][i], z)
		}
	}
	behind := &Segment{First: 700, Last: n, Uniform: true, T0: 7, DT: dt, N: n - 700}
	for name, got := range map[string][3][]float64{"small chunks": collect(whole, Plan{Core: 97, Overlap: 41}), "behind rows": collect(behind, Plan{Core: 256, Overlap: 64})} {
		for k := range got {
			for i := 700; i < n; i++ {
				if got[k][i] != want[k][i] {
					t.Fatalf("%s: state %d in row %d: %g, want %g", name, k, i+1, got[k][i], want[k][i])
				}
			}
		}
	}
}
