package symbolic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/vectorunit"
)

// Programs with several times as many values alive as there are registers, some of them across calls of functions, give
// the bits of the tape in machine code, with 16 registers and with 32.
func TestMoreValuesThanRegisters(t *testing.T) {
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
		want := runMachine(p, vectorunit.Portable, false, in, n)
		for _, level := range []vectorunit.Level{vectorunit.AVX2, vectorunit.AVX512} {
			for i, v := range runMachine(p, level, true, in, n) {
				for k := range v {
					if math.Float64bits(v[k]) != math.Float64bits(want[i][k]) {
						t.Fatalf("level %d: sample %d entry %d is %.17g, on the tape %.17g", level, k, i, v[k], want[i][k])
					}
				}
			}
		}
	})
}

// Executable memory goes back with its machine, and a machine that is in use keeps it.
func TestCodeIsReleased(t *testing.T) {
	g := NewGraph()
	x := g.Input(Input{Name: "x"})
	p := g.Program("f", []Node{x}, Result{Name: "y", Rows: 1, Cols: 1, Entries: []Node{g.Add(g.Mul(x, x), x)}})
	in, out := [][]float64{make([]float64, 100)}, [][]float64{make([]float64, 100)}
	for i := range in[0] {
		in[0][i] = float64(i)
	}
	for round := range 300 {
		m := Compile(p)
		if round%50 == 0 {
			runtime.GC()
		}
		m.Run(out, in, 100, m.NewScratch())
		for i, v := range out[0] {
			if w := float64(i*i + i); v != w {
				t.Fatalf("%g of %d, want %g", v, i, w)
			}
		}
	}
}
