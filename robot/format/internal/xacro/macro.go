package xacro

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// macro is a body with parameters.
type macro struct {
	body   *node
	params []parameter
}

// parameter is a parameter of a macro; a block begins with * or **.
type parameter struct {
	name     string
	forward  bool // from the caller's property of that name
	value    string
	hasValue bool
	stars    int
}

func (e *expander) macro(n *node, in *scope) error {
	a, err := attributes(n, []string{"name"}, []string{"params"})
	if err != nil {
		return err
	}
	name := strings.TrimPrefix(a["name"], "xacro:")
	if name == "" || strings.ContainsAny(name, " .$<") {
		return fault(n, "%q is no name of a macro", clip(a["name"]))
	}
	m := &macro{body: n}
	for rest := strings.TrimSpace(a["params"]); rest != ""; {
		var p parameter
		if p, rest, err = parseParameter(rest); err != nil {
			return fault(n, "macro %q: %w", name, err)
		}
		if slices.ContainsFunc(m.params, func(q parameter) bool { return q.name == p.name }) {
			return fault(n, "macro %q: parameter %q is named twice", name, p.name)
		}
		m.params = append(m.params, p)
	}
	in.macros[name] = m
	return nil
}

// parseParameter reads name, name:=value, name:=^ or name:=^|value off the front of a list; a value may have parts in single quotes.
func parseParameter(s string) (p parameter, rest string, err error) {
	quoted := false
	end := len(s)
	for i := range len(s) {
		if s[i] == '\'' {
			quoted = !quoted
		}
		if !quoted && strings.IndexByte(" \t\r\n", s[i]) >= 0 {
			end = i
			break
		}
	}
	if quoted {
		return p, "", fmt.Errorf("a quote of %q is not closed", clip(s))
	}
	word, rest := s[:end], strings.TrimSpace(s[end:])
	name, value, has := strings.Cut(word, "=")
	p.name, p.value, p.hasValue = strings.TrimSuffix(name, ":"), value, has
	if strings.HasPrefix(value, "^") {
		p.forward = true
		p.value, p.hasValue = "", false
		if v, ok := strings.CutPrefix(value, "^|"); ok {
			p.value, p.hasValue = v, true
		}
	}
	p.stars = len(p.name) - len(strings.TrimLeft(p.name, "*"))
	p.name = p.name[p.stars:]
	if p.name == "" || p.stars > 2 || p.stars > 0 && has {
		return p, "", fmt.Errorf("%q is no parameter: a, a:=1, a:=^, a:=^|1, *block or **blocks", clip(word))
	}
	return p, rest, nil
}

// call expands a macro instead of an element.
func (e *expander) call(n *node, name string, in *scope) ([]*node, error) {
	m := in.macro(name)
	if m == nil {
		var names []string
		for s := in; s != nil; s = s.above {
			names = slices.AppendSeq(names, maps.Keys(s.macros))
		}
		return nil, fault(n, "there is no macro %q%s", clip(name), proposal(name, names))
	}
	own := newScope(in)
	missing := slices.Clone(m.params)
	for _, a := range n.attrs {
		k := slices.IndexFunc(missing, func(p parameter) bool { return p.stars == 0 && p.name == a.name })
		if k < 0 {
			var names []string
			for _, p := range m.params {
				names = append(names, p.name)
			}
			return nil, fault(n, "macro %q has no parameter %q%s", name, a.name, proposal(a.name, names))
		}
		missing = slices.Delete(missing, k, k+1)
		v, err := e.text(a.value, in, n)
		if err != nil {
			return nil, err
		}
		own.define(a.name, v, false, n)
	}
	if err := e.content(n, in); err != nil { // blocks, where they are written
		return nil, err
	}
	blocks := n.elements()
	for _, p := range missing {
		switch {
		case p.stars > 0:
			if len(blocks) == 0 {
				return nil, fault(n, "macro %q: there is no element for its block %q", name, p.name)
			}
			own.blocks[p.name] = block{blocks[0], p.stars == 2}
			blocks = blocks[1:]
		case p.forward || p.hasValue:
			if p.forward {
				v, ok, err := e.lookup(in, p.name, n)
				if err != nil {
					return nil, err
				}
				if ok {
					own.define(p.name, v, false, n)
					continue
				}
				if !p.hasValue {
					return nil, fault(n, "macro %q takes %q from its caller, which has no such property", name, p.name)
				}
			}
			v, err := e.text(p.value, in, n)
			if err != nil {
				return nil, err
			}
			own.define(p.name, v, false, n)
		default:
			return nil, fault(n, "macro %q: its parameter %q is missing", name, p.name)
		}
	}
	if len(blocks) > 0 {
		return nil, fault(blocks[0], "macro %q takes no block <%s>", name, blocks[0].name)
	}
	if len(e.calls) >= maxCalls {
		return nil, fault(n, "macros call each other more than %d deep; does %q call itself?", maxCalls, name)
	}
	e.calls = append(e.calls, fmt.Sprintf("macro %q called at %s:%d", name, n.file, n.line))
	body, err := e.copied(m.body, n)
	if err != nil {
		return nil, err
	}
	if err := e.content(body, own); err != nil {
		return nil, err
	}
	e.calls = e.calls[:len(e.calls)-1]
	return body.children, nil
}

// copied returns a copy of a body to be evaluated.
func (e *expander) copied(n, at *node) (*node, error) {
	if e.steps += n.size(); e.steps > maxSteps {
		return nil, fault(at, "the macros are too long to expand")
	}
	return n.clone(), nil
}

// insert gives the elements of a block.
func (e *expander) insert(n *node, in *scope) ([]*node, error) {
	a, err := attributes(n, []string{"name"}, nil)
	if err != nil {
		return nil, err
	}
	name, err := e.string(a["name"], in, n)
	if err != nil {
		return nil, err
	}
	b, ok := in.block(name)
	if !ok {
		return nil, fault(n, "there is no block %q", clip(name))
	}
	if len(e.calls) >= maxCalls {
		return nil, fault(n, "block %q is inserted in itself", clip(name))
	}
	e.calls = append(e.calls, fmt.Sprintf("block %q inserted at %s:%d", name, n.file, n.line))
	c, err := e.copied(b.of, n)
	if err != nil {
		return nil, err
	}
	var out []*node
	if b.content {
		err = e.content(c, in)
		out = c.children
	} else {
		out, err = e.child(c, &node{place: n.place}, in)
	}
	if err != nil {
		return nil, err
	}
	e.calls = e.calls[:len(e.calls)-1]
	return out, nil
}
