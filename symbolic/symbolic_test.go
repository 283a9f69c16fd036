package symbolic

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustParse(t testing.TB, s string) Expr {
	t.Helper()
	e, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestCanonicalForms(t *testing.T) {
	for _, c := range []struct{ in, want, latex string }{
		{"D3*D3", "D3²", "D_{3}^{2}"},
		{"(D3+RL4)^2 - (D3-RL4)^2", "4·D3·RL4", `4\,D_{3}\,\mathit{RL}_{4}`},
		{"cos(Pi/2)", "0", "0"},
		{"sin(-5*Pi/6)", "-1/2", `-\frac{1}{2}`},
		{"cos(Pi/6)^2", "3/4", `\frac{3}{4}`},
		{"sin(Pi/3)*D2", "sqrt(3)·D2/2", `\frac{\sqrt{3}\,D_{2}}{2}`},
		{"sin(A)^2 + cos(A)^2", "1", "1"},
		{"cos(Pi/2 - A)", "sin(A)", `\sin\left(A\right)`},
		{"sin(A + Pi)", "-sin(A)", `-\sin\left(A\right)`},
		{"cos(-A)", "cos(A)", `\cos\left(A\right)`},
		{"sin(4*Pi/5)", "sin(Pi/5)", `\sin\left(\frac{\pi}{5}\right)`},
		{"0.45^2", "0.2025", "0.2025"},
		{"sqrt(12)", "2·sqrt(3)", `2\,\sqrt{3}`},
		{"sqrt(0.25)", "1/2", `\frac{1}{2}`},
		{"1/sqrt(2)", "sqrt(2)/2", `\frac{\sqrt{2}}{2}`},
		{"D8/D3", "D8/D3", `\frac{D_{8}}{D_{3}}`},
		{"tan(Pi/4)", "1", "1"},
		{"sqrt(L)*sqrt(L)", "L", "L"},
		{"- -2**3", "8", "8"},
		{"abs(X)-abs(X)", "0", "0"},
	} {
		e := mustParse(t, c.in)
		if c.want != "" && e.String() != c.want {
			t.Errorf("%s is %s, want %s", c.in, e, c.want)
		}
		if c.latex != "" && e.LaTeX() != c.latex {
			t.Errorf("%s in LaTeX is %s, want %s", c.in, e.LaTeX(), c.latex)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		in, want string
		is       error
	}{
		{"", "ends too early", nil},
		{"1/0", "division by zero", nil},
		{"(D3-D3)^-1", "division by zero", nil},
		{"D3 RL4", `unexpected 'R' at byte 4`, nil},
		{"D3^RL4", "no integer", nil},
		{"1e999", "not a finite number", nil},
		{"1e-300", "beyond", nil},
		{"(a+b+c+d)^32", "", ErrTooLarge},
		{"((((a^32)^32)^32)^32)^32", "", ErrTooLarge},
		{"9^32^2", "the power 1024", ErrTooLarge},
		{"(((9^32)^32)^32)^32", "", ErrTooLarge},
		{"2555555555555555555555555555^22/X2", "beyond the range", ErrTooLarge},
		{strings.Repeat("(", 300), "nested", nil},
		{strings.Repeat("1+", 3000), "", ErrTooLarge},
	} {
		_, err := Parse(c.in)
		switch {
		case err == nil:
			t.Errorf("%q: no error", c.in)
		case c.is != nil && !errors.Is(err, c.is):
			t.Errorf("%q: %v, want %v", c.in, err, c.is)
		case !strings.Contains(err.Error(), c.want):
			t.Errorf("%q: %v, want %q", c.in, err, c.want)
		}
	}
}

var values = map[string]float64{"A": 0.7, "B": -1.3, "D3": 0.45, "RL4": 2}

// draw makes an expression together with its value, computed beside it.
func draw(t *rapid.T, depth int) (Expr, float64) {
	if depth == 0 {
		switch k := rapid.IntRange(0, 5).Draw(t, "leaf"); k {
		case 0:
			p, q := rapid.Int64Range(-5, 5).Draw(t, "p"), rapid.Int64Range(1, 6).Draw(t, "q")
			return Rat(p, q), float64(p) / float64(q)
		case 1:
			p := rapid.Int64Range(-30, 30).Draw(t, "p")
			return Symbol("Pi").Mul(Rat(p, 12)), float64(p) * math.Pi / 12
		default:
			name := []string{"A", "B", "D3", "RL4"}[k-2]
			return Symbol(name), values[name]
		}
	}
	e, x := draw(t, depth-1)
	switch rapid.IntRange(0, 5).Draw(t, "op") {
	case 0:
		return Sin(e), math.Sin(x)
	case 1:
		return Cos(e), math.Cos(x)
	case 2:
		f, y := draw(t, depth-1)
		return e.Sub(f), x - y
	case 3:
		f, y := draw(t, depth-1)
		return e.Add(f), x + y
	case 4:
		if math.Abs(x) > 1e-3 && !e.IsZero() {
			return Int(1).Div(e), 1 / x
		}
		return e, x
	}
	f, y := draw(t, depth-1)
	return e.Mul(f), x * y
}

// Values survive every operation, the text is parsed back to the same expression,
// and the ring's laws hold in the canonical form.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, x := draw(t, 3)
		f, _ := draw(t, 2)
		g, _ := draw(t, 2)
		if v := e.Eval(values); math.Abs(v-x) > 1e-9*(1+math.Abs(x)) && math.Abs(x) < 1e6 {
			t.Fatalf("%s is %.15g, want %.15g", e, v, x)
		}
		if back, err := Parse(e.String()); err != nil && !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		} else if err == nil && !back.Equal(e) {
			t.Fatalf("%s reads back as %s", e, back)
		}
		if !e.Add(f).Equal(f.Add(e)) || !e.Mul(f).Equal(f.Mul(e)) {
			t.Fatalf("%s and %s do not commute", e, f)
		}
		if !e.Sub(e).IsZero() || !e.Add(f).Sub(f).Equal(e) {
			t.Fatalf("%s: differences are wrong", e)
		}
		if l, r := e.Mul(f.Add(g)), e.Mul(f).Add(e.Mul(g)); !l.Equal(r) {
			t.Fatalf("%s·(%s + %s): %s and %s", e, f, g, l, r)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"D3*cos(Pi/2-A)^2", "1/(A+B)", "sqrt(2)·D3²/4", "-1e-3", "2^-3^2", "tan(x)", "((("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s)
		if err != nil {
			return
		}
		text := e.String()
		back, err := Parse(text)
		if err != nil {
			if errors.Is(err, ErrTooLarge) {
				return
			}
			t.Fatalf("%q gives %q: %v", s, text, err)
		}
		if !back.Equal(e) {
			t.Fatalf("%q gives %q, which reads back as %q", s, text, back)
		}
	})
}
