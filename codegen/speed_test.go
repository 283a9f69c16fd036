package codegen

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ident/internal/triangle"
	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// fastest runs batches of n samples and reports their mean and least time.
func fastest(b *testing.B, n float64, batch func()) {
	best := time.Hour
	for b.Loop() {
		start := time.Now()
		batch()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
	b.ReportMetric(float64(best.Nanoseconds())/n, "best-ns/sample")
}

// The compiled dynamic regressor against the numeric recursion, 256 samples at a
// time as a fit reads its logs. "best" is the fastest of all these batches, which
// other work on the machine disturbs least.
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
			block := v.m.NewBlock(n)
			b.Run(fmt.Sprintf("%s/%s/recursion", r.Name, v.name), func(b *testing.B) {
				ws := v.m.NewWorkspace()
				fastest(b, n, func() { v.m.Eval(block, in[:dof], in[dof:2*dof], in[2*dof:], ws) })
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
				fastest(b, n, func() { m.Run(out, in, n, s) })
				b.ReportMetric(float64(m.Steps()), "steps")
				b.ReportMetric(float64(m.Slots()), "slots")
			})
		}
	}
}

// Torques by the compiled program with base parameters and by the recursion of
// package dynamics.
func BenchmarkInverseDynamics(b *testing.B) {
	const n = 256
	for _, r := range []*robot.Robot{reference(b, "puma560_akb"), reference(b, "panda"), humanoid()} {
		tree, err := dynamics.New(r)
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		samples := func(n int) []float64 {
			v := make([]float64, n)
			for k := range v {
				v[k] = rng.NormFloat64()
			}
			return v
		}
		dof := tree.DOF()
		q, dq, ddq, tau := samples(dof), samples(dof), samples(dof), make([]float64, dof)
		b.Run(r.Name+"/recursion", func(b *testing.B) {
			fastest(b, n, func() {
				for range n {
					tree.InverseDynamics(tau, q, dq, ddq)
				}
			})
		})
		p := build(b, InverseDynamics, r, Options{Base: baseSet(b, r)})
		m := symbolic.Compile(p)
		var in, out [][]float64
		for _, x := range p.Inputs {
			if x.Kind == symbolic.Motion {
				in = append(in, samples(n))
			} else {
				in = append(in, samples(1))
			}
		}
		for range m.Entries() {
			out = append(out, make([]float64, n))
		}
		b.Run(r.Name+"/program", func(b *testing.B) {
			s := m.NewScratch()
			fastest(b, n, func() { m.Run(out, in, n, s) })
		})
	}
}

// The regressor and its reduction alone, on one core: the motion is in memory, rows of some samples stay in the second-level
// cache, every joint has its triangular factor.
func BenchmarkRowsToFactors(b *testing.B) {
	for _, c := range []struct {
		r       *robot.Robot
		samples int
	}{{reference(b, "panda"), 256}, {humanoid(), 128}} {
		numeric, err := regressor.NewDynamic(c.r, links)
		if err != nil {
			b.Fatal(err)
		}
		m := numeric.Select(baseSet(b, c.r).Base).Compiled()
		rng := rand.New(rand.NewPCG(1, 2))
		joints := m.Joints()
		in := make([][]float64, 4*joints) // positions, velocities, accelerations, torques
		for i := range in {
			in[i] = make([]float64, c.samples)
			for k := range in[i] {
				in[i][k] = rng.NormFloat64()
			}
		}
		b.Run(c.r.Name, func(b *testing.B) {
			block, ws := m.NewBlock(c.samples), m.NewWorkspace()
			factors := make([]*triangle.Factor, joints)
			for k := range factors {
				factors[k] = triangle.New(len(m.Mask(k)))
			}
			var w triangle.Work
			fastest(b, float64(c.samples), func() {
				m.Eval(block, in[:joints], in[joints:2*joints], in[2*joints:3*joints], ws)
				for k, cols := range block.Joint {
					factors[k].Add(cols, in[3*joints+k], &w)
				}
			})
		})
	}
}
