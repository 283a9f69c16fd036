package xacro

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bound is a function, or a method with its object.
type bound struct {
	name string
	of   any
}

// postfix returns an atom with calls, subscripts and attributes.
func (p *parser) postfix() (any, error) {
	v, err := p.atom()
	for err == nil {
		switch {
		case p.take("."):
			w := p.next()
			if w.kind != 'a' {
				return nil, p.unexpected()
			}
			p.rest = p.rest[1:]
			if p.skip == 0 {
				v, err = p.member(v, w.text)
			}
		case p.take("["):
			v, err = p.subscript(v)
		case p.take("("):
			v, err = p.callWith(v)
		default:
			return v, nil
		}
	}
	return nil, err
}

// callWith reads the arguments of a call and applies it.
func (p *parser) callWith(f any) (any, error) {
	var args []any
	named := newDictionary()
	for !p.take(")") {
		name := ""
		if len(p.rest) > 1 && p.rest[0].kind == 'a' && p.rest[1] == (word{'o', "="}) {
			name = p.rest[0].text
			p.rest = p.rest[2:]
		} else if len(named.keys) > 0 {
			return nil, errors.New("an argument without a name follows one with a name")
		}
		v, err := p.condition()
		if err != nil {
			return nil, err
		}
		if name == "" {
			args = append(args, v)
		} else if err := named.set(name, v); err != nil {
			return nil, err
		}
		if !p.take(",") && p.next().text != ")" {
			return nil, p.unexpected()
		}
	}
	if p.skip > 0 {
		return nil, nil
	}
	b, ok := f.(bound)
	if !ok {
		return nil, fmt.Errorf("%s is no function and cannot be called", typeName(f))
	}
	v, err := p.e.apply(b, args, named, p.at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	return v, nil
}

// member returns an attribute: an entry of a dictionary, a property of an include, or a method.
func (p *parser) member(v any, name string) (any, error) {
	switch x := v.(type) {
	case *dictionary:
		if slices.Contains([]string{"get", "keys", "values", "items"}, name) { // before an entry of that name, as in Python
			return bound{name, v}, nil
		}
		if w, ok := x.values[name]; ok {
			return w, nil
		}
		return nil, fmt.Errorf("the dictionary has no key %q%s", name, proposal(name, texts(x.keys)))
	case *scope:
		w, ok, err := p.e.lookup(x, name, p.at)
		if err == nil && !ok {
			err = fmt.Errorf("the include has no property %q%s", name, proposal(name, x.names()))
		}
		return w, err
	case string, list, tuple:
		return bound{name, v}, nil
	case bound:
		if x.name == "math" || x.name == "xacro" || x.name == "python" {
			return function(name)
		}
	}
	return nil, fmt.Errorf("%s has no %q", typeName(v), name)
}

func texts(keys []any) []string {
	var out []string
	for _, k := range keys {
		if s, ok := k.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// sequence returns the items of a list, tuple or view.
func sequence(v any) ([]any, bool) {
	switch x := v.(type) {
	case list:
		return x, true
	case tuple:
		return x, true
	case *view:
		return x.read(), true
	}
	return nil, false
}

// subscript reads an index, a key or a slice behind its bracket.
func (p *parser) subscript(v any) (any, error) {
	var ends [3]any
	parts := 0 // colons so far
	for {
		if w := p.next(); w.kind != 'o' || w.text != ":" && (w.text != "]" || parts == 0) {
			read := p.condition
			if parts == 0 {
				read = func() (any, error) { return p.list(false) }
			}
			var err error
			if ends[parts], err = read(); err != nil {
				return nil, err
			}
		}
		if parts == 2 || !p.take(":") {
			break
		}
		parts++
	}
	if !p.take("]") {
		return nil, p.unexpected()
	}
	if p.skip > 0 {
		return nil, nil
	}
	if d, ok := v.(*dictionary); ok && parts == 0 {
		key := newDictionary()
		if err := key.set(ends[0], nil); err != nil {
			return nil, err
		}
		w, ok := d.values[key.keys[0]]
		if !ok {
			name, _ := p.e.printed(ends[0])
			return nil, fmt.Errorf("the dictionary has no key %q%s", clip(name), proposal(clip(name), texts(d.keys)))
		}
		return w, nil
	}
	if _, ok := v.(*view); ok && (parts > 0 || !strings.HasPrefix(v.(*view).kind, "range")) {
		return nil, fmt.Errorf("%s has no entries: list(…) makes a list of it", typeName(v))
	}
	items, ok := sequence(v)
	_, text := v.(string)
	if text {
		items, ok = p.e.iterated(v)
	}
	if !ok {
		return nil, fmt.Errorf("%s has no entries", typeName(v))
	}
	if parts == 0 {
		i, ok := integer(ends[0])
		if !ok {
			return nil, fmt.Errorf("%s is no index", typeName(ends[0]))
		}
		n := int64(len(items))
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return nil, fmt.Errorf("index %d of %d entries, which are counted from 0", i, n)
		}
		return items[i], nil
	}
	out, err := sliced(items, ends)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case string:
		return strings.Join(texts(out), ""), nil
	case tuple:
		return tuple(out), nil
	}
	return list(out), nil
}

// sliced returns the items [from:to:step]; ends that are None are those of the list.
func sliced(items []any, ends [3]any) ([]any, error) {
	n, step := int64(len(items)), int64(1)
	var at [3]int64
	for k, end := range ends {
		var ok bool
		if at[k], ok = integer(end); !ok && end != nil {
			return nil, fmt.Errorf("%s is no index", typeName(end))
		}
	}
	if ends[2] != nil {
		if step = at[2]; step == 0 {
			return nil, errors.New("the step of a slice is zero")
		}
	}
	low, high := int64(0), n
	if step < 0 {
		low, high = -1, n-1
	}
	for k := range 2 {
		switch {
		case ends[k] == nil && (k == 0) == (step > 0):
			at[k] = low
		case ends[k] == nil:
			at[k] = high
		case at[k] < 0:
			at[k] = max(at[k]+n, low)
		default:
			at[k] = min(at[k], high)
		}
	}
	var out []any
	for i := at[0]; step > 0 && i < at[1] || step < 0 && i > at[1]; i += max(-n-1, min(step, n+1)) {
		out = append(out, items[i])
	}
	return out, nil
}

// atom returns a number, a text, a name, a list, a dictionary or a parenthesis.
func (p *parser) atom() (any, error) {
	w := p.next()
	switch w.kind {
	case 'n':
		p.rest = p.rest[1:]
		plain := strings.ReplaceAll(w.text, "_", "")
		if n, err := strconv.ParseInt(plain, 0, 64); err == nil && !(len(plain) > 1 && plain[0] == '0' && plain[1] >= '0' && plain[1] <= '9') {
			return n, nil
		}
		f, err := parseFloat(plain)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", w.text)
		}
		return f, nil
	case 's':
		p.rest = p.rest[1:]
		s := w.text
		for p.next().kind == 's' {
			s += p.next().text
			p.rest = p.rest[1:]
		}
		return s, nil
	case 'a':
		if w.text != "None" && w.text != "True" && w.text != "False" && slices.Contains(keywords, w.text) {
			return nil, p.unexpected()
		}
		p.rest = p.rest[1:]
		if p.skip > 0 {
			return nil, nil
		}
		return p.name(w.text)
	}
	switch {
	case p.take("("):
		if p.take(")") {
			return tuple{}, nil
		}
		v, err := p.list(false)
		if err == nil && !p.take(")") {
			err = p.unexpected()
		}
		return v, err
	case p.take("["):
		items := list{}
		for !p.take("]") {
			v, err := p.condition()
			if err != nil {
				return nil, err
			}
			items = append(items, v)
			if !p.take(",") && p.next().text != "]" {
				return nil, p.unexpected()
			}
		}
		return items, nil
	case p.take("{"):
		d := newDictionary()
		for !p.take("}") {
			k, err := p.condition()
			if err != nil {
				return nil, err
			}
			if !p.take(":") {
				return nil, p.unexpected()
			}
			v, err := p.condition()
			if err != nil {
				return nil, err
			}
			if p.skip == 0 {
				if err := d.set(k, v); err != nil {
					return nil, err
				}
			}
			if !p.take(",") && p.next().text != "}" {
				return nil, p.unexpected()
			}
		}
		return d, nil
	}
	return nil, p.unexpected()
}

// name returns a property, or a constant or function that no property hides.
func (p *parser) name(name string) (any, error) {
	switch name {
	case "None":
		return nil, nil
	case "True":
		return true, nil
	case "False":
		return false, nil
	}
	v, ok, err := p.e.lookup(p.in, name, p.at)
	if ok || err != nil {
		return v, err
	}
	if v, err = function(name); err != nil {
		return nil, fmt.Errorf("%q is not defined%s", name, proposal(name, p.in.names()))
	}
	return v, nil
}
