package codegen

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// The compiled dynamic regressor against the numeric recursion, on a log of
// 4096 samples that both have in the cache of the second level at most in parts.
func BenchmarkRegressor(b *testing.B) {
	const n = 256
	for _, r := range []*robot.Robot{reference(b, "puma560_akb"), reference(b, "panda"), humanoid()} {
		numeric, err := regressor.NewDynamic(r, links)
		if err != nil {
			b.Fatal(err)
		}
		set := baseSet(b, r)
		rng := rand.New(rand.NewPCG(1, 2))
		in := make([][]float64, 3*numeric.Joints())
		for i := range in {
			in[i] = make([]float64, n)
			for k := range in[i] {
				in[i][k] = rng.NormFloat64()
			}
		}
		dof := numeric.Joints()
		for _, v := range []struct {
			name string
			m    *regressor.Model
			opt  Options
		}{{"standard", numeric, Options{}}, {"base", numeric.Select(set.Base), Options{Base: set}}} {
			report := func(b *testing.B) {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
			}
			block := v.m.NewBlock(n)
			b.Run(fmt.Sprintf("%s/%s/recursion", r.Name, v.name), func(b *testing.B) {
				ws := v.m.NewWorkspace()
				for b.Loop() {
					v.m.Eval(block, in[:dof], in[dof:2*dof], in[2*dof:], ws)
				}
				report(b)
			})
			p := build(b, DynamicRegressor, r, v.opt)
			m := symbolic.Compile(p)
			out := make([][]float64, m.Entries())
			for k := range dof {
				for c, col := range v.m.Mask(k) {
					out[k*len(v.m.Columns())+col] = block.Joint[k][c]
				}
			}
			b.Run(fmt.Sprintf("%s/%s/program", r.Name, v.name), func(b *testing.B) {
				s := m.NewScratch()
				for b.Loop() {
					m.Run(out, in, n, s)
				}
				report(b)
				b.ReportMetric(float64(m.Steps()), "steps")
				b.ReportMetric(float64(m.Slots()), "slots")
			})
		}
	}
}
