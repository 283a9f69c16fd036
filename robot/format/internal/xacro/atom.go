package xacro

import (
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

// postfix is an atom with calls, subscripts and attributes.
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
			if b, ok := v.(bound); ok && p.skip == 0 {
				return nil, fmt.Errorf("%q is a function: give its arguments", b.name)
			}
			return v, nil
		}
	}
	return nil, err
}

// callWith reads the arguments of a call and applies it.
func (p *parser) callWith(f any) (any, error) {
	var args []any
	for !p.take(")") {
		if len(p.rest) > 1 && p.rest[0].kind == 'a' && p.rest[1].text == "=" {
			return nil, p.unexpected()
		}
		v, err := p.condition()
		if err != nil {
			return nil, err
		}
		args = append(args, v)
		if !p.take(",") && p.next().text != ")" {
			return nil, p.unexpected()
		}
	}
	if p.skip > 0 {
		return nil, nil
	}
	b, ok := f.(bound)
	if !ok {
		return nil, fmt.Errorf("%s is no function", typeName(f))
	}
	v, err := p.e.apply(b, args, p.at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	return v, nil
}

// member is an attribute: an entry of a dictionary, a property of an include, or a method.
func (p *parser) member(v any, name string) (any, error) {
	switch x := v.(type) {
	case *dictionary:
		if w, ok := x.values[name]; ok {
			return w, nil
		}
		if slices.Contains([]string{"get", "keys", "values", "items"}, name) {
			return bound{name, v}, nil
		}
		return nil, fmt.Errorf("the dictionary has no key %q%s", name, proposal(name, texts(x.keys)))
	case *scope:
		w, ok, err := p.e.lookup(x, name, p.at)
		if err == nil && !ok {
			err = fmt.Errorf("the include has no property %q%s", name, proposal(name, x.names()))
		}
		return w, err
	case string, list:
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

// sequence is the items of a list or tuple.
func sequence(v any) ([]any, bool) {
	switch x := v.(type) {
	case list:
		return x, true
	case tuple:
		return x, true
	}
	return nil, false
}

// subscript reads an index, a key or a slice behind its bracket.
func (p *parser) subscript(v any) (any, error) {
	var ends [2]any
	var err error
	slice := false
	if p.next().text != ":" || p.next().kind != 'o' {
		if ends[0], err = p.list(false); err != nil {
			return nil, err
		}
	}
	if p.take(":") {
		if slice = true; p.next().text != "]" {
			if ends[1], err = p.condition(); err != nil {
				return nil, err
			}
		}
	}
	if !p.take("]") {
		return nil, p.unexpected()
	}
	if p.skip > 0 {
		return nil, nil
	}
	if d, ok := v.(*dictionary); ok && !slice {
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
	items, ok := sequence(v)
	letters, text := v.(string)
	if text {
		for _, r := range letters {
			items = append(items, string(r))
		}
	} else if !ok {
		return nil, fmt.Errorf("%s has no entries", typeName(v))
	}
	if !slice {
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
	from, to := 0, len(items)
	for k, end := range []*int{&from, &to} {
		if ends[k] == nil {
			continue
		}
		i, ok := integer(ends[k])
		if !ok {
			return nil, fmt.Errorf("%s is no index", typeName(ends[k]))
		}
		if i < 0 {
			i += int64(len(items))
		}
		*end = int(max(0, min(i, int64(len(items)))))
	}
	items = items[from:max(from, to)]
	switch {
	case text:
		return strings.Join(texts(items), ""), nil
	case typeName(v) == "a tuple":
		return tuple(items), nil
	}
	return list(items), nil
}

// atom is a number, a text, a name, a list, a dictionary or a parenthesis.
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

// name is a property, or a constant or function that no property hides.
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
