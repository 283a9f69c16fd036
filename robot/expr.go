package robot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/internal/angles"
	"ident/internal/formula"
)

// expr is an arithmetic expression of a robot file: numbers, Pi, symbols,
// + - * / ^ (also **), signs, parentheses and a few functions.
type expr struct {
	op   byte // 'n' number, 's' symbol, 'f' function, 'm' minus, or + - * / ^
	num  float64
	name string
	args []*expr
}

// exprFunctions are the functions of one argument; sine and cosine are exact
// at the multiples of π/12.
var exprFunctions = map[string]func(float64) float64{
	"sin":  func(x float64) float64 { s, _ := angles.Sincos(x); return s },
	"cos":  func(x float64) float64 { _, c := angles.Sincos(x); return c },
	"tan":  func(x float64) float64 { s, c := angles.Sincos(x); return s / c },
	"sqrt": math.Sqrt, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "abs": math.Abs,
}

// exprLength bounds the bytes of an expression.
const exprLength = 4096

// parseExpr reads an expression; its errors say at which byte.
func parseExpr(text string) (*expr, error) {
	if len(text) > exprLength {
		return nil, fmt.Errorf("expression of %d characters is too long", len(text))
	}
	e, err := formula.Parse(text, exprTree{})
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return e, nil
}

// exprTree is the algebra that keeps an expression as it is written.
type exprTree struct{}

func (exprTree) Number(word string) (*expr, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(v, 0) {
		return nil, fmt.Errorf("%q is not a finite number", word)
	}
	return &expr{op: 'n', num: v}, nil
}

func (exprTree) Name(word string) (*expr, error) {
	switch strings.ToLower(word) {
	case "pi":
		return &expr{op: 'n', num: math.Pi, name: "Pi"}, nil
	case "nan", "inf", "infinity":
		// A program's way to write a failed sum, and no symbol that gets a value.
		return nil, fmt.Errorf("%q is not a finite number", word)
	}
	return &expr{op: 's', name: word}, nil
}

func (exprTree) Call(function string, e *expr) (*expr, error) {
	return &expr{op: 'f', name: function, args: []*expr{e}}, nil
}

func (exprTree) Negate(e *expr) *expr { return &expr{op: 'm', args: []*expr{e}} }

func (exprTree) Combine(op byte, e, f *expr) (*expr, error) {
	return &expr{op: op, args: []*expr{e, f}}, nil
}

// eval returns the value under the symbols' values, NaN where one is missing.
func (e *expr) eval(values map[string]float64) float64 {
	switch e.op {
	case 'n':
		return e.num
	case 's':
		if v, ok := values[e.name]; ok {
			return v
		}
		return math.NaN()
	case 'f':
		return exprFunctions[e.name](e.args[0].eval(values))
	case 'm':
		return -e.args[0].eval(values)
	}
	a, b := e.args[0].eval(values), e.args[1].eval(values)
	switch e.op {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	case '/':
		return a / b
	}
	return math.Pow(a, b)
}

// symbols adds the names that the expression uses to a set.
func (e *expr) symbols(set map[string]bool) {
	if e.op == 's' {
		set[e.name] = true
	}
	for _, a := range e.args {
		a.symbols(set)
	}
}

func (e *expr) isZero() bool { return e.op == 'n' && e.num == 0 }

// without returns the expression with a symbol put to zero, and the sums that
// it leaves cleared of their zeros.
func (e *expr) without(name string) *expr {
	if e.op == 's' && e.name == name {
		return &expr{op: 'n'}
	}
	if len(e.args) == 0 {
		return e
	}
	c := &expr{op: e.op, name: e.name}
	for _, a := range e.args {
		c.args = append(c.args, a.without(name))
	}
	switch first, last := c.args[0], c.args[len(c.args)-1]; {
	case (c.op == '+' || c.op == '-') && last.isZero():
		return first
	case c.op == '+' && first.isZero():
		return last
	case c.op == '-' && first.isZero():
		return &expr{op: 'm', args: []*expr{last}}
	}
	return c
}

// String writes the expression so that it parses to the same again.
func (e *expr) String() string {
	switch e.op {
	case 'n':
		if e.name != "" {
			return e.name
		}
		return formatNumber(e.num)
	case 's':
		return e.name
	case 'f':
		return e.name + "(" + e.args[0].String() + ")"
	case 'm':
		return "-" + e.args[0].under(3)
	}
	level := e.level()
	a, b := e.args[0].under(level), e.args[1].under(level+1)
	if e.op == '^' {
		a, b = e.args[0].under(level+1), e.args[1].under(level)
	}
	return a + string(e.op) + b
}

// level is the binding strength of an expression.
func (e *expr) level() int {
	switch e.op {
	case '+', '-':
		return 1
	case '*', '/':
		return 2
	case 'm':
		return 2
	case '^':
		return 4
	}
	return 5
}

func (e *expr) under(level int) string {
	if e.level() < level {
		return "(" + e.String() + ")"
	}
	return e.String()
}
