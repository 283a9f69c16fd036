package symbolic

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every operation with a derivative, against central differences of the weighted
// sum; a value used twice and an input without use included.
func TestAdjointIsTheGradient(t *testing.T) {
	g := NewGraph()
	var x []Node
	for i, name := range []string{"a", "b", "c", "idle"} {
		x = append(x, g.Input(Input{Name: name, Kind: Motion, Group: "x", Index: i}))
	}
	a, b, c := x[0], x[1], x[2]
	ab := g.Mul(a, b)
	entries := []Node{
		g.Add(g.Mul(ab, ab), g.Sin(c)), g.Sub(g.Cos(g.Add(a, g.Mul(g.Int(3), c))), ab), g.Div(a, g.Add(b, g.Int(4))),
		g.Sqrt(g.Add(g.Mul(c, c), g.Int(1))), g.Mul(g.Abs(b), g.Sign(c)), 0, -a, g.Int(7),
	}
	p := g.Program("f", x, Result{Name: "y", Rows: 2, Cols: 3, Entries: entries[:6]}, Result{Name: "z", Rows: 1, Cols: 2, Entries: entries[6:]})
	adjoint := p.Adjoint()
	if len(adjoint.Inputs) != len(x)+len(entries) || len(adjoint.Outputs) != 1 || len(adjoint.Outputs[0].Entries) != len(x) {
		t.Fatalf("%d inputs and %d outputs", len(adjoint.Inputs), len(adjoint.Outputs))
	}
	rng := rand.New(rand.NewPCG(8, 1))
	for range 50 {
		at, w := make([]float64, len(x)), make([]float64, len(entries))
		for i := range at {
			// Away from 0, where the absolute value has a corner.
			at[i] = (0.1 + rng.Float64()) * float64(1-2*rng.IntN(2))
		}
		for k := range w {
			w[k] = rng.NormFloat64()
		}
		sum := func() (s float64) {
			k := 0
			for _, out := range p.Eval(at) {
				for _, y := range out {
					s += w[k] * y
					k++
				}
			}
			return s
		}
		got := adjoint.Eval(append(append([]float64{}, at...), w...))[0]
		for i := range at {
			const h = 1e-5
			x0 := at[i]
			at[i] = x0 + h
			up := sum()
			at[i] = x0 - h
			down := sum()
			at[i] = x0
			// Rounding 1e-16/h and the third derivative times h²/6, both below 1e-9.
			if want := (up - down) / (2 * h); math.Abs(got[i]-want) > 1e-8*(1+math.Abs(want)) {
				t.Fatalf("derivative by input %d at %v: %g, by differences %g", i, at, got[i], want)
			}
		}
	}
}
