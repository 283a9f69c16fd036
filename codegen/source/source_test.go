package source_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ident/codegen/source"
	"ident/internal/foreign"
	"ident/internal/long"
	"ident/symbolic"
)

// pendulum is a small program by hand: a link on a revolute joint, with every kind
// of argument and of output.
func pendulum() *symbolic.Program {
	g := symbolic.NewGraph()
	in := func(name, group string, index int, kind symbolic.InputKind, unit, doc string) symbolic.Node {
		return g.Input(symbolic.Input{Name: name, Group: group, Index: index, Kind: kind, Unit: unit, Doc: doc})
	}
	q := in("q1", "q", 0, symbolic.Motion, "rad", "positions")
	dq := in("dq1", "dq", 0, symbolic.Motion, "rad/s", "velocities")
	ddq := in("ddq1", "ddq", 0, symbolic.Motion, "rad/s²", "accelerations")
	zz := in("ZZ1", "chi", 0, symbolic.Parameter, "kg·m²", "parameters")
	mx := in("MX1", "chi", 1, symbolic.Parameter, "kg·m", "parameters")
	fs := in("Fs1", "chi", 2, symbolic.Parameter, "N·m", "parameters")
	d := in("D1", "", 0, symbolic.Geometry, "m", "length of link 1")
	idle := in("idle", "", 0, symbolic.Geometry, "m", "nothing depends on it")
	gx := g.Mul(g.Float(9.81), g.Name(g.Cos(q), "C1"))
	load := g.Mul(g.Mul(g.Rat(1, 2), d), gx)
	tau := g.Sum(g.Mul(zz, ddq), g.Mul(mx, load), g.Mul(fs, g.Sign(g.Add(dq, g.Float(1e-9)))))
	p := g.Program("inverse_dynamics", []symbolic.Node{q, dq, ddq, zz, mx, fs, d, idle},
		symbolic.Result{Name: "tau", Rows: 1, Cols: 1, Entries: []symbolic.Node{tau}, Unit: "N·m", Doc: "torque"},
		symbolic.Result{Name: "Y", Rows: 1, Cols: 3, Entries: []symbolic.Node{ddq, load, g.Sign(dq)}, Doc: "regressor", ColNames: []string{"ZZ1", "MX1", "Fs1"}},
		symbolic.Result{Name: "Q", Rows: 3, Cols: 1, Entries: []symbolic.Node{0, -load, g.Sin(q)}, Doc: "whatever else"})
	p.Doc = []string{"Robot: a pendulum, gravity (9.81, 0, 0) m/s².", "Inverse dynamics and its regressor."}
	return p
}

// random is a program of many operations in random order, on vectors and scalars.
func random(r *rand.Rand, name string) *symbolic.Program {
	g := symbolic.NewGraph()
	var args, pool []symbolic.Node
	for i := range 4 {
		q := g.Input(symbolic.Input{Name: "q" + string(rune('1'+i)), Group: "q", Index: i, Kind: symbolic.Motion})
		args = append(args, q)
		pool = append(pool, q, g.Sin(q), g.Cos(q))
	}
	// Names that differ from others in case only, that are keywords here and there,
	// and that values choose for themselves.
	for _, s := range []string{"A", "L1", "T3"} {
		n := g.Input(symbolic.Input{Name: s, Kind: symbolic.Geometry})
		args, pool = append(args, n), append(pool, n)
	}
	pick := func() symbolic.Node { return pool[r.IntN(len(pool))] }
	for i := range 150 {
		var n symbolic.Node
		switch r.IntN(9) {
		case 0, 1, 2:
			n = g.Add(pick(), pick())
		case 3, 4:
			n = g.Sub(pick(), g.Mul(g.Float(float64(r.IntN(9)-4)/4), pick()))
		case 5, 6:
			n = g.Mul(g.Sin(pick()), pick())
		case 7:
			n = g.Div(pick(), g.Add(g.Float(1.5), g.Abs(pick())))
		case 8:
			n = g.Mul(g.Sign(pick()), g.Sqrt(g.Add(g.Int(1), g.Abs(pick()))))
		}
		if i%17 == 0 {
			names := []string{"lambda", "end", "double", "x", "t1", "real", "Q1", "a", "sin", "type"}
			g.Name(n, names[r.IntN(len(names))])
		}
		pool = append(pool, n)
	}
	m := make([]symbolic.Node, 6)
	v := make([]symbolic.Node, 3)
	for i := range m {
		m[i] = pick()
	}
	for i := range v {
		v[i] = pool[len(pool)-1-i]
	}
	m[2] = 0
	return g.Program(name, args,
		symbolic.Result{Name: "M", Rows: 2, Cols: 3, Entries: m},
		symbolic.Result{Name: "v", Rows: 3, Cols: 1, Entries: v},
		symbolic.Result{Name: "energy", Rows: 1, Cols: 1, Entries: []symbolic.Node{g.Add(v[0], v[1])}})
}

// Every language computes the program's values. The operations and their order
// are the same; sines, cosines and their likes may differ in the last place, and
// a difference of that size may be carried through 150 operations.
func TestLanguagesCompute(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	u := source.Unit{Name: "sample", Maker: "ident", Programs: []*symbolic.Program{pendulum(), random(r, "one"), random(r, "two"), random(r, "three")}}
	states := make([][][]float64, len(u.Programs))
	for k, p := range u.Programs {
		for range 5 {
			s := make([]float64, len(p.Inputs))
			for i := range s {
				s[i] = 3 * r.NormFloat64()
			}
			states[k] = append(states[k], s)
		}
	}
	for _, language := range source.Languages() {
		if language == "listing" {
			continue
		}
		t.Run(language, func(t *testing.T) {
			if language != "c" {
				long.Only(t, "C stands for the languages")
			}
			t.Parallel()
			got := foreign.Run(t, language, u, states)
			for k, p := range u.Programs {
				for s, state := range states[k] {
					var want []float64
					for _, o := range p.Eval(state) {
						want = append(want, o...)
					}
					for i := range want {
						if !(math.Abs(got[k][s][i]-want[i]) <= 1e-12*max(1, math.Abs(want[i]))) {
							t.Errorf("%s, state %d, value %d: %v, want %v", p.Name, s, i, got[k][s][i], want[i])
						}
					}
				}
			}
		})
	}
}

// The listing is short enough to be read here.
func TestListing(t *testing.T) {
	files, err := source.Write(t.Context(), "listing", source.Unit{Name: "pendulum", Maker: "ident", Programs: []*symbolic.Program{pendulum()}})
	if err != nil {
		t.Fatal(err)
	}
	want := `(*
  inverse_dynamics
  Robot: a pendulum, gravity (9.81, 0, 0) m/s².
  Inverse dynamics and its regressor.
    in  q[1] (positions): q1 [rad]
    in  dq[1] (velocities): dq1 [rad/s]
    in  ddq[1] (accelerations): ddq1 [rad/s²]
    in  chi[3] (parameters): ZZ1 [kg·m²], MX1 [kg·m], Fs1 [N·m]
    in  D1 (geometry): length of link 1 [m]
    in  idle (geometry, not used): nothing depends on it [m]
    out tau [N·m]: torque
    out Y[1][3], 3 not zero: regressor
        columns: ZZ1, MX1, Fs1
    out Q[3]: whatever else
    5 multiplications, 3 additions, 2 sines and cosines, 1 change of sign, 2 signs and absolute values

  Generated by ident.
*)
`
	got := string(files[0].Text)
	head, body, _ := strings.Cut(got, "*)\n\n")
	if diff := cmp.Diff(want, head+"*)\n"); diff != "" {
		t.Error(diff)
	}
	for _, line := range []string{"C1 = cos(q1)\n", "\n*=*\n"} {
		if !strings.Contains("\n"+body, line) {
			t.Errorf("no line %q in\n%s", line, body)
		}
	}
}

func TestNamesAreRefused(t *testing.T) {
	with := func(symbols ...string) *symbolic.Program {
		g := symbolic.NewGraph()
		var args []symbolic.Node
		for _, s := range symbols {
			args = append(args, g.Input(symbolic.Input{Name: s, Kind: symbolic.Geometry}))
		}
		return g.Program("model", args, symbolic.Result{Name: "y", Rows: 1, Cols: 1, Entries: args[:1]})
	}
	for _, c := range []struct{ language, unit, symbol, want string }{
		{"c", "double", "D3", "keyword"},
		{"c", "arm", "register", "keyword"},
		{"c", "7dof", "D3", "letter"},
		{"c", "arm", "sqrt", "uses it itself"},
		{"go", "range", "D3", "keyword"},
		{"python", "arm", "lambda", "keyword"},
		{"matlab", "arm", "end", "keyword"},
		{"fortran", "Module", "D3", "keyword"},
		{"fortran", "arm", "Real", "keyword"},
		{"julia", "arm", "struct", "keyword"},
		{"c", strings.Repeat("a", 64), "D3", "63"},
	} {
		_, err := source.Write(t.Context(), c.language, source.Unit{Name: c.unit, Programs: []*symbolic.Program{with(c.symbol)}})
		var name *source.NameError
		if !errors.As(err, &name) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, module %s, symbol %s: %v", c.language, c.unit, c.symbol, err)
		}
	}
	if _, err := source.Write(t.Context(), "fortran", source.Unit{Name: "arm", Programs: []*symbolic.Program{with("D3", "d3")}}); err == nil {
		t.Error("Fortran takes D3 and d3 for the same name, and nobody said so")
	}
	if _, err := source.Write(t.Context(), "c", source.Unit{Name: "arm", Programs: []*symbolic.Program{with("lambda", "end", "d3", "D3")}}); err != nil {
		t.Error(err)
	}
	if _, err := source.Write(t.Context(), "cobol", source.Unit{Name: "arm"}); !errors.Is(err, source.ErrLanguage) || !strings.Contains(err.Error(), "fortran") {
		t.Errorf("an unknown language: %v", err)
	}
}

// Text of a robot file stays within the comment that quotes it.
func TestCommentsHold(t *testing.T) {
	p := pendulum()
	p.Doc = []string{"an */ arm \"\"\" with\nlines \\ and ☃", "*)"}
	r := rand.New(rand.NewPCG(1, 2))
	state := make([]float64, len(p.Inputs))
	for i := range state {
		state[i] = r.NormFloat64()
	}
	for _, language := range []string{"python", "c", "fortran"}[:long.Of(3, 1)] {
		t.Run(language, func(t *testing.T) {
			foreign.Run(t, language, source.Unit{Name: "sly", Programs: []*symbolic.Program{p}}, [][][]float64{{state}})
		})
	}
}

func TestIdentifier(t *testing.T) {
	for in, want := range map[string]string{"Panda": "panda", "KUKA LWR 4+": "kuka_lwr_4", "7dof": "dof", "--": "", "a__b": "a_b", "Größe": "gr_e",
		strings.Repeat("long ", 20): "long_long_long_long_long_long_long_long"} {
		if got := source.Identifier(in); got != want {
			t.Errorf("Identifier(%q) = %q, want %q", in, got, want)
		}
	}
}
