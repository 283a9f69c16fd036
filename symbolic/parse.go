package symbolic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"ident/internal/formula"
)

// ErrTooLarge is wrapped by Parse's errors for expressions whose expansion
// would be out of proportion to any robot's geometry.
var ErrTooLarge = errors.New("the expression is too large to expand")

// Limits of Parse on its text and on the expansion.
const (
	maxLength   = 4096 // bytes
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
	e, err := formula.Parse(text, expansion{})
	if err != nil {
		return Expr{}, fmt.Errorf("symbolic: expression %q: %w", text, err)
	}
	return e, nil
}

// expansion is the algebra of expressions, within the limits.
type expansion struct{}

func (expansion) Number(word string) (Expr, error) { return decimal(word) }

func (expansion) Name(word string) (Expr, error) {
	if strings.EqualFold(word, "pi") {
		word = "Pi"
	}
	return Symbol(word), nil
}

func (expansion) Call(function string, e Expr) (Expr, error) { return apply(function, e) }

func (expansion) Negate(e Expr) Expr { return e.Neg() }

func (expansion) Combine(op byte, e, f Expr) (Expr, error) {
	out, err := combine(op, e, f)
	if err == nil && out.beyondFloats() {
		return Expr{}, fmt.Errorf("a coefficient beyond the range of floating-point numbers: %w", ErrTooLarge)
	}
	return out, err
}

func combine(op byte, e, f Expr) (Expr, error) {
	switch op {
	case '+':
		return e.Add(f), nil
	case '-':
		return e.Sub(f), nil
	case '*':
		return multiply(e, f)
	case '/':
		return divide(e, f)
	}
	c, ok := f.Number()
	if ok && c.Cmp(big.NewRat(1, 2)) == 0 {
		return Sqrt(e), nil
	}
	if !ok || !c.IsInt() || !c.Num().IsInt64() {
		return Expr{}, fmt.Errorf("the power %s is no integer", f)
	}
	return raise(e, c.Num().Int64())
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

// bits returns the size of the largest coefficient.
func (e Expr) bits() int {
	n := 0
	for _, t := range e.terms {
		n = max(n, t.c.Num().BitLen()+t.c.Denom().BitLen())
	}
	return n
}

// beyondFloats reports whether a coefficient has a numerator or denominator that no finite float64 is as large
// as: it could be written but not read.
func (e Expr) beyondFloats() bool {
	for _, t := range e.terms {
		if max(t.c.Num().BitLen(), t.c.Denom().BitLen()) > 1023 {
			return true
		}
	}
	return false
}

// degree returns the largest power of an atom, negative ones taken positive.
func (e Expr) degree() int {
	n := 0
	for _, t := range e.terms {
		for _, f := range t.m {
			n = max(n, f.n, -f.n)
		}
	}
	return n
}
