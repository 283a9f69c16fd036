package xacro

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// identifier reports whether a text is a name in an expression.
func identifier(s string) bool {
	for i, r := range s {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return s != "" && !slices.Contains(keywords, s)
}

var keywords = []string{"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "None", "True", "False"}

// expression evaluates the inside of ${…}.
func (e *expander) expression(s string, in *scope, at *node) (any, error) {
	p := &parser{e: e, in: in, at: at}
	err := p.words(s)
	if err == nil {
		var v any
		if v, err = p.list(true); err == nil {
			if p.next().text == "" {
				return v, nil
			}
			err = p.unexpected()
		}
	}
	var deeper *Error
	if errors.As(err, &deeper) {
		return nil, err // of a property that it uses
	}
	return nil, fault(at, "${%s}: %w", clip(s), err)
}

// word is a token: its kind is n for a number, s for a text in quotes, a for a name, o for an operator.
type word struct {
	kind byte
	text string
}

// parser evaluates as it reads; parts that are left out are read with skip above zero.
type parser struct {
	e     *expander
	in    *scope
	at    *node
	rest  []word
	skip  int
	depth int
}

var operators = []string{"**", "//", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "(", ")", "[", "]", "{", "}", ",", ":", ".", "="}

func (p *parser) words(s string) error {
	for s != "" {
		switch c := s[0]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			s = s[1:]
		case c >= '0' && c <= '9' || c == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
			n := 1
			for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' || s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' ||
				(s[n] == '+' || s[n] == '-') && s[n-1]|0x20 == 'e') {
				n++
			}
			p.rest, s = append(p.rest, word{'n', s[:n]}), s[n:]
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z':
			n := 1
			for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || s[n] >= '0' && s[n] <= '9') {
				n++
			}
			if n < len(s) && (s[n] == '\'' || s[n] == '"') {
				return fmt.Errorf("a string with a prefix, such as %s'…', is not read: write it without the prefix", s[:n])
			}
			p.rest, s = append(p.rest, word{'a', s[:n]}), s[n:]
		case c == '\'' || c == '"':
			var b strings.Builder
			i := 1
			for ; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' && i+1 < len(s) {
					i++
					if t, ok := map[byte]string{'n': "\n", 't': "\t", '\\': "\\", '\'': "'", '"': `"`}[s[i]]; ok {
						b.WriteString(t)
						continue
					}
					b.WriteByte('\\')
				}
				b.WriteByte(s[i])
			}
			if i >= len(s) {
				return errors.New("a quote is not closed")
			}
			p.rest, s = append(p.rest, word{'s', b.String()}), s[i+1:]
		default:
			k := slices.IndexFunc(operators, func(o string) bool { return strings.HasPrefix(s, o) })
			if k < 0 {
				r, _ := utf8.DecodeRuneInString(s)
				return fmt.Errorf("unexpected %q", r)
			}
			p.rest, s = append(p.rest, word{'o', operators[k]}), s[len(operators[k]):]
		}
	}
	return nil
}

func (p *parser) next() word {
	if len(p.rest) == 0 {
		return word{}
	}
	return p.rest[0]
}

// take consumes an operator or keyword if it is next.
func (p *parser) take(text string) bool {
	if w := p.next(); (w.kind == 'o' || w.kind == 'a') && w.text == text {
		p.rest = p.rest[1:]
		return true
	}
	return false
}

func (p *parser) unexpected() error {
	w := p.next()
	switch {
	case w.kind == 0:
		return errors.New("it ends too early")
	case w.text == "for" || w.text == "lambda":
		return fmt.Errorf("%q: comprehensions and functions of one's own are not read", w.text)
	}
	return fmt.Errorf("unexpected %q", w.text)
}

// list returns an expression, or a tuple of several.
func (p *parser) list(top bool) (any, error) {
	v, err := p.condition()
	if err != nil || p.next().text != "," || p.next().kind != 'o' {
		return v, err
	}
	t := tuple{v}
	for p.take(",") {
		if w := p.next(); w.kind == 0 || w.kind == 'o' && w.text == ")" {
			break
		}
		if v, err = p.condition(); err != nil {
			return nil, err
		}
		t = append(t, v)
	}
	return t, nil
}

// skipped reads without evaluation where a condition leaves it out.
func (p *parser) skipped(skip bool, read func() (any, error)) (any, error) {
	if skip {
		p.skip++
		defer func() { p.skip-- }()
	}
	return read()
}

// condition returns a if c else b. The condition comes behind a, which is read twice where it holds.
func (p *parser) condition() (any, error) {
	if p.depth++; p.depth > 100 {
		return nil, errors.New("it is nested too deep")
	}
	defer func() { p.depth-- }()
	from := p.rest
	// First without evaluation, to see whether a condition follows.
	if _, err := p.skipped(true, p.or); err != nil {
		return nil, err
	}
	if !p.take("if") {
		if p.skip > 0 {
			return nil, nil
		}
		p.rest = from
		return p.or()
	}
	c, err := p.or()
	if err != nil {
		return nil, err
	}
	if !p.take("else") {
		return nil, p.unexpected()
	}
	yes := truth(c)
	other, err := p.skipped(yes, p.condition)
	if err != nil || p.skip > 0 || !yes {
		return other, err
	}
	after := p.rest
	p.rest = from
	v, err := p.or()
	p.rest = after
	return v, err
}

func (p *parser) or() (any, error)  { return p.logic("or", p.and, true) }
func (p *parser) and() (any, error) { return p.logic("and", p.not, false) }

// logic returns a chain of or, or of and, which ends at the first value that decides.
func (p *parser) logic(op string, part func() (any, error), decides bool) (any, error) {
	v, err := part()
	for err == nil && p.next().kind == 'a' && p.take(op) {
		decided := truth(v) == decides
		var w any
		if w, err = p.skipped(decided, part); !decided {
			v = w
		}
	}
	return v, err
}

func (p *parser) not() (any, error) {
	if p.next().kind == 'a' && p.take("not") {
		if p.depth++; p.depth > 100 {
			return nil, errors.New("it is nested too deep")
		}
		v, err := p.not()
		p.depth--
		return !truth(v), err
	}
	return p.comparison()
}

func (p *parser) comparison() (any, error) {
	v, err := p.bits()
	result, compared := any(true), false
	for err == nil {
		op := ""
		switch w := p.next(); {
		case w.kind == 'o' && slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, w.text):
			op = w.text
			p.rest = p.rest[1:]
		case w.kind == 'a' && p.take("in"):
			op = "in"
		case w.kind == 'a' && p.take("is"):
			if op = "is"; p.take("not") {
				op = "is not"
			}
		case w.kind == 'a' && w.text == "not":
			p.rest = p.rest[1:]
			if !p.take("in") {
				return nil, p.unexpected()
			}
			op = "not in"
		default:
			if compared {
				return result, nil
			}
			return v, nil
		}
		var w any
		if w, err = p.bits(); err != nil {
			return nil, err
		}
		if p.skip == 0 && result == true {
			if result, err = p.compare(op, v, w); err != nil {
				return nil, err
			}
		}
		v, compared = w, true
	}
	return nil, err
}

func (p *parser) compare(op string, a, b any) (any, error) {
	switch op {
	case "==", "!=", "is", "is not":
		ok, err := p.e.same(a, b, 0)
		return ok == (op == "==" || op == "is"), err
	case "<":
		return less(a, b)
	case ">":
		return less(b, a)
	case "<=", ">=":
		if op == ">=" {
			a, b = b, a
		}
		ok, err := less(a, b)
		if err != nil || ok {
			return ok, err
		}
		return p.e.same(a, b, 0)
	}
	var found bool
	var err error
	switch c := b.(type) {
	case string:
		s, ok := a.(string)
		if !ok {
			return nil, fmt.Errorf("%s in a text", typeName(a))
		}
		found = strings.Contains(c, s)
	case *dictionary:
		d := newDictionary()
		if err := d.set(a, nil); err != nil {
			return nil, err
		}
		_, found = c.values[d.keys[0]]
	default:
		items, ok := sequence(b)
		if !ok {
			return nil, fmt.Errorf("nothing is in %s", typeName(b))
		}
		for _, x := range items {
			if found, err = p.e.same(a, x, 0); found || err != nil {
				break
			}
		}
	}
	return found == (op == "in"), err
}

// bits returns the operators of bits, which bind in the order | ^ & and shifts, each tighter than the one before.
func (p *parser) bits() (any, error) {
	shift := func() (any, error) { return p.chain(p.sum, "<<", ">>") }
	and := func() (any, error) { return p.chain(shift, "&") }
	exclusive := func() (any, error) { return p.chain(and, "^") }
	return p.chain(exclusive, "|")
}

func (p *parser) sum() (any, error) { return p.chain(p.product, "+", "-") }

func (p *parser) product() (any, error) { return p.chain(p.signed, "*", "/", "//", "%") }

// chain combines parts from the left.
func (p *parser) chain(part func() (any, error), ops ...string) (any, error) {
	v, err := part()
	for err == nil {
		w := p.next()
		if w.kind != 'o' || !slices.Contains(ops, w.text) {
			break
		}
		p.rest = p.rest[1:]
		var right any
		if right, err = part(); err != nil || p.skip > 0 {
			continue
		}
		if text, ok := v.(string); ok && w.text == "%" {
			v, err = p.e.percent(text, right)
		} else {
			v, err = combine(w.text, v, right)
		}
	}
	return v, err
}

func (p *parser) signed() (any, error) {
	if p.take("~") {
		if p.depth++; p.depth > 100 {
			return nil, errors.New("it is nested too deep")
		}
		v, err := p.signed()
		p.depth--
		if n, ok := integer(v); ok {
			return ^n, err
		}
		if err == nil && p.skip == 0 {
			err = fmt.Errorf("~ of %s is not defined", typeName(v))
		}
		return nil, err
	}
	minus, signs := false, 0
	for ; ; signs++ {
		if p.take("-") {
			minus = !minus
		} else if !p.take("+") {
			break
		}
	}
	read := p.power
	if p.next() == (word{'o', "~"}) {
		read = p.signed
	}
	v, err := read()
	if err != nil || signs == 0 || p.skip > 0 {
		return v, err
	}
	switch x := v.(type) {
	case bool, int64:
		n, _ := integer(x)
		if minus {
			return combineIntegers("-", 0, n)
		}
		return n, nil
	case float64:
		if minus {
			x = -x
		}
		return x, nil
	}
	return nil, fmt.Errorf("%s has no sign", typeName(v))
}

func (p *parser) power() (any, error) {
	v, err := p.postfix()
	if err != nil || !p.take("**") {
		return v, err
	}
	if p.depth++; p.depth > 100 {
		return nil, errors.New("it is nested too deep")
	}
	w, err := p.signed()
	p.depth--
	if err != nil || p.skip > 0 {
		return nil, err
	}
	return combine("**", v, w)
}
