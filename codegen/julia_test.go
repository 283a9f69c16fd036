package codegen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/symbolic"
)

// The assignments of the Julia text, read one by one, have the programs' values: where Julia is not
// installed it is not run, but every number, name, index and operation of its text is checked.
func TestJuliaText(t *testing.T) {
	w := writtenUnit(t, reference(t, "rx90"), 0)
	files, err := source.Write(t.Context(), "julia", w.unit)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(files[0].Text)
	for k, p := range w.unit.Programs {
		_, body, ok := strings.Cut(rest, "function "+p.Name+"!(")
		if !ok {
			t.Fatalf("no function %s!", p.Name)
		}
		body, _, _ = strings.Cut(body, "\n    return ")
		lines := strings.Split(body, "\n")[1:]
		values := juliaInputs(p, w.states[k][0])
		for _, line := range lines {
			name, text, ok := strings.Cut(strings.TrimSpace(line), " = ")
			if !ok {
				t.Fatalf("%s: no assignment: %q", p.Name, line)
			}
			values[strings.ReplaceAll(name, " ", "")] = juliaValue(t, text, values)
		}
		for o, want := range p.Eval(w.states[k][0]) {
			out := &p.Outputs[o]
			var got []float64
			for row := range out.Rows {
				for col := range out.Cols {
					at := fmt.Sprintf("%s[%d,%d]", out.Name, row+1, col+1)
					if out.Cols == 1 {
						at = fmt.Sprintf("%s[%d]", out.Name, row+1)
					}
					if len(out.Entries) == 1 {
						at = out.Name + "[]"
					}
					if _, ok := values[at]; !ok {
						t.Fatalf("%s: %s is not set", p.Name, at)
					}
					got = append(got, values[at])
				}
			}
			compare(t, p.Name+" in Julia's text", got, want)
		}
	}
}

// juliaInputs are the values of a program's inputs under their names in the text.
func juliaInputs(p *symbolic.Program, in []float64) map[string]float64 {
	values := map[string]float64{}
	for i, x := range p.Inputs {
		if x.Group == "" || x.Kind == symbolic.Geometry {
			values[x.Name] = in[i]
		} else {
			values[fmt.Sprintf("%s[%d]", x.Group, x.Index+1)] = in[i]
		}
	}
	return values
}

// juliaValue evaluates an expression; Julia's have the form of Go's.
func juliaValue(t *testing.T, text string, values map[string]float64) float64 {
	t.Helper()
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	named := func(name string) float64 {
		v, ok := values[name]
		if !ok {
			t.Fatalf("%q: %s has no value", text, name)
		}
		return v
	}
	functions := map[string]func(a []float64) float64{
		"sin": func(a []float64) float64 { return math.Sin(a[0]) }, "cos": func(a []float64) float64 { return math.Cos(a[0]) },
		"sqrt": func(a []float64) float64 { return math.Sqrt(a[0]) }, "abs": func(a []float64) float64 { return math.Abs(a[0]) },
		"atan": func(a []float64) float64 { return math.Atan2(a[0], append(a, 1)[1]) }, // of one or two arguments
		"sign": func(a []float64) float64 {
			if a[0] == 0 {
				return 0
			}
			return math.Copysign(1, a[0])
		},
	}
	var value func(e ast.Expr) float64
	value = func(e ast.Expr) float64 {
		switch e := e.(type) {
		case *ast.BasicLit:
			v, err := strconv.ParseFloat(e.Value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		case *ast.Ident:
			return named(e.Name)
		case *ast.ParenExpr:
			return value(e.X)
		case *ast.IndexExpr:
			return named(fmt.Sprintf("%s[%.0f]", e.X.(*ast.Ident).Name, value(e.Index)))
		case *ast.UnaryExpr:
			if e.Op == token.SUB {
				return -value(e.X)
			}
		case *ast.CallExpr:
			var args []float64
			for _, a := range e.Args {
				args = append(args, value(a))
			}
			if f := functions[e.Fun.(*ast.Ident).Name]; f != nil {
				return f(args)
			}
		case *ast.BinaryExpr:
			a, b := value(e.X), value(e.Y)
			switch e.Op {
			case token.ADD:
				return a + b
			case token.SUB:
				return a - b
			case token.MUL:
				return a * b
			case token.QUO:
				return a / b
			}
		}
		t.Fatalf("%q: an expression of another form", text)
		return 0
	}
	return value(e)
}
