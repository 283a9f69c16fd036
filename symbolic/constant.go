package symbolic

import (
	"math"
	"math/big"
	"strconv"
)

// constant is a positive number (or 0): exactly, as an expression without
// symbols, or where its exact form is not known or not worth keeping as a
// float64 alone.
type constant struct {
	exact   Expr
	isExact bool
	value   float64
}

// Limits of exact constants: beyond them a constant is rounded to a float64. A
// geometry of decimals and right angles stays far below them.
const (
	maxExactTerms = 4
	maxExactBits  = 256
)

// exactly makes a constant of a positive expression without symbols.
func exactly(e Expr) constant {
	c := constant{exact: e, isExact: true, value: e.Eval(nil)}
	if e.Terms() > maxExactTerms || e.bits() > maxExactBits {
		c.exact, c.isExact = Expr{}, false
	}
	return c
}

func (c constant) key() string {
	if c.isExact {
		return c.exact.String()
	}
	return strconv.FormatUint(math.Float64bits(c.value), 16) + "f"
}

// Int returns an integer.
func (g *Graph) Int(n int) Node { return g.constant(exactly(Int(int64(n)))) }

// Rat returns the fraction p/q. It panics for q = 0.
func (g *Graph) Rat(p, q int64) Node { return g.constant(exactly(Rat(p, q))) }

// Float returns a number. One that is written with at most nine digits is taken
// for that decimal exactly, so 0.3 - 0.1 is 0.2, and the float64 nearest to a
// multiple of π/12 is taken for that; both evaluate to the same float64. It panics
// for NaN and infinities.
func (g *Graph) Float(x float64) Node {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		panic("symbolic: constant is not finite")
	}
	if k := math.Round(x * 12 / math.Pi); k != 0 && math.Abs(k) <= 1<<10 && float64(k*math.Pi)/12 == x {
		c := constant{exact: Symbol("Pi").times(big.NewRat(int64(k), 12)), isExact: true, value: x}
		return g.constant(c)
	}
	const digits = 9
	text := strconv.FormatFloat(x, 'e', -1, 64)
	if len(text) <= digits+6 && math.Abs(x) < 1e12 && (x == 0 || math.Abs(x) > 1e-12) {
		if c, ok := new(big.Rat).SetString(text); ok {
			return g.constant(constant{exact: number(c), isExact: true, value: x})
		}
	}
	return g.constant(constant{value: x})
}

// Expr returns the node of an expression. Its symbols become inputs, described
// by the function.
func (g *Graph) Expr(e Expr, describe func(symbol string) Input) Node {
	var sum Node
	for _, t := range e.terms {
		top, bottom := g.constant(exactly(number(t.c))), One
		for _, f := range t.m {
			x := g.atom(f.a, describe)
			for range max(f.n, -f.n) {
				if f.n > 0 {
					top = g.Mul(top, x)
				} else {
					bottom = g.Mul(bottom, x)
				}
			}
		}
		sum = g.Add(sum, g.Div(top, bottom))
	}
	return sum
}

func (g *Graph) atom(a *atom, describe func(symbol string) Input) Node {
	if a.fn == "" {
		if a.key == "Pi" {
			return g.constant(exactly(Symbol("Pi")))
		}
		return g.Input(describe(a.key))
	}
	arg := g.Expr(a.arg, describe)
	switch a.fn {
	case "sin":
		return g.Sin(arg)
	case "cos":
		return g.Cos(arg)
	case "sqrt":
		return g.Sqrt(arg)
	case "abs":
		return g.Abs(arg)
	case "asin":
		return g.Asin(arg)
	case "acos":
		return g.Acos(arg)
	case "atan":
		return g.Atan(arg)
	}
	return arg // a sum that stands for itself
}
