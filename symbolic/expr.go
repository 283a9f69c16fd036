package symbolic

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// Expr is an exact expression. It is immutable, and its zero value is 0.
type Expr struct {
	terms []term // distinct monomials in descending order, no zero coefficient
}

// term is a coefficient times a monomial.
type term struct {
	c *big.Rat
	m []factor // ascending by atom, no zero power
}

type factor struct {
	a *atom
	n int
}

// atom is a symbol, fn being "", or a function of an expression. The function
// "sum" is an expression that could not be multiplied out, because its power
// is negative.
type atom struct {
	key string // the symbol, or the function's text
	fn  string
	arg Expr
}

// rank orders kinds of atoms: roots come before symbols, functions after them.
func (a *atom) rank() int {
	switch a.fn {
	case "sqrt":
		return 0
	case "":
		return 1
	}
	return 2
}

func compareAtoms(a, b *atom) int {
	if a == b {
		return 0
	}
	return cmp.Or(a.rank()-b.rank(), strings.Compare(a.key, b.key))
}

// compareMonomials puts higher degrees in symbols first, then the earlier atom.
func compareMonomials(a, b []factor) int {
	if d := degree(b) - degree(a); d != 0 {
		return d
	}
	for i := range min(len(a), len(b)) {
		if d := compareAtoms(a[i].a, b[i].a); d != 0 {
			return d
		}
		if d := b[i].n - a[i].n; d != 0 {
			return d
		}
	}
	return len(b) - len(a)
}

func degree(m []factor) int {
	d := 0
	for _, f := range m {
		if f.a.fn == "" {
			d += f.n
		}
	}
	return d
}

// Int returns an integer.
func Int(n int64) Expr { return Rat(n, 1) }

// Rat returns the fraction p/q. It panics for q = 0.
func Rat(p, q int64) Expr { return number(big.NewRat(p, q)) }

func number(c *big.Rat) Expr {
	if c.Sign() == 0 {
		return Expr{}
	}
	return Expr{[]term{{c: c}}}
}

// Symbol returns a name as an expression. "Pi" is the number π.
func Symbol(name string) Expr { return atomic(&atom{key: name}) }

func atomic(a *atom) Expr {
	return Expr{[]term{{c: big.NewRat(1, 1), m: []factor{{a, 1}}}}}
}

// IsZero reports whether the canonical form is 0.
func (e Expr) IsZero() bool { return len(e.terms) == 0 }

// Equal reports whether two canonical forms are the same.
func (e Expr) Equal(f Expr) bool {
	return slices.EqualFunc(e.terms, f.terms, func(a, b term) bool {
		return a.c.Cmp(b.c) == 0 && compareMonomials(a.m, b.m) == 0
	})
}

// Number returns the value of an expression without any atom.
func (e Expr) Number() (*big.Rat, bool) {
	switch {
	case len(e.terms) == 0:
		return new(big.Rat), true
	case len(e.terms) == 1 && len(e.terms[0].m) == 0:
		return new(big.Rat).Set(e.terms[0].c), true
	}
	return nil, false
}

// Add returns e + f.
func (e Expr) Add(f Expr) Expr {
	if len(f.terms) == 0 {
		return e
	}
	if len(e.terms) == 0 {
		return f
	}
	out := make([]term, 0, len(e.terms)+len(f.terms))
	i, j := 0, 0
	for i < len(e.terms) && j < len(f.terms) {
		switch d := compareMonomials(e.terms[i].m, f.terms[j].m); {
		case d < 0:
			out = append(out, e.terms[i])
			i++
		case d > 0:
			out = append(out, f.terms[j])
			j++
		default:
			if c := new(big.Rat).Add(e.terms[i].c, f.terms[j].c); c.Sign() != 0 {
				out = append(out, term{c, e.terms[i].m})
			}
			i++
			j++
		}
	}
	out = append(append(out, e.terms[i:]...), f.terms[j:]...)
	return Expr{out}
}

// Neg returns -e.
func (e Expr) Neg() Expr { return e.times(big.NewRat(-1, 1)) }

// Sub returns e - f.
func (e Expr) Sub(f Expr) Expr { return e.Add(f.Neg()) }

func (e Expr) times(c *big.Rat) Expr {
	if c.Sign() == 0 {
		return Expr{}
	}
	if c.IsInt() && c.Num().IsInt64() && c.Num().Int64() == 1 {
		return e
	}
	out := make([]term, len(e.terms))
	for i, t := range e.terms {
		out[i] = term{new(big.Rat).Mul(t.c, c), t.m}
	}
	return Expr{out}
}

// Mul returns e·f.
func (e Expr) Mul(f Expr) Expr {
	switch {
	case len(e.terms) == 0 || len(f.terms) == 0:
		return Expr{}
	case len(f.terms) == 1 && len(f.terms[0].m) == 0:
		return e.times(f.terms[0].c)
	case len(e.terms) == 1 && len(e.terms[0].m) == 0:
		return f.times(e.terms[0].c)
	}
	var sum Expr
	for _, s := range e.terms {
		var row Expr
		for _, t := range f.terms {
			row = row.Add(reduced(term{new(big.Rat).Mul(s.c, t.c), mulMonomials(s.m, t.m)}))
		}
		sum = sum.Add(row)
	}
	return sum
}

func mulMonomials(a, b []factor) []factor {
	out := make([]factor, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch d := compareAtoms(a[i].a, b[j].a); {
		case d < 0:
			out = append(out, a[i])
			i++
		case d > 0:
			out = append(out, b[j])
			j++
		default:
			if n := a[i].n + b[j].n; n != 0 {
				out = append(out, factor{a[i].a, n})
			}
			i++
			j++
		}
	}
	return append(append(out, a[i:]...), b[j:]...)
}

// reduced applies sin² = 1 - cos² and √x² = x to a term, and multiplies out
// sums whose power is no longer negative.
func reduced(t term) Expr {
	for i, f := range t.m {
		var by Expr
		left := 0
		switch {
		case f.a.fn == "sin" && f.n >= 2:
			c := Cos(f.a.arg)
			by, left = Int(1).Sub(c.Mul(c)), f.n-2
		case f.a.fn == "sqrt" && f.n >= 2:
			by, left = f.a.arg, f.n-2
		case f.a.fn == "sqrt" && f.n < 0 && isNumber(f.a.arg):
			by, left = f.a.arg.inverse(), f.n+2
		case f.a.fn == "sum" && f.n > 0:
			by, left = f.a.arg, f.n-1
		default:
			continue
		}
		rest := slices.Clone(t.m)
		if rest[i].n = left; left == 0 {
			rest = slices.Delete(rest, i, i+1)
		}
		return reduced(term{t.c, rest}).Mul(by)
	}
	return Expr{[]term{t}}
}

func isNumber(e Expr) bool {
	_, ok := e.Number()
	return ok
}

// Pow returns e to an integer power. It panics for a negative power of 0.
func (e Expr) Pow(n int) Expr {
	if n < 0 {
		e, n = e.inverse(), -n
	}
	out := Int(1)
	for range n {
		out = out.Mul(e)
	}
	return out
}

// Div returns e/f. It panics for f = 0.
func (e Expr) Div(f Expr) Expr { return e.Mul(f.inverse()) }

func (e Expr) inverse() Expr {
	switch len(e.terms) {
	case 0:
		panic("symbolic: division by zero")
	case 1:
		t := e.terms[0]
		m := slices.Clone(t.m)
		for i := range m {
			m[i].n = -m[i].n
		}
		return reduced(term{new(big.Rat).Inv(t.c), m})
	}
	// The sum is normalised to a leading coefficient of 1, so that multiples
	// of one sum share an atom.
	c := new(big.Rat).Inv(e.terms[0].c)
	arg := e.times(c)
	a := &atom{key: "(" + arg.String() + ")", fn: "sum", arg: arg}
	return Expr{[]term{{c, []factor{{a, -1}}}}}
}

// Symbols returns the names that the expression uses, sorted, without Pi.
func (e Expr) Symbols() []string {
	set := map[string]bool{}
	e.collect(set)
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

func (e Expr) collect(set map[string]bool) {
	for _, t := range e.terms {
		for _, f := range t.m {
			switch {
			case f.a.fn != "":
				f.a.arg.collect(set)
			case f.a.key != "Pi":
				set[f.a.key] = true
			}
		}
	}
}
