package formula_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ident/internal/formula"
)

// written is the algebra that writes out how a formula groups.
type written struct{}

func (written) Number(w string) (string, error) {
	if w == "9" {
		return "", errors.New("no nines")
	}
	return w, nil
}

func (written) Name(w string) (string, error) { return "$" + w, nil }

func (written) Call(f, x string) (string, error) { return f + "[" + x + "]", nil }

func (written) Negate(x string) string { return "~" + x }

func (written) Combine(op byte, x, y string) (string, error) {
	if op == '/' && y == "0" {
		return "", errors.New("division by zero")
	}
	return fmt.Sprintf("(%s%c%s)", x, op, y), nil
}

func TestGrammarOfFormulas(t *testing.T) {
	for in, want := range map[string]string{
		"1+2-3":            "((1+2)-3)",
		"1 + 2*-3 / x":     "(1+((2*~3)/$x))",
		"-2^3^2":           "~(2^(3^2))",
		"2**-D3":           "(2^~$D3)",
		"D3²·RL4":          "(($D3^2)*$RL4)",
		"x¹⁰":              "($x^10)",
		"- - +a":           "$a",
		"SIN(a+1)*cos (b)": "(sin[($a+1)]*cos[$b])",
		"sin*2":            "($sin*2)",
		"1.5e-3-.5":        "(1.5e-3-.5)",
		"e-3":              "($e-3)",
		"foo(2)":           "unexpected '(' at byte 4",
		"":                 "it ends too early",
		"(1":               "it ends too early",
		"1+":               "it ends too early",
		"1 2":              "unexpected '2' at byte 3",
		"1+é":              "unexpected 'é' at byte 3",
		"1/0":              "division by zero",
		"2+9":              "no nines",
		"x⁹":               "no nines",
		"sin(1":            "it ends too early",
	} {
		got, err := formula.Parse(in, written{})
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestLimitsOfFormulas(t *testing.T) {
	for in, want := range map[string]string{
		strings.Repeat("(", formula.MaxDepth+1):        "nested more than",
		strings.Repeat("2^", formula.MaxDepth+1) + "2": "nested more than",
	} {
		if _, err := formula.Parse(in, written{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q…: %v, want %s", in, err, want)
		}
	}
	if v, err := formula.Parse(strings.Repeat("(", formula.MaxDepth-1)+"1"+strings.Repeat(")", formula.MaxDepth-1), written{}); v != "1" {
		t.Error(v, err)
	}
}

func FuzzFormula(f *testing.F) {
	for _, s := range []string{"1+2*x^3", "sin(D3²)/-4", "1e+9**.5", "((", "··"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := formula.Parse(s, written{}); err == nil && v == "" {
			t.Errorf("%q: nothing and no error", s)
		}
	})
}
