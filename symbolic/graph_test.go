package symbolic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// build makes a random graph over three inputs and, beside each node, its value
// by the operations as asked for.
func build(t *rapid.T, steps int) (g *Graph, args []Node, in []float64, nodes []Node, values []float64) {
	g = NewGraph()
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for i := range 3 {
		args = append(args, g.Input(Input{Name: fmt.Sprintf("q%d", i+1), Kind: InputKind(i % 2), Group: "q", Index: i}))
		in = append(in, 0.2+rng.Float64())
	}
	nodes, values = append(nodes, args...), append(values, in...)
	for _, c := range []float64{0, 1, -1, 2, 0.5, -0.4318, math.Pi / 2, -math.Pi / 3, math.Sqrt(0.3)} {
		nodes, values = append(nodes, g.Float(c)), append(values, c)
	}
	for range steps {
		i, j := rng.IntN(len(nodes)), rng.IntN(len(nodes))
		a, b, x, y := nodes[i], nodes[j], values[i], values[j]
		var n Node
		var v float64
		switch rng.IntN(11) {
		case 0, 1:
			n, v = g.Add(a, b), x+y
		case 2, 3:
			n, v = g.Sub(a, b), x-y
		case 4, 5, 6:
			n, v = g.Mul(a, b), x*y
		case 7:
			if math.Abs(y) < 0.1 {
				continue
			}
			n, v = g.Div(a, b), x/y
		case 8:
			n, v = g.Sin(a), math.Sin(x)
		case 9:
			n, v = g.Cos(a), math.Cos(x)
		case 10:
			n, v = g.Sqrt(g.Abs(a)), math.Sqrt(math.Abs(x))
		}
		// Large values lose the comparison to rounding, and small ones under a root.
		if math.Abs(v) > 50 || v != 0 && math.Abs(v) < 1e-3 {
			continue
		}
		nodes, values = append(nodes, n, -n), append(values, v, -v)
	}
	return g, args, in, nodes, values
}

// Simplification and signs do not change values: they are those of the operations
// as called. Rounding grows by the values' size, below 50, at each of at most 40
// steps, and by 1/(2·√1e-3) < 16 at a root.
func TestProgramComputesWhatWasAsked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, args, in, nodes, values := build(t, rapid.IntRange(1, 40).Draw(t, "steps"))
		p := g.Program("all", args, Result{Name: "y", Rows: len(nodes), Cols: 1, Entries: nodes})
		check := func(what string, got []float64) {
			for i, want := range values {
				if d := math.Abs(got[i] - want); !(d <= 1e-8*(1+math.Abs(want))) {
					t.Fatalf("%s: entry %d is %.15g, want %.15g", what, i, got[i], want)
				}
			}
		}
		check("program", p.Eval(in)[0])
		bind := func(values map[string]float64) *Program {
			bound, err := p.Bind(context.Background(), values)
			if err != nil {
				t.Fatal(err)
			}
			return bound
		}
		bound := bind(map[string]float64{"q2": in[1], "other": 1})
		if len(bound.Inputs) != 2 {
			t.Fatalf("%d inputs are left of three", len(bound.Inputs))
		}
		check("bound", bound.Eval([]float64{in[0], in[2]})[0])
		check("simplified again", bind(nil).Eval(in)[0])
		checkForm(t, p)
	})
}

// checkForm checks the form of a Program: single assignment, no unused value.
func checkForm(t *rapid.T, p *Program) {
	used := make([]bool, len(p.Code))
	mark := func(i int, r Ref) {
		switch r.Kind {
		case ConstRef:
			if int(r.Index) >= len(p.Consts) {
				t.Fatalf("instruction %d refers to constant %d of %d", i, r.Index, len(p.Consts))
			}
		case ValueRef:
			if int(r.Index) >= i {
				t.Fatalf("instruction %d refers to the later value %d", i, r.Index)
			}
			used[r.Index] = true
		}
	}
	seen := map[Instruction]bool{}
	for i, in := range p.Code {
		mark(i, in.A)
		mark(i, in.B)
		if in.Name = ""; seen[in] {
			t.Fatalf("instruction %d, %v, is there already", i, in)
		}
		seen[in] = true
	}
	for _, o := range p.Outputs {
		for _, r := range o.Entries {
			mark(len(p.Code), r)
		}
	}
	for i, u := range used {
		if !u {
			t.Fatalf("nothing uses value %d", i)
		}
	}
}

// motion returns the nodes of q1 … q3 and x.
func motion(g *Graph) (q [3]Node, x Node) {
	for i := range q {
		q[i] = g.Input(Input{Name: fmt.Sprintf("q%d", i+1)})
	}
	return q, g.Input(Input{Name: "x"})
}

func TestSimplification(t *testing.T) {
	g := NewGraph()
	q, x := motion(g)
	s1, c1, s2, c2 := g.Sin(q[0]), g.Cos(q[0]), g.Sin(q[1]), g.Cos(q[1])
	pi := g.Float(math.Pi)
	half := g.Rat(1, 2)
	for _, c := range []struct {
		what      string
		got, want Node
	}{
		{"x + 0", g.Add(x, 0), x},
		{"x·0", g.Mul(x, 0), 0},
		{"x·1", g.Mul(One, x), x},
		{"x - x", g.Sub(x, x), 0},
		{"x + x", g.Add(x, x), g.Mul(g.Int(2), x)},
		{"2x - 3x", g.Sub(g.Mul(g.Int(2), x), g.Mul(x, g.Int(3))), -x},
		{"commuted sum", g.Add(x, q[0]), g.Add(q[0], x)},
		{"commuted difference", g.Sub(x, q[0]), -g.Sub(q[0], x)},
		{"(-x)·q", g.Mul(-x, q[0]), -g.Mul(q[0], x)},
		{"(2x)·(3q)", g.Mul(g.Mul(g.Int(2), x), g.Mul(g.Int(3), q[0])), g.Mul(g.Int(6), g.Mul(x, q[0]))},
		{"(x + q) - q", g.Sub(g.Add(x, q[0]), q[0]), x},
		{"x/2", g.Div(x, g.Int(2)), g.Mul(half, x)},
		{"(x/q)·q", g.Mul(g.Div(x, q[0]), q[0]), x},
		{"√x·√x", g.Mul(g.Sqrt(x), g.Sqrt(x)), x},
		{"decimals", g.Sub(g.Float(0.3), g.Float(0.1)), g.Float(0.2)},
		{"√3/2 squared", g.Mul(g.Sin(g.Div(pi, g.Int(3))), g.Cos(g.Div(pi, g.Int(6)))), g.Rat(3, 4)},
		{"sin π", g.Sin(pi), 0},
		{"sin -π/6", g.Sin(g.Div(pi, g.Int(-6))), -half},
		{"cos 7π/3", g.Cos(g.Mul(pi, g.Rat(7, 3))), half},
		{"cos(q + π/2)", g.Cos(g.Add(q[0], g.Mul(half, pi))), -s1},
		{"sin(π - q)", g.Sin(g.Sub(pi, q[0])), s1},
		{"sin(-q)", g.Sin(-q[0]), -s1},
		{"order in an angle", g.Sin(g.Add(g.Add(q[2], q[1]), q[0])), g.Sin(g.Add(q[0], g.Add(q[1], q[2])))},
		{"c1·c2 - s1·s2", g.Sub(g.Mul(c1, c2), g.Mul(s1, s2)), g.Cos(g.Add(q[0], q[1]))},
		{"c1·c2 + s1·s2", g.Add(g.Mul(c1, c2), g.Mul(s1, s2)), g.Cos(g.Sub(q[0], q[1]))},
		{"s1·c2 + c1·s2", g.Add(g.Mul(s1, c2), g.Mul(c1, s2)), g.Sin(g.Add(q[0], q[1]))},
		{"s1·c2 - c1·s2", g.Sub(g.Mul(s1, c2), g.Mul(c1, s2)), g.Sin(g.Sub(q[0], q[1]))},
		{"s1·s2 - c1·c2", g.Sub(g.Mul(s1, s2), g.Mul(c1, c2)), -g.Cos(g.Add(q[0], q[1]))},
		{"x·(c² + s²)", g.Add(g.Mul(c1, g.Mul(c1, x)), g.Mul(s1, g.Mul(s1, x))), x},
		{"9.81·c1·c2·x - …", g.Sub(g.Mul(g.Mul(g.Float(9.81), c1), g.Mul(x, c2)), g.Mul(s2, g.Mul(g.Mul(x, s1), g.Float(9.81)))),
			g.Mul(g.Float(9.81), g.Mul(x, g.Cos(g.Add(q[0], q[1]))))},
		{"sign -x", g.Sign(-x), -g.Sign(x)},
		{"|-x|", g.Abs(-x), g.Abs(x)},
	} {
		if c.got != c.want {
			t.Errorf("%s: node %d %+v, want %d", c.what, c.got, g.nodes[c.got.abs()], c.want)
		}
	}
}

// The expression of a geometry becomes nodes of the same value.
func TestExprToNode(t *testing.T) {
	g := NewGraph()
	for _, text := range []string{"D3^2*cos(A2)/2 - RL4/(D3+1)", "sqrt(2)*Pi/3", "asin(D3)+acos(D3)-atan(RL4)*abs(D3)", "sin(A2+Pi/4)"} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		n := g.Expr(e, func(s string) Input { return Input{Name: s, Kind: Geometry} })
		values := map[string]float64{"D3": 0.3, "A2": -0.7, "RL4": 0.25}
		var args []Node
		var in []float64
		for _, s := range e.Symbols() {
			args, in = append(args, g.Input(Input{Name: s, Kind: Geometry})), append(in, values[s])
		}
		p := g.Program("e", args, Result{Name: "e", Rows: 1, Cols: 1, Entries: []Node{n}})
		if got, want := p.Eval(in)[0][0], e.Eval(values); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %.17g, want %.17g", text, got, want)
		}
	}
}

// Signs vanish in subtractions, dead code and unused arguments cost nothing,
// and operations are counted.
func TestProgramForm(t *testing.T) {
	g := NewGraph()
	q, x := motion(g)
	g.Mul(q[2], x) // unused
	s, c := g.Sin(q[0]), g.Cos(q[0])
	u := g.Name(g.Sub(g.Mul(x, s), g.Mul(q[1], c)), "U1")
	v := g.Name(g.Add(g.Mul(-u, q[1]), g.Mul(u, g.Mul(g.Int(-2), x))), "V1")
	p := g.Program("f", []Node{q[0], q[1], q[2], x}, Result{Name: "v", Rows: 2, Cols: 2, Entries: []Node{v, 0, g.Sign(v), -u}})
	if want := (Counts{Mul: 5, Add: 2, Trig: 2, Other: 1}); p.Counts() != want {
		t.Errorf("%+v, want %+v: %v", p.Counts(), want, p.Code)
	}
	if p.Outputs[0].NonZero() != 3 || !p.Outputs[0].At(0, 1).IsZero() {
		t.Error("the structural zero is lost")
	}
	if u := p.Uses(); !u[0] || u[2] {
		t.Errorf("inputs in use: %v", u)
	}
	for i, in := range p.Code {
		if in.Op == OpSin && p.Code[i+1].Op != OpCos {
			t.Errorf("sine at %d has no cosine beside it: %v", i, p.Code)
		}
	}
}

func TestMisusePanics(t *testing.T) {
	g := NewGraph()
	x := g.Input(Input{Name: "x"})
	for what, f := range map[string]func(){
		"input described twice": func() { g.Input(Input{Name: "x", Unit: "m"}) },
		"input without name":    func() { g.Input(Input{}) },
		"division by zero":      func() { g.Div(x, 0) },
		"not finite":            func() { g.Float(math.NaN()) },
		"missing argument":      func() { g.Program("p", nil, Result{Rows: 1, Cols: 1, Entries: []Node{x}}) },
		"argument twice":        func() { g.Program("p", []Node{x, x}) },
		"argument no input":     func() { g.Program("p", []Node{g.Sin(x)}) },
		"shape":                 func() { g.Program("p", []Node{x}, Result{Rows: 2, Cols: 1, Entries: []Node{x}}) },
		"inputs":                func() { g.Program("p", []Node{x}).Eval(nil) },
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
