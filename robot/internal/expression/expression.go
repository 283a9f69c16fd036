// Package expression evaluates the arithmetic of robot files: numbers, symbols, and functions that are exact at the multiples of π/12.
package expression

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/internal/angles"
	"ident/internal/formula"
	"ident/robot/internal/words"
)

// Expr is an arithmetic expression of a robot file: numbers, Pi, symbols,
// + - * / ^ (also **), signs, parentheses and a few functions.
type Expr struct {
	op   byte // 'n' number, 's' symbol, 'f' function, 'm' minus, or + - * / ^
	num  float64
	name string
	args []*Expr
}

// functions are the functions of one argument; sine and cosine are exact
// at the multiples of π/12.
var functions = map[string]func(float64) float64{
	"sin":  func(x float64) float64 { s, _ := angles.Sincos(x); return s },
	"cos":  func(x float64) float64 { _, c := angles.Sincos(x); return c },
	"tan":  func(x float64) float64 { s, c := angles.Sincos(x); return s / c },
	"sqrt": math.Sqrt, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "abs": math.Abs,
}

// maxLength bounds the bytes of an expression.
const maxLength = 4096

// Parse reads an expression; its errors say at which byte.
func Parse(text string) (*Expr, error) {
	if len(text) > maxLength {
		return nil, fmt.Errorf("expression of %d characters is too long", len(text))
	}
	e, err := formula.Parse(text, tree{})
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return e, nil
}

// tree is the algebra that keeps an expression as it is written.
type tree struct{}

func (tree) Number(word string) (*Expr, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(v, 0) {
		return nil, fmt.Errorf("%q is not a finite number", word)
	}
	return &Expr{op: 'n', num: v}, nil
}

func (tree) Name(word string) (*Expr, error) {
	switch strings.ToLower(word) {
	case "pi":
		return &Expr{op: 'n', num: math.Pi, name: "Pi"}, nil
	case "nan", "inf", "infinity":
		// A program's way to write a failed sum, and no symbol that gets a value.
		return nil, fmt.Errorf("%q is not a finite number", word)
	}
	return &Expr{op: 's', name: word}, nil
}

func (tree) Call(function string, e *Expr) (*Expr, error) {
	return &Expr{op: 'f', name: function, args: []*Expr{e}}, nil
}

func (tree) Negate(e *Expr) *Expr { return &Expr{op: 'm', args: []*Expr{e}} }

func (tree) Combine(op byte, e, f *Expr) (*Expr, error) {
	return &Expr{op: op, args: []*Expr{e, f}}, nil
}

// Eval returns the value under the symbols' values, NaN where one is missing.
func (e *Expr) Eval(values map[string]float64) float64 {
	switch e.op {
	case 'n':
		return e.num
	case 's':
		if v, ok := values[e.name]; ok {
			return v
		}
		return math.NaN()
	case 'f':
		return functions[e.name](e.args[0].Eval(values))
	case 'm':
		return -e.args[0].Eval(values)
	}
	a, b := e.args[0].Eval(values), e.args[1].Eval(values)
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

// Symbols adds the names that the expression uses to a set.
func (e *Expr) Symbols(set map[string]bool) {
	if e.op == 's' {
		set[e.name] = true
	}
	for _, a := range e.args {
		a.Symbols(set)
	}
}

// IsSymbol reports whether the expression is a symbol alone.
func (e *Expr) IsSymbol() bool { return e.op == 's' }

func (e *Expr) isZero() bool { return e.op == 'n' && e.num == 0 }

// Without returns the expression with a symbol set to zero, and with the zeros removed from sums.
func (e *Expr) Without(name string) *Expr {
	if e.op == 's' && e.name == name {
		return &Expr{op: 'n'}
	}
	if len(e.args) == 0 {
		return e
	}
	c := &Expr{op: e.op, name: e.name}
	for _, a := range e.args {
		c.args = append(c.args, a.Without(name))
	}
	switch first, last := c.args[0], c.args[len(c.args)-1]; {
	case (c.op == '+' || c.op == '-') && last.isZero():
		return first
	case c.op == '+' && first.isZero():
		return last
	case c.op == '-' && first.isZero():
		return &Expr{op: 'm', args: []*Expr{last}}
	}
	return c
}

// String writes the expression so that it parses to the same again.
func (e *Expr) String() string {
	switch e.op {
	case 'n':
		if e.name != "" {
			return e.name
		}
		return words.Number(e.num)
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

// level returns the binding strength of an expression.
func (e *Expr) level() int {
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

func (e *Expr) under(level int) string {
	if e.level() < level {
		return "(" + e.String() + ")"
	}
	return e.String()
}

// UnitIn reports whether an expression is a constant plus the symbol.
func (e *Expr) UnitIn(name string) bool {
	used := map[string]bool{}
	e.Symbols(used)
	switch {
	case !used[name]:
		return false
	case e.op == 's':
		return true
	case e.op != '+' && e.op != '-':
		return false
	}
	left, right := map[string]bool{}, map[string]bool{}
	e.args[0].Symbols(left)
	e.args[1].Symbols(right)
	if left[name] {
		return !right[name] && e.args[0].UnitIn(name)
	}
	return e.op == '+' && e.args[1].UnitIn(name)
}
