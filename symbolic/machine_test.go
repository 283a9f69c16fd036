package symbolic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/vectorunit"
)

// runMachine evaluates a program by a machine.
func runMachine(p *Program, vectors bool, in [][]float64, n int) [][]float64 {
	m := compile(p, vectors)
	out := make([][]float64, m.Entries())
	for i := range out {
		out[i] = make([]float64, n)
		fill(out[i], 7) // old contents must not show
	}
	m.Run(out, in, n, m.NewScratch())
	return out
}

// A machine computes the values of Eval, for any number of samples, and the same
// bits in vector registers and in Go. Fusing saves roundings, and sines differ by
// a rounding: at most 40 steps on values below 50, with roots of 1e-3 among them.
func TestMachineIsEval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, args, at, nodes, _ := build(t, rapid.IntRange(1, 40).Draw(t, "steps"))
		last := nodes[max(0, len(nodes)-6):]
		last = append(last[:len(last):len(last)], 0, One, args[0], g.Sign(last[0]))
		p := g.Program("all", args, Result{Name: "y", Rows: 2, Cols: len(last) / 2, Entries: last[:len(last)/2*2]},
			Result{Name: "z", Rows: 1, Cols: 1, Entries: nodes[len(nodes)-1:]})
		n := rapid.IntRange(1, 3*Lanes+1).Draw(t, "samples")
		in := make([][]float64, len(args))
		for i := range in {
			in[i] = make([]float64, n)
			for k := range n {
				in[i][k] = at[i] + 1e-3*float64(k%5)
			}
		}
		if rapid.Bool().Draw(t, "uniform") {
			in[1] = in[1][:1]
			for i := range in[1] {
				in[1][i] = at[1]
			}
		}
		want := runMachine(p, false, in, n)
		for k := range n {
			x := make([]float64, len(in))
			for i := range in {
				x[i] = in[i][min(k, len(in[i])-1)]
			}
			entry := 0
			for _, o := range p.Eval(x) {
				for _, v := range o {
					if d := math.Abs(want[entry][k] - v); !(d <= 1e-9*(1+math.Abs(v))) {
						t.Fatalf("sample %d entry %d is %.17g, want %.17g", k, entry, want[entry][k], v)
					}
					entry++
				}
			}
		}
		for i, v := range runMachine(p, vectorunit.AVX2(), in, n) {
			for k := range v {
				if math.Float64bits(v[k]) != math.Float64bits(want[i][k]) {
					t.Fatalf("sample %d entry %d is %.17g, in Go %.17g", k, i, v[k], want[i][k])
				}
			}
		}
	})
}

// Sines and cosines are accurate to a unit in the last place near 0, absolutely
// to 2e-16 elsewhere, right for values that are no angle, and the same bits in
// vector registers and in Go.
func TestSincos(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	g := NewGraph()
	q := g.Input(Input{Name: "q"})
	p := g.Program("trig", []Node{q}, Result{Name: "y", Rows: 2, Cols: 1, Entries: []Node{g.Sin(q), g.Cos(q)}})
	x := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -math.Inf(1), 1e300, farAngle, -farAngle, 2 * farAngle, 1e-310, math.Pi, -math.Pi / 2}
	for range 20000 {
		x = append(x, rng.NormFloat64()*math.Exp(rng.Float64()*18-8))
	}
	for k := range 400 {
		x = append(x, float64(k-200)*math.Pi/4, math.Nextafter(float64(k)*math.Pi/4, 0))
	}
	want := runMachine(p, false, [][]float64{x}, len(x))
	for i, v := range x {
		s, c := math.Sincos(v)
		for k, w := range []float64{s, c} {
			got := want[k][i]
			// math.Sincos is itself within an ulp.
			if d := math.Abs(got - w); !(d <= 2.5e-16) && !(math.IsNaN(got) && math.IsNaN(w)) {
				t.Fatalf("of %g: %.17g, want %.17g", v, got, w)
			}
		}
		if s := want[0][i]; math.Abs(v) < 1e-3 && math.Abs(s-math.Sin(v)) > 4e-16*math.Abs(v) {
			t.Fatalf("sine of %g is %.17g", v, s)
		}
	}
	for k, v := range runMachine(p, vectorunit.AVX2(), [][]float64{x}, len(x)) {
		for i := range v {
			if math.Float64bits(v[i]) != math.Float64bits(want[k][i]) && !math.IsNaN(v[i]) {
				t.Fatalf("of %g: %.17g, in Go %.17g", x[i], v[i], want[k][i])
			}
		}
	}
}

// Programs that keep several times as many values alive as a block of a robot's model does, some of them across calls of functions,
// give the same bits in vector registers as in plain Go.
func TestManyValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		g := NewGraph()
		var args []Node
		for i := range rapid.IntRange(1, 50).Draw(t, "inputs") {
			args = append(args, g.Input(Input{Name: fmt.Sprintf("x%d", i), Kind: InputKind(i % 2), Group: "x", Index: i}))
		}
		nodes := append([]Node(nil), args...)
		nodes = append(nodes, g.Float(0.3), g.Float(-1.25))
		pick := func() Node { return nodes[rng.IntN(len(nodes))] }
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			var n Node
			switch rng.IntN(12) {
			case 0, 1:
				n = g.Add(pick(), pick())
			case 2, 3:
				n = g.Sub(pick(), pick())
			case 4:
				n = g.Mul(args[rng.IntN(len(args))], pick())
			case 5:
				n = g.Sin(pick())
			default: // sums of products, which are fused
				n = g.Add(g.Mul(args[rng.IntN(len(args))], pick()), pick())
			}
			nodes = append(nodes, n, -n)
		}
		p := g.Program("wide", args, Result{Name: "y", Rows: 1, Cols: len(nodes), Entries: nodes})
		n := rapid.IntRange(1, 2*Lanes+1).Draw(t, "samples")
		in := make([][]float64, len(args))
		for i := range in {
			in[i] = make([]float64, n)
			for k := range in[i] {
				in[i][k] = 2*rng.Float64() - 1
			}
		}
		want := runMachine(p, false, in, n)
		for i, v := range runMachine(p, vectorunit.AVX2(), in, n) {
			for k := range v {
				if math.Float64bits(v[k]) != math.Float64bits(want[i][k]) {
					t.Fatalf("sample %d entry %d is %.17g, in Go %.17g", k, i, v[k], want[i][k])
				}
			}
		}
	})
}

// A machine allocates nothing, leaves structural zeros alone where out has no
// slice for them, and names the slice that does not fit.
func TestMachineUse(t *testing.T) {
	g := NewGraph()
	x := g.Input(Input{Name: "x"})
	unused := g.Input(Input{Name: "y"})
	p := g.Program("f", []Node{x, unused}, Result{Name: "v", Rows: 3, Cols: 1, Entries: []Node{g.Mul(x, x), 0, g.Sin(x)}})
	m := Compile(p)
	s := m.NewScratch()
	in := [][]float64{make([]float64, 100), nil}
	out := [][]float64{make([]float64, 100), nil, make([]float64, 100)}
	if n := testing.AllocsPerRun(10, func() { m.Run(out, in, 100, s) }); n != 0 {
		t.Errorf("%g allocations a run", n)
	}
	m.Run(out, in, 0, s)
	for what, f := range map[string]func(){
		"missing input":   func() { m.Run(out, in[:1], 100, s) },
		"short input":     func() { m.Run(out, in, 101, s) },
		"short output":    func() { m.Run([][]float64{out[0], nil, out[2][:3]}, in, 100, s) },
		"missing output":  func() { m.Run([][]float64{nil, nil, out[2]}, in, 100, s) },
		"foreign scratch": func() { m.Run(out, in, 100, &Scratch{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", what)
				}
			}()
			f()
		}()
	}
}

func BenchmarkSincos(b *testing.B) {
	x := make([]float64, Lanes)
	for i := range x {
		x[i] = float64(i)
	}
	s, c := make([]float64, Lanes), make([]float64, Lanes)
	for _, vectors := range []bool{false, vectorunit.AVX2()} {
		m := &Machine{vectors: vectors}
		b.Run(fmt.Sprintf("vectors=%t", vectors), func(b *testing.B) {
			for b.Loop() {
				m.sincos(s, c, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/sample")
		})
	}
}
