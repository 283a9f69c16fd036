package regressor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/robot"
)

// A compiled model has the values of the recursion, for every tree, whole
// models and selections, with mimic joints and shared drives, for any number of
// samples; and so have its momenta.
func TestCompiledIsRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 12))
		r := testrobot.Random(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		if rapid.Bool().Draw(t, "special") {
			r = testrobot.RandomSpecial(rng, 5, true)
		}
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
		m, err := NewDynamic(r, []Term{Links, Ia, Fv, Fs, Fo})
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
		fast := m.Compiled()
		n := rapid.IntRange(1, 2*Lanes+5).Draw(t, "samples")
		in := Batch{Q: states(rng, m.Joints(), n), DQ: states(rng, m.Joints(), n), DDQ: states(rng, m.Joints(), n)}
		ws, fastWs := m.NewWorkspace(), fast.NewWorkspace()
		same := func(what string, a, b *Block) {
			for k := range a.Joint {
				for c := range a.Joint[k] {
					for i, v := range a.Joint[k][c] {
						// Rounding of some hundred operations on values of the
						// order of a hundred at most.
						if w := b.Joint[k][c][i]; !(math.Abs(v-w) <= 1e-11*(1+math.Abs(v))) {
							t.Fatalf("%s: column %s of joint %d, sample %d: %.17g, compiled %.17g", what, m.Columns()[m.Mask(k)[c]].Name, k+1, i, v, w)
						}
					}
				}
			}
		}
		blocks := [4]*Block{}
		for i := range blocks {
			blocks[i] = m.NewBlock(n)
			for _, cols := range blocks[i].Joint {
				for _, col := range cols {
					for k := range col {
						col[k] = math.NaN()
					}
				}
			}
		}
		m.EvalBatch(blocks[0], in, ws)
		fast.EvalBatch(blocks[1], in, fastWs)
		same("dynamic", blocks[0], blocks[1])
		// A sample by itself has the bits that it has among others.
		alone, at := m.NewBlock(1), rng.IntN(n)
		sample := Batch{Q: cutTo(in.Q, at), DQ: cutTo(in.DQ, at), DDQ: cutTo(in.DDQ, at)}
		m.EvalBatch(alone, sample, ws)
		for k, cols := range alone.Joint {
			for c, col := range cols {
				if want := blocks[0].Joint[k][c][at]; col[0] != want {
					t.Fatalf("column %d of joint %d: %.17g alone, %.17g as sample %d", c, k+1, col[0], want, at)
				}
			}
		}
		m.EvalMomentum(blocks[0], blocks[2], in, ws)
		fast.EvalMomentum(blocks[1], blocks[3], in, fastWs)
		same("D1", blocks[0], blocks[1])
		same("D2", blocks[2], blocks[3])
		// The adjoint program against the adjoint of the recursion, which shares no
		// code with it; both add to the present value.
		gamma := m.NewBlock(n)
		for _, cols := range gamma.Joint {
			for _, col := range cols {
				for k := range col {
					col[k] = rng.NormFloat64()
				}
			}
		}
		want := [3][][]float64{states(rng, m.Joints(), n), states(rng, m.Joints(), n), states(rng, m.Joints(), n)}
		var got [3][][]float64
		for o := range want {
			for _, v := range want[o] {
				got[o] = append(got[o], slices.Clone(v))
			}
		}
		m.Pullback(want[0], want[1], want[2], gamma, in.Q, in.DQ, in.DDQ, m.NewAdjoint())
		ad := fast.NewAdjoint()
		short := fast.NewBlock(1) // memory of the first call does for a longer one
		one := func(g [][]float64) [][]float64 {
			out := make([][]float64, len(g))
			for k := range g {
				out[k] = slices.Clone(g[k][:1])
			}
			return out
		}
		fast.Pullback(one(want[0]), one(want[1]), one(want[2]), short, one(in.Q), one(in.DQ), one(in.DDQ), ad)
		fast.Pullback(got[0], got[1], got[2], gamma, in.Q, in.DQ, in.DDQ, ad)
		for o := range want {
			for k := range want[o] {
				for i, v := range want[o][k] {
					// Sums of some hundred products of weights and slopes of the order
					// of a hundred.
					if w := got[o][k][i]; !(math.Abs(v-w) <= 1e-10*(10+math.Abs(v))) {
						t.Fatalf("gradient %d of joint %d, sample %d: %.17g, compiled %.17g", o, k+1, i, v, w)
					}
				}
			}
		}
	})
}

// cutTo returns one sample of columns.
func cutTo(x [][]float64, at int) [][]float64 {
	var out [][]float64
	for _, c := range x {
		out = append(out, c[at:at+1])
	}
	return out
}

// Compiled models allocate nothing after the first evaluation.
func TestCompiledAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	m, err := NewDynamic(testrobot.Random(rng, 4, false), []Term{Links, Ia, Fv, Fs, Fo})
	if err != nil {
		t.Fatal(err)
	}
	m = m.Compiled()
	q := states(rng, m.Joints(), 100)
	b, ws := m.NewBlock(100), m.NewWorkspace()
	if n := testing.AllocsPerRun(5, func() { m.Eval(b, q, q, q, ws) }); n != 0 {
		t.Errorf("%g allocations an evaluation", n)
	}
}

// Models with columns that no program covers, or with no column for one, evaluate as
// before.
func TestCompiledWithoutLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	r := testrobot.Random(rng, 3, false)
	for j := range r.Links {
		r.Links[j].Joint.GearRatio = 10
	}
	for _, terms := range [][]Term{{Fv, Fo}, {Links, Ir}} {
		m, err := NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		q := states(rng, m.Joints(), 70)
		a, b := m.NewBlock(70), m.NewBlock(70)
		c := m.Compiled()
		if c.Compiled() != c {
			t.Error("a compiled model is compiled again")
		}
		m.Eval(a, q, q, q, m.NewWorkspace())
		c.Eval(b, q, q, q, c.NewWorkspace())
		for k := range a.Joint {
			for i := range a.Joint[k] {
				if !slices.Equal(a.Joint[k][i], b.Joint[k][i]) {
					t.Errorf("terms %v: column %d of joint %d differs", terms, i, k+1)
				}
			}
		}
	}
}

// The recursion and the program, in blocks as a fit reads them.
func BenchmarkEval(b *testing.B) {
	const n = 256
	for _, joints := range []int{6, 7, 30} {
		rng := rand.New(rand.NewPCG(uint64(joints), 8))
		r := testrobot.RandomSpecial(rng, joints, false)
		for j := range r.Links {
			r.Links[j].Joint.Kind = robot.Revolute
		}
		m, err := NewDynamic(r, []Term{Links})
		if err != nil {
			b.Fatal(err)
		}
		q := states(rng, m.Joints(), n)
		for name, m := range map[string]*Model{"recursion": m, "program": m.Compiled()} {
			b.Run(fmt.Sprintf("%d/%s", joints, name), func(b *testing.B) {
				block, ws := m.NewBlock(n), m.NewWorkspace()
				for b.Loop() {
					m.Eval(block, q, q, q, ws)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
			})
		}
	}
}

// One sample has the values of the same sample in a batch: the same bits where the compiler fuses nothing.
func TestOneSampleIsThatOfABatch(t *testing.T) {
	within := 1e-12
	if runtime.GOARCH == "amd64" {
		within = 0
	}
	rng := rand.New(rand.NewPCG(66, 1))
	for range 40 {
		r := testrobot.Random(rng, 6, true)
		if moving := r.Moving(); len(moving) > 2 {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.3})
		}
		m, err := NewDynamic(r, []Term{Links, Ia, Fv, Fs, Fo})
		if err != nil {
			t.Fatal(err)
		}
		const n = 3
		q, dq, ddq := states(rng, m.Joints(), n), states(rng, m.Joints(), n), states(rng, m.Joints(), n)
		all, one, ws := m.NewBlock(n), m.NewBlock(1), m.NewWorkspace()
		m.Eval(all, q, dq, ddq, ws)
		for i := range n {
			m.Eval(one, cutTo(q, i), cutTo(dq, i), cutTo(ddq, i), ws)
			for k := range one.Joint {
				for c := range one.Joint[k] {
					if got, want := one.Joint[k][c][0], all.Joint[k][c][i]; math.Abs(got-want) > within*(1+math.Abs(want)) {
						t.Fatalf("column %s of joint %d: %.17g, in a batch %.17g", m.Columns()[m.Mask(k)[c]].Name, k+1, got, want)
					}
				}
			}
		}
	}
}
