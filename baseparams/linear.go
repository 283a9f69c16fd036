package baseparams

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/symbolic"
)

// linear is a combination of standard parameters: a sum of terms, and a part
// without any. Weight bounds the size of what it was expanded from.
type linear struct {
	free   symbolic.Expr
	terms  []ListedTerm // sorted by parameter, none zero
	weight int
}

// Bounds on what an equation may expand to, generous for any robot's.
const (
	maxWeight = 1024 // powers and digits in a product
	maxTerms  = 2000 // of a product of two sums
	maxDepth  = 200  // of parentheses
)

func (a linear) add(b linear, sign int64) linear {
	f := symbolic.Int(sign)
	out := linear{free: a.free.Add(b.free.Mul(f)), terms: slices.Clone(a.terms), weight: max(a.weight, b.weight) + 1}
	for _, t := range b.terms {
		i, found := slices.BinarySearchFunc(out.terms, t, func(x, y ListedTerm) int { return strings.Compare(x.Parameter, y.Parameter) })
		c := t.Coefficient.Mul(f)
		if !found {
			out.terms = slices.Insert(out.terms, i, ListedTerm{t.Parameter, c})
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
			out.terms = append(out.terms, ListedTerm{t.Parameter, c})
		}
	}
	return out, nil
}

// linearParser reads the right-hand sides of a listing, with the names that
// earlier lines define.
type linearParser struct {
	text    string
	at      int
	depth   int
	links   int
	defined map[string]linear
}

func (p *linearParser) parse(text string) (linear, error) {
	p.text, p.at, p.depth = text, 0, 0
	v, err := p.sum()
	if err == nil {
		if p.skip(); p.at < len(p.text) {
			err = p.unexpected()
		}
	}
	return v, err
}

func (p *linearParser) skip() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

func (p *linearParser) unexpected() error {
	if p.at >= len(p.text) {
		return errors.New("the expression ends too early")
	}
	return fmt.Errorf("unexpected %q", p.text[p.at:min(len(p.text), p.at+10)])
}

func (p *linearParser) take(op string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], op) {
		return false
	}
	p.at += len(op)
	return true
}

func (p *linearParser) sum() (linear, error) {
	if p.depth++; p.depth > maxDepth {
		return linear{}, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	v, err := p.product()
	for err == nil {
		var w linear
		switch {
		case p.take("+"):
			w, err = p.product()
			v = v.add(w, 1)
		case p.take("-"):
			w, err = p.product()
			v = v.add(w, -1)
		default:
			return v, nil
		}
		if err == nil && v.weight > maxWeight {
			err = symbolic.ErrTooLarge
		}
	}
	return linear{}, err
}

func (p *linearParser) product() (linear, error) {
	v, err := p.signed()
	for err == nil {
		var w linear
		switch {
		case p.take("*"):
			if w, err = p.signed(); err == nil {
				v, err = v.mul(w)
			}
		case p.take("/"):
			if w, err = p.signed(); err != nil {
				break
			}
			switch {
			case len(w.terms) > 0:
				err = fmt.Errorf("a division by %s is not linear in the standard parameters", w.terms[0].Parameter)
			case w.free.IsZero():
				err = errors.New("a division by zero")
			default:
				w.free = symbolic.Int(1).Div(w.free)
				v, err = v.mul(w)
			}
		default:
			return v, nil
		}
	}
	return linear{}, err
}

func (p *linearParser) signed() (linear, error) {
	sign := int64(1)
	for {
		if p.take("-") {
			sign = -sign
		} else if !p.take("+") {
			break
		}
	}
	v, err := p.power()
	if err == nil && sign < 0 {
		v = linear{}.add(v, -1)
	}
	return v, err
}

// power reads an atom and a power, which must be a small whole number.
func (p *linearParser) power() (linear, error) {
	v, err := p.atom()
	if err != nil || !p.take("**") && !p.take("^") {
		return v, err
	}
	p.skip()
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	digits := p.text[start:p.at]
	if digits == "" || len(digits) > 2 {
		return linear{}, fmt.Errorf("a power must be a whole number below 100, not %q", p.text[start:min(len(p.text), start+10)])
	}
	n := 0
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	out := linear{free: symbolic.Int(1), weight: 1}
	for range n {
		if out, err = out.mul(v); err != nil {
			return linear{}, err
		}
	}
	return out, nil
}

func (p *linearParser) atom() (linear, error) {
	if p.take("(") {
		v, err := p.sum()
		if err == nil && !p.take(")") {
			err = p.unexpected()
		}
		return v, err
	}
	p.skip()
	start := p.at
	for p.at < len(p.text) && p.wordByte(start) {
		p.at++
	}
	word := p.text[start:p.at]
	if word == "" {
		return linear{}, p.unexpected()
	}
	if c := word[0]; c == '.' || c >= '0' && c <= '9' {
		e, err := symbolic.Parse(word)
		return linear{free: e, weight: len(word)}, err
	}
	if f, ok := map[string]func(symbolic.Expr) symbolic.Expr{"sin": symbolic.Sin, "cos": symbolic.Cos, "sqrt": symbolic.Sqrt}[strings.ToLower(word)]; ok && p.take("(") {
		v, err := p.sum()
		if err == nil && !p.take(")") {
			err = p.unexpected()
		}
		switch {
		case err != nil:
			return linear{}, err
		case len(v.terms) > 0:
			return linear{}, fmt.Errorf("the %s of %s is not linear in the standard parameters", word, v.terms[0].Parameter)
		}
		return linear{free: f(v.free), weight: v.weight + 1}, nil
	}
	if v, ok := p.defined[word]; ok {
		return v, nil
	}
	if name, ok := ourName(word, p.links); ok {
		return linear{terms: []ListedTerm{{name, symbolic.Int(1)}}, weight: 1}, nil
	}
	if strings.EqualFold(word, "pi") {
		word = "Pi"
	}
	return linear{free: symbolic.Symbol(word), weight: 1}, nil
}

func (p *linearParser) wordByte(start int) bool {
	switch c := p.text[p.at]; {
	case c >= '0' && c <= '9', c == '.', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		return true
	case (c == '+' || c == '-') && p.at > start:
		first, last := p.text[start], p.text[p.at-1]
		return (first == '.' || first >= '0' && first <= '9') && (last == 'e' || last == 'E')
	}
	return false
}
