package regressor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/robot"
)

// Torques are Y·χ, for every tree, whole models and selections, with mimic joints and
// shared drives, compiled or not, for any number of samples.
func TestTorquesAreTheRegressors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 13))
		r := testrobot.Random(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		moving := r.Moving()
		if len(moving) == 0 {
			return
		}
		if len(moving) > 1 && rapid.Bool().Draw(t, "drive") {
			r.Drives = append(r.Drives, robot.Drive{Number: moving[1], Weights: map[int]float64{moving[0]: 1, moving[1]: 2}})
		}
		if len(moving) > 2 && rapid.Bool().Draw(t, "mimic") {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.3})
		}
		m, err := NewDynamic(r, []Term{Links, Ia, Fv, Fs, Fo, LoadFs})
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "select") {
			var keep []int
			for c := range m.Columns() {
				if rng.IntN(2) == 0 {
					keep = append(keep, c)
				}
			}
			m = m.Select(keep)
		}
		n := rapid.IntRange(1, 2*torqueBlock+5).Draw(t, "samples")
		in := Batch{Q: states(rng, m.Joints(), n), DQ: states(rng, m.Joints(), n), DDQ: states(rng, m.Joints(), n), Load: states(rng, m.Joints(), n)}
		chi, sum := make([]float64, len(m.Columns())), 1.0
		for c := range chi {
			chi[c] = rng.NormFloat64()
			sum += math.Abs(chi[c])
		}
		block, want := m.NewBlock(n), states(rng, m.Joints(), n)
		m.EvalBatch(block, in, m.NewWorkspace())
		m.Predict(want, block, chi)
		for name, m := range map[string]*Model{"recursion": m, "program": m.Compiled()} {
			got := states(rng, m.Joints(), n)
			if err := NewTorques(m).Eval(got, in, chi); err != nil {
				t.Fatal(err)
			}
			both, twice := append(states(rng, m.Joints(), n), states(rng, m.Joints(), n)...), make([]float64, 2*len(chi))
			copy(twice[len(chi):], chi) // beside a set of zeros
			if err := NewTorquesOf(m, 2).Eval(both, in, twice); err != nil {
				t.Fatal(err)
			}
			for k := range want {
				for i, v := range want[k] {
					if a, b := both[k][i], both[m.Joints()+k][i]; a != 0 || !(math.Abs(v-b) <= 1e-10*sum) {
						t.Fatalf("%s, joint %d, sample %d: of two sets %.17g and %.17g, want 0 and %.17g", name, k+1, i, a, b, v)
					}
					// Wrenches of a unit parameter are of the order of a thousand at most, also along
					// directions that no joint moves in, and pass some hundred roundings.
					if w := got[k][i]; !(math.Abs(v-w) <= 1e-10*sum) {
						t.Fatalf("%s, joint %d, sample %d: %.17g, want %.17g", name, k+1, i, w, v)
					}
				}
			}
		}
	})
}

// The torques of a compiled model allocate nothing.
func TestTorquesAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m, err := NewDynamic(testrobot.Random(rng, 4, false), DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	m = m.Compiled()
	n := 3*torqueBlock + 7
	motion, tau := states(rng, m.Joints(), n), states(rng, m.Joints(), n)
	torques, chi := NewTorques(m), make([]float64, len(m.Columns()))
	if got := testing.AllocsPerRun(3, func() {
		if err := torques.Eval(tau, Batch{Q: motion, DQ: motion, DDQ: motion}, chi); err != nil {
			t.Fatal(err)
		}
	}); got > 0 {
		t.Errorf("%g allocations", got)
	}
}

// BenchmarkTorques predicts torques with the default terms: by the regressor, and
// without it.
func BenchmarkTorques(b *testing.B) {
	const n = 8192
	for _, joints := range []int{7, 30} {
		rng := rand.New(rand.NewPCG(uint64(joints), 8))
		r := testrobot.RandomSpecial(rng, joints, false)
		for j := range r.Links {
			r.Links[j].Joint.Kind = robot.Revolute
		}
		m, err := NewDynamic(r, DefaultTerms())
		if err != nil {
			b.Fatal(err)
		}
		m = m.Compiled()
		q, tau, chi := states(rng, m.Joints(), n), states(rng, m.Joints(), n), make([]float64, len(m.Columns()))
		for c := range chi {
			chi[c] = rng.NormFloat64()
		}
		in := Batch{Q: q, DQ: q, DDQ: q}
		report := func(b *testing.B) { b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample") }
		b.Run(fmt.Sprintf("%d/regressor", joints), func(b *testing.B) {
			block, ws := m.NewBlock(n), m.NewWorkspace()
			for b.Loop() {
				m.EvalBatch(block, in, ws)
				m.Predict(tau, block, chi)
			}
			report(b)
		})
		b.Run(fmt.Sprintf("%d/torques", joints), func(b *testing.B) {
			t := NewTorques(m)
			for b.Loop() {
				if err := t.Eval(tau, in, chi); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
		b.Run(fmt.Sprintf("%d/two sets", joints), func(b *testing.B) {
			t, both, sets := NewTorquesOf(m, 2), append(states(rng, m.Joints(), n), tau...), append(slices.Clone(chi), chi...)
			for b.Loop() {
				if err := t.Eval(both, in, sets); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
	}
}
