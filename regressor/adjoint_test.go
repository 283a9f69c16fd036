package regressor

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
)

// The adjoint against differences of the eighth order of Σ gamma·Y, for trees
// of revolute, prismatic and fixed joints, a joint that follows another, a
// shared drive, and a model of few columns.
func TestPullback(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 30 {
		r := testrobot.Random(rng, 5, trial%2 == 1)
		r.Gravity = [3]float64{1, -2, -9}
		moving := r.Moving()
		if trial%3 == 0 && len(moving) > 2 {
			r.Mimics = []robot.Mimic{{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.2}}
		} else if len(moving) > 1 {
			r.Drives = []robot.Drive{{Number: moving[1], Weights: map[int]float64{moving[0]: 0.5, moving[1]: 1}}}
		}
		m, err := NewDynamic(r, []Term{Links, Ia, Fv, Fo})
		if err != nil {
			t.Fatal(err)
		}
		if trial%4 == 0 {
			m = m.Select([]int{3, 7, 9, len(m.Columns()) - 2})
		}
		const samples = 3
		n := m.Joints()
		draw := func() [][]float64 {
			g := make([][]float64, n)
			for k := range g {
				g[k] = make([]float64, samples)
				for i := range g[k] {
					g[k][i] = 2 * rng.NormFloat64()
				}
			}
			return g
		}
		motion := [3][][]float64{draw(), draw(), draw()}
		gamma, y, ws := m.NewBlock(samples), m.NewBlock(samples), m.NewWorkspace()
		for k := range gamma.Joint {
			for c := range gamma.Joint[k] {
				for i := range gamma.Joint[k][c] {
					gamma.Joint[k][c][i] = rng.NormFloat64()
				}
			}
		}
		sum := func() (s float64) {
			m.Eval(y, motion[0], motion[1], motion[2], ws)
			for k := range y.Joint {
				for c := range y.Joint[k] {
					for i, v := range y.Joint[k][c] {
						s += v * gamma.Joint[k][c][i]
					}
				}
			}
			return s
		}
		var got [3][][]float64
		for o := range got {
			got[o] = draw()
			for k := range got[o] {
				clear(got[o][k])
			}
		}
		m.Pullback(got[0], got[1], got[2], gamma, motion[0], motion[1], motion[2], m.NewAdjoint())
		size := 1.0
		for o := range got {
			for k := range got[o] {
				for _, v := range got[o][k] {
					size = max(size, math.Abs(v))
				}
			}
		}
		for o := range got {
			for k := range got[o] {
				for i := range got[o][k] {
					const h = 0.02
					x := motion[o][k][i]
					want := 0.0
					for s, w := range [...]float64{4. / 5, -1. / 5, 4. / 105, -1. / 280} {
						for _, sign := range [2]float64{1, -1} {
							motion[o][k][i] = x + sign*h*float64(s+1)
							want += sign * w * sum() / h
						}
					}
					motion[o][k][i] = x
					// Degree 2 in sin and cos of each angle: the formula is off by (2h)⁸/630,
					// rounding by ε/h of the sum.
					if math.Abs(got[o][k][i]-want) > 1e-10*size {
						t.Errorf("trial %d: order %d, joint %d, sample %d: %g, differences %g", trial, o, k+1, i, got[o][k][i], want)
					}
				}
			}
		}
	}
}

func BenchmarkPullback(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	m, err := NewDynamic(testrobot.Random(rng, 7, false), DefaultTerms())
	if err != nil {
		b.Fatal(err)
	}
	const samples = 100
	g := func() [][]float64 {
		x := make([][]float64, m.Joints())
		for k := range x {
			x[k] = make([]float64, samples)
			for i := range x[k] {
				x[k][i] = rng.NormFloat64()
			}
		}
		return x
	}
	gamma, ad := m.NewBlock(samples), m.NewAdjoint()
	for k := range gamma.Joint {
		for c := range gamma.Joint[k] {
			for i := range gamma.Joint[k][c] {
				gamma.Joint[k][c][i] = rng.NormFloat64()
			}
		}
	}
	q, dq, ddq, a, v, c := g(), g(), g(), g(), g(), g()
	b.ReportAllocs()
	for b.Loop() {
		m.Pullback(a, v, c, gamma, q, dq, ddq, ad)
	}
}
