// Package formula reads the arithmetic of robot files and listings: numbers,
// names, + - * / ^ (also ** · and superscripts), signs, parentheses and a few
// functions of one argument. The operations are those of the caller's Algebra, so
// that one grammar serves numbers, exact expressions and linear combinations.
//
// Powers bind tighter than signs and group to the right: -2^3^2 is -(2^(3^2)).
package formula

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep parentheses and powers of powers may be nested.
const MaxDepth = 200

// Algebra evaluates the parts of a formula.
type Algebra[T any] interface {
	// Number reads a word that begins with a digit or a point.
	Number(word string) (T, error)
	// Name reads any other word, pi among them.
	Name(word string) (T, error)
	// Call applies one of Functions, in lower case.
	Call(function string, x T) (T, error)
	Negate(x T) T
	// Combine applies + - * / or ^.
	Combine(op byte, x, y T) (T, error)
}

// Functions returns the names that are functions where a parenthesis follows, in
// either case.
func Functions() []string {
	return []string{"sin", "cos", "tan", "sqrt", "asin", "acos", "atan", "abs"}
}

// Parse reads a formula. Errors of the syntax give the byte; those of the algebra
// are returned as they are. The time is linear in the text's length, besides that
// of the algebra.
func Parse[T any](text string, a Algebra[T]) (T, error) {
	var none T
	p := parser[T]{text: text, a: a, functions: Functions()}
	v, err := p.sum()
	if err != nil {
		return none, err
	}
	if p.skip(); p.at < len(text) {
		return none, p.unexpected()
	}
	return v, nil
}

type parser[T any] struct {
	text      string
	at, depth int
	a         Algebra[T]
	functions []string
}

func (p *parser[T]) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser[T]) unexpected() error {
	if p.at >= len(p.text) {
		return errors.New("it ends too early")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return fmt.Errorf("unexpected %q at byte %d", r, p.at+1)
}

// take consumes an operator if it is next.
func (p *parser[T]) take(op string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], op) {
		return false
	}
	p.at += len(op)
	return true
}

// deeper counts a level of nesting.
func (p *parser[T]) deeper() error {
	if p.depth++; p.depth > MaxDepth {
		return fmt.Errorf("nested more than %d deep", MaxDepth)
	}
	return nil
}

func (p *parser[T]) sum() (v T, err error) {
	if err = p.deeper(); err != nil {
		return v, err
	}
	defer func() { p.depth-- }()
	v, err = p.product()
	for err == nil {
		var op byte
		switch {
		case p.take("+"):
			op = '+'
		case p.take("-"):
			op = '-'
		default:
			return v, nil
		}
		var w T
		if w, err = p.product(); err == nil {
			v, err = p.a.Combine(op, v, w)
		}
	}
	return v, err
}

func (p *parser[T]) product() (T, error) {
	v, err := p.signed()
	for err == nil {
		var op byte
		switch {
		case p.take("·") || !strings.HasPrefix(p.text[p.at:], "**") && p.take("*"):
			op = '*'
		case p.take("/"):
			op = '/'
		default:
			return v, nil
		}
		var w T
		if w, err = p.signed(); err == nil {
			v, err = p.a.Combine(op, v, w)
		}
	}
	return v, err
}

func (p *parser[T]) signed() (T, error) {
	minus := false
	for {
		if p.take("-") {
			minus = !minus
		} else if !p.take("+") {
			break
		}
	}
	v, err := p.power()
	if err == nil && minus {
		v = p.a.Negate(v)
	}
	return v, err
}

func (p *parser[T]) power() (T, error) {
	base, err := p.atom()
	if err != nil {
		return base, err
	}
	if digits := p.superscript(); digits != "" {
		n, err := p.a.Number(digits)
		if err != nil {
			return base, err
		}
		return p.a.Combine('^', base, n)
	}
	if !p.take("^") && !p.take("**") {
		return base, nil
	}
	if err := p.deeper(); err != nil {
		return base, err
	}
	defer func() { p.depth-- }()
	exponent, err := p.signed()
	if err != nil {
		return base, err
	}
	return p.a.Combine('^', base, exponent)
}

// superscript reads a power written ² or ¹⁰.
func (p *parser[T]) superscript() string {
	const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	var digits []byte
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		i := strings.IndexRune(superscripts, r)
		if i < 0 || r == utf8.RuneError {
			break
		}
		digits = append(digits, byte('0'+utf8.RuneCountInString(superscripts[:i])))
		p.at += size
	}
	return string(digits)
}

func (p *parser[T]) parenthesis() (T, error) {
	v, err := p.sum()
	if err == nil && !p.take(")") {
		err = p.unexpected()
	}
	return v, err
}

func (p *parser[T]) atom() (v T, err error) {
	if p.take("(") {
		return p.parenthesis()
	}
	start := p.at
	for p.at < len(p.text) && p.wordByte(start) {
		p.at++
	}
	word := p.text[start:p.at]
	if word == "" {
		return v, p.unexpected()
	}
	if c := word[0]; c == '.' || c >= '0' && c <= '9' {
		return p.a.Number(word)
	}
	if lower := strings.ToLower(word); slices.Contains(p.functions, lower) && p.take("(") {
		x, err := p.parenthesis()
		if err != nil {
			return v, err
		}
		return p.a.Call(lower, x)
	}
	return p.a.Name(word)
}

// wordByte reports whether the next byte continues the number or name that began
// at start; the sign of an exponent belongs to its number.
func (p *parser[T]) wordByte(start int) bool {
	c := p.text[p.at]
	switch {
	case c >= '0' && c <= '9', c == '.', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		return true
	case (c == '+' || c == '-') && p.at > start:
		first, last := p.text[start], p.text[p.at-1]
		return (first == '.' || first >= '0' && first <= '9') && (last == 'e' || last == 'E')
	}
	return false
}
