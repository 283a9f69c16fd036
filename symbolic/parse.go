package symbolic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrTooLarge is wrapped by Parse's errors for expressions whose expansion
// would be out of proportion to any robot's geometry.
var ErrTooLarge = errors.New("the expression is too large to expand")

// Limits of what Parse reads.
const (
	maxLength   = 4096 // bytes
	maxDepth    = 200
	maxTerms    = 2000
	maxPower    = 32   // written
	maxDegree   = 256  // of an atom in a product
	maxBits     = 4096 // of a coefficient
	maxExponent = 60   // of ten, in a number
)

// Parse reads an expression: decimal numbers, which are taken exactly, names,
// Pi, + - * / ^ (also ** · and superscripts), parentheses, and the functions sin,
// cos, tan, sqrt, asin, acos, atan and abs. Powers must be integers, or 1/2.
func Parse(text string) (Expr, error) {
	if len(text) > maxLength {
		return Expr{}, fmt.Errorf("symbolic: expression of %d bytes: %w", len(text), ErrTooLarge)
	}
	p := parser{text: text}
	e, err := p.sum()
	if err == nil {
		if p.skip(); p.at < len(text) {
			err = p.unexpected()
		}
	}
	if err != nil {
		return Expr{}, fmt.Errorf("symbolic: expression %q: %w", text, err)
	}
	return e, nil
}

type parser struct {
	text      string
	at, depth int
}

func (p *parser) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) unexpected() error {
	if p.at >= len(p.text) {
		return errors.New("it ends too early")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return fmt.Errorf("unexpected %q at byte %d", r, p.at+1)
}

func (p *parser) take(op string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], op) {
		return false
	}
	p.at += len(op)
	return true
}

func (p *parser) sum() (Expr, error) {
	if p.depth++; p.depth > maxDepth {
		return Expr{}, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	e, err := p.product()
	for err == nil {
		var f Expr
		switch {
		case p.take("+"):
			f, err = p.product()
			e = e.Add(f)
		case p.take("-"):
			f, err = p.product()
			e = e.Sub(f)
		default:
			return e, nil
		}
	}
	return Expr{}, err
}

func (p *parser) product() (Expr, error) {
	e, err := p.signed()
	for err == nil {
		var f Expr
		switch {
		case p.take("·") || !strings.HasPrefix(p.text[p.at:], "**") && p.take("*"):
			if f, err = p.signed(); err == nil {
				e, err = multiply(e, f)
			}
		case p.take("/"):
			if f, err = p.signed(); err == nil {
				e, err = divide(e, f)
			}
		default:
			return e, nil
		}
	}
	return Expr{}, err
}

func (p *parser) signed() (Expr, error) {
	minus := false
	for {
		if p.take("-") {
			minus = !minus
		} else if !p.take("+") {
			break
		}
	}
	e, err := p.power()
	if minus {
		e = e.Neg()
	}
	return e, err
}

func (p *parser) power() (Expr, error) {
	base, err := p.atom()
	if err != nil {
		return Expr{}, err
	}
	if n, ok := p.superscript(); ok {
		return raise(base, n)
	}
	if !p.take("^") && !p.take("**") {
		return base, nil
	}
	if p.depth++; p.depth > maxDepth {
		return Expr{}, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	exponent, err := p.signed()
	if err != nil {
		return Expr{}, err
	}
	c, ok := exponent.Number()
	if ok && c.Cmp(big.NewRat(1, 2)) == 0 {
		return Sqrt(base), nil
	}
	if !ok || !c.IsInt() || !c.Num().IsInt64() {
		return Expr{}, fmt.Errorf("the power %s is no integer", exponent)
	}
	return raise(base, c.Num().Int64())
}

// superscript reads a power written ² or ¹⁰.
func (p *parser) superscript() (int64, bool) {
	n, found := int64(0), false
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		i := strings.IndexRune(superscripts, r)
		if i < 0 || r == utf8.RuneError {
			break
		}
		n, found = min(10*n+int64(utf8.RuneCountInString(superscripts[:i])), 1<<30), true
		p.at += size
	}
	return n, found
}

func (p *parser) atom() (Expr, error) {
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
		return Expr{}, p.unexpected()
	}
	if c := word[0]; c == '.' || c >= '0' && c <= '9' {
		return decimal(word)
	}
	lower := strings.ToLower(word)
	if _, known := functions[lower]; (known && lower != "sum" || lower == "tan") && p.take("(") {
		e, err := p.sum()
		if err == nil && !p.take(")") {
			err = p.unexpected()
		}
		if err != nil {
			return Expr{}, err
		}
		return apply(lower, e)
	}
	if lower == "pi" {
		return Symbol("Pi"), nil
	}
	return Symbol(word), nil
}

func (p *parser) wordByte(start int) bool {
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

// decimal reads a number exactly.
func decimal(word string) (Expr, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(v, 0) || strings.ContainsAny(word, "xXpP_") {
		return Expr{}, fmt.Errorf("%q is not a finite number", word)
	}
	if i := strings.IndexAny(word, "eE"); i >= 0 {
		if n, err := strconv.Atoi(word[i+1:]); err != nil || n > maxExponent || n < -maxExponent {
			return Expr{}, fmt.Errorf("the power of ten in %q is beyond ±%d", word, maxExponent)
		}
	}
	c, ok := new(big.Rat).SetString(word)
	if !ok {
		return Expr{}, fmt.Errorf("%q is not a finite number", word)
	}
	return number(c), nil
}

func apply(fn string, e Expr) (Expr, error) {
	switch fn {
	case "sin":
		return Sin(e), nil
	case "cos":
		return Cos(e), nil
	case "sqrt":
		return Sqrt(e), nil
	case "tan":
		return divide(Sin(e), Cos(e))
	}
	return call(fn, e), nil
}

func multiply(e, f Expr) (Expr, error) {
	if len(e.terms)*len(f.terms) > maxTerms || e.bits()+f.bits() > maxBits || e.degree()+f.degree() > maxDegree {
		return Expr{}, ErrTooLarge
	}
	return e.Mul(f), nil
}

func divide(e, f Expr) (Expr, error) {
	if f.IsZero() {
		return Expr{}, errors.New("division by zero")
	}
	return multiply(e, f.inverse())
}

func raise(e Expr, n int64) (Expr, error) {
	if n > maxPower || n < -maxPower {
		return Expr{}, fmt.Errorf("the power %d: %w", n, ErrTooLarge)
	}
	if n < 0 {
		if e.IsZero() {
			return Expr{}, errors.New("division by zero")
		}
		e, n = e.inverse(), -n
	}
	out := Int(1)
	for range n {
		var err error
		if out, err = multiply(out, e); err != nil {
			return Expr{}, err
		}
	}
	return out, nil
}

// bits is the size of the largest coefficient.
func (e Expr) bits() int {
	n := 0
	for _, t := range e.terms {
		n = max(n, t.c.Num().BitLen()+t.c.Denom().BitLen())
	}
	return n
}

// degree is the largest power of an atom, negative ones taken positive.
func (e Expr) degree() int {
	n := 0
	for _, t := range e.terms {
		for _, f := range t.m {
			n = max(n, f.n, -f.n)
		}
	}
	return n
}
