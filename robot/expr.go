package robot

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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
	"sin":  func(x float64) float64 { s, _ := sincos(x); return s },
	"cos":  func(x float64) float64 { _, c := sincos(x); return c },
	"tan":  func(x float64) float64 { s, c := sincos(x); return s / c },
	"sqrt": math.Sqrt, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "abs": math.Abs,
}

// exprDepth bounds the nesting of an expression, and exprLength its bytes.
const (
	exprDepth  = 200
	exprLength = 4096
)

// parseExpr reads an expression; its errors say at which character.
func parseExpr(text string) (*expr, error) {
	if len(text) > exprLength {
		return nil, fmt.Errorf("expression of %d characters is too long", len(text))
	}
	p := exprParser{text: text}
	e, err := p.sum()
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	if p.skip(); p.at < len(text) {
		return nil, fmt.Errorf("expression %q: %w", text, p.unexpected())
	}
	return e, nil
}

type exprParser struct {
	text      string
	at, depth int
}

func (p *exprParser) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *exprParser) unexpected() error {
	if p.at >= len(p.text) {
		return fmt.Errorf("it ends too early")
	}
	return fmt.Errorf("unexpected %q at character %d", p.text[p.at], p.at+1)
}

// take consumes an operator if it is next.
func (p *exprParser) take(op string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], op) {
		return false
	}
	p.at += len(op)
	return true
}

func (p *exprParser) sum() (*expr, error) {
	if p.depth++; p.depth > exprDepth {
		return nil, fmt.Errorf("nested more than %d deep", exprDepth)
	}
	defer func() { p.depth-- }()
	e, err := p.product()
	for err == nil {
		var op byte
		switch {
		case p.take("+"):
			op = '+'
		case p.take("-"):
			op = '-'
		default:
			return e, nil
		}
		var f *expr
		f, err = p.product()
		e = &expr{op: op, args: []*expr{e, f}}
	}
	return nil, err
}

func (p *exprParser) product() (*expr, error) {
	e, err := p.signed()
	for err == nil {
		var op byte
		switch {
		case p.take("*"):
			op = '*'
		case p.take("/"):
			op = '/'
		default:
			return e, nil
		}
		var f *expr
		f, err = p.signed()
		e = &expr{op: op, args: []*expr{e, f}}
	}
	return nil, err
}

func (p *exprParser) signed() (*expr, error) {
	minus := false
	for {
		if p.take("-") {
			minus = !minus
		} else if !p.take("+") {
			break
		}
	}
	e, err := p.power()
	if err == nil && minus {
		e = &expr{op: 'm', args: []*expr{e}}
	}
	return e, err
}

func (p *exprParser) power() (*expr, error) {
	base, err := p.atom()
	if err != nil || !(p.take("^") || p.take("**")) {
		return base, err
	}
	if p.depth++; p.depth > exprDepth {
		return nil, fmt.Errorf("nested more than %d deep", exprDepth)
	}
	defer func() { p.depth-- }()
	exponent, err := p.signed()
	return &expr{op: '^', args: []*expr{base, exponent}}, err
}

func (p *exprParser) atom() (*expr, error) {
	p.skip()
	if p.take("(") {
		e, err := p.sum()
		if err == nil && !p.take(")") {
			err = p.unexpected()
		}
		return e, err
	}
	start := p.at
	for p.at < len(p.text) && p.wordByte(start) {
		p.at++
	}
	word := p.text[start:p.at]
	if word == "" {
		return nil, p.unexpected()
	}
	if c := word[0]; c == '.' || c >= '0' && c <= '9' {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is not a finite number", word)
		}
		return &expr{op: 'n', num: v}, nil
	}
	lower := strings.ToLower(word)
	if f := exprFunctions[lower]; f != nil && p.take("(") {
		e, err := p.sum()
		if err == nil && !p.take(")") {
			err = p.unexpected()
		}
		return &expr{op: 'f', name: lower, args: []*expr{e}}, err
	}
	if lower == "pi" {
		return &expr{op: 'n', num: math.Pi, name: "Pi"}, nil
	}
	switch lower {
	case "nan", "inf", "infinity":
		// A program's way to write a failed sum, and no symbol that gets a value.
		return nil, fmt.Errorf("%q is not a finite number", word)
	}
	return &expr{op: 's', name: word}, nil
}

// wordByte tells whether the next byte goes on with the number or name that
// began at start; the sign of an exponent belongs to its number.
func (p *exprParser) wordByte(start int) bool {
	c := p.text[p.at]
	switch {
	case c >= '0' && c <= '9', c == '.':
		return true
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		return true
	case (c == '+' || c == '-') && p.at > start:
		first, last := p.text[start], p.text[p.at-1]
		return (first == '.' || first >= '0' && first <= '9') && (last == 'e' || last == 'E')
	}
	return false
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

// level is how tightly an expression binds.
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
