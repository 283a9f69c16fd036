package baseparams

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/symbolic"
)

// linear is a combination of standard parameters: a sum of terms, and a part
// without any. Weight bounds the size of the expressions expanded into it.
type linear struct {
	free   symbolic.Expr
	terms  []listedTerm // sorted by parameter, none zero
	weight int
}

// Bounds on the expansion of an equation, generous for any robot's.
const (
	maxWeight = 1024 // powers and digits in a product
	maxTerms  = 2000 // of a product of two sums
)

func (a linear) add(b linear, sign int64) linear {
	f := symbolic.Int(sign)
	out := linear{free: a.free.Add(b.free.Mul(f)), terms: slices.Clone(a.terms), weight: max(a.weight, b.weight) + 1}
	for _, t := range b.terms {
		i, found := slices.BinarySearchFunc(out.terms, t, func(x, y listedTerm) int { return strings.Compare(x.Parameter, y.Parameter) })
		c := t.Coefficient.Mul(f)
		if !found {
			out.terms = slices.Insert(out.terms, i, listedTerm{t.Parameter, c})
			continue
		}
		if c = out.terms[i].Coefficient.Add(c); c.IsZero() {
			out.terms = slices.Delete(out.terms, i, i+1)
		} else {
			out.terms[i].Coefficient = c
		}
	}
	return out
}

// mul returns the product of a combination and an expression without standard
// parameters, in either order.
func (a linear) mul(b linear) (linear, error) {
	if len(b.terms) > 0 {
		a, b = b, a
	}
	if len(b.terms) > 0 {
		return linear{}, fmt.Errorf("%s times %s is not linear in the standard parameters", a.terms[0].Parameter, b.terms[0].Parameter)
	}
	out := linear{weight: a.weight + b.weight}
	size := a.free.Terms()
	for _, t := range a.terms {
		size += t.Coefficient.Terms()
	}
	if out.weight > maxWeight || size*b.free.Terms() > maxTerms {
		return linear{}, symbolic.ErrTooLarge
	}
	out.free = a.free.Mul(b.free)
	for _, t := range a.terms {
		if c := t.Coefficient.Mul(b.free); !c.IsZero() {
			out.terms = append(out.terms, listedTerm{t.Parameter, c})
		}
	}
	return out, nil
}

// linearAlgebra evaluates the right-hand sides of a listing, with the names that
// earlier lines define.
type linearAlgebra struct {
	links   int
	defined map[string]linear
}

func (linearAlgebra) Number(word string) (linear, error) {
	e, err := symbolic.Parse(word)
	return linear{free: e, weight: len(word)}, err
}

func (a linearAlgebra) Name(word string) (linear, error) {
	if v, ok := a.defined[word]; ok {
		return v, nil
	}
	if name, ok := ourName(word, a.links); ok {
		return linear{terms: []listedTerm{{name, symbolic.Int(1)}}, weight: 1}, nil
	}
	if strings.EqualFold(word, "pi") {
		word = "Pi"
	}
	return linear{free: symbolic.Symbol(word), weight: 1}, nil
}

func (linearAlgebra) Call(function string, v linear) (linear, error) {
	f, ok := map[string]func(symbolic.Expr) symbolic.Expr{"sin": symbolic.Sin, "cos": symbolic.Cos, "sqrt": symbolic.Sqrt}[function]
	switch {
	case !ok:
		return linear{}, fmt.Errorf("listings have no function %s; they have sin, cos and sqrt", function)
	case len(v.terms) > 0:
		return linear{}, fmt.Errorf("the %s of %s is not linear in the standard parameters", function, v.terms[0].Parameter)
	}
	return linear{free: f(v.free), weight: v.weight + 1}, nil
}

func (linearAlgebra) Negate(v linear) linear { return linear{}.add(v, -1) }

func (linearAlgebra) Combine(op byte, v, w linear) (linear, error) {
	switch op {
	case '+', '-':
		sign := int64(1)
		if op == '-' {
			sign = -1
		}
		if v = v.add(w, sign); v.weight > maxWeight {
			return linear{}, symbolic.ErrTooLarge
		}
		return v, nil
	case '*':
		return v.mul(w)
	case '/':
		switch {
		case len(w.terms) > 0:
			return linear{}, fmt.Errorf("a division by %s is not linear in the standard parameters", w.terms[0].Parameter)
		case w.free.IsZero():
			return linear{}, errors.New("a division by zero")
		}
		w.free = symbolic.Int(1).Div(w.free)
		return v.mul(w)
	}
	n, ok := w.free.Number()
	if !ok || len(w.terms) > 0 || !n.IsInt() || !n.Num().IsInt64() || n.Num().Int64() < 0 || n.Num().Int64() > 99 {
		return linear{}, errors.New("a power must be a whole number below 100")
	}
	out := linear{free: symbolic.Int(1), weight: 1}
	for range n.Num().Int64() {
		var err error
		if out, err = out.mul(v); err != nil {
			return linear{}, err
		}
	}
	return out, nil
}
