package xacro

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ident/internal/hint"
)

// expander is an expansion under way.
type expander struct {
	opt      Options
	args     map[string]string
	declared map[string]bool
	files    []string
	elements int
	bytes    int
	steps    int
	calls    []string // macros that are open, innermost last
	includes int      // files that are open
}

// Expand evaluates a text; path stands for its file, beside which includes lie. Errors match *Error.
func Expand(text []byte, path string, opt Options) (*Expansion, error) {
	root, err := parse(text, path)
	if err != nil {
		return nil, err
	}
	e := &expander{opt: opt, args: maps.Clone(opt.Args), declared: map[string]bool{}}
	if e.args == nil {
		e.args = map[string]string{}
	}
	if err := e.whole(root, newScope(nil)); err != nil {
		return nil, err
	}
	var w writer
	w.b.WriteString("<?xml version=\"1.0\"?>\n")
	w.lines = append(w.lines, root.place)
	w.element(root, 0)
	x := &Expansion{Text: w.b.Bytes(), Files: e.files, lines: w.lines}
	for _, name := range slices.Sorted(maps.Keys(opt.Args)) {
		if !e.declared[name] {
			x.Unused = append(x.Unused, name)
		}
	}
	return x, nil
}

// whole evaluates an element that stays: its attributes and its content.
func (e *expander) whole(n *node, in *scope) error {
	for i := range n.attrs {
		v, err := e.string(n.attrs[i].value, in, n)
		if err != nil {
			return e.within(err)
		}
		n.attrs[i].value = v
	}
	return e.content(n, in)
}

// content evaluates the children of an element, in their order.
func (e *expander) content(n *node, in *scope) error {
	children := n.children
	n.children = nil
	for _, c := range children {
		out, err := e.child(c, n, in)
		if err != nil {
			return e.within(err)
		}
		n.children = append(n.children, out...)
	}
	return nil
}

// within notes the macros around an error.
func (e *expander) within(err error) error {
	var f *Error
	if errors.As(err, &f) && f.Within == nil && len(e.calls) > 0 {
		f.Within = slices.Clone(e.calls)
		slices.Reverse(f.Within)
		if len(f.Within) > 4 {
			f.Within = append(f.Within[:3:3], fmt.Sprintf("%d more", len(e.calls)-3))
		}
	}
	return err
}

// child gives the nodes in whose place a child of an element comes.
func (e *expander) child(n, parent *node, in *scope) ([]*node, error) {
	if n.name == "" {
		var err error
		n.text, err = e.string(n.text, in, n)
		return []*node{n}, err
	}
	if e.elements++; e.elements > maxElements {
		return nil, fault(n, "more than %d elements are expanded; does a macro call itself?", maxElements)
	}
	name, ours := strings.CutPrefix(n.name, "xacro:")
	if !ours {
		return []*node{n}, e.whole(n, in)
	}
	switch name {
	case "property":
		return nil, e.property(n, in)
	case "macro":
		return nil, e.macro(n, in)
	case "arg":
		return nil, e.argument(n, in)
	case "include":
		return e.include(n, in)
	case "if", "unless":
		a, err := attributes(n, []string{"value"}, nil)
		if err != nil {
			return nil, err
		}
		v, err := e.text(a["value"], in, n)
		if err != nil {
			return nil, err
		}
		yes, err := condition(v)
		if err != nil {
			return nil, fault(n, "the condition %q: %w", clip(a["value"]), err)
		}
		if yes != (name == "if") {
			return nil, nil
		}
		err = e.content(n, in)
		return n.children, err
	case "insert_block":
		return e.insert(n, in)
	case "element":
		tag, _ := n.get("xacro:name")
		tag, err := e.string(tag, in, n)
		if err != nil {
			return nil, err
		}
		if !validTag(tag) {
			return nil, fault(n, "<xacro:element>: %q is no name of an element", clip(tag))
		}
		n.attrs = slices.DeleteFunc(n.attrs, func(a attr) bool { return a.name == "xacro:name" })
		n.name = tag
		return []*node{n}, e.whole(n, in)
	case "attribute":
		a, err := attributes(n, []string{"name", "value"}, nil)
		if err != nil {
			return nil, err
		}
		for k, v := range a {
			if a[k], err = e.string(v, in, n); err != nil {
				return nil, err
			}
		}
		if !validTag(a["name"]) {
			return nil, fault(n, "<xacro:attribute>: %q is no name of an attribute", clip(a["name"]))
		}
		parent.set(a["name"], a["value"])
		return nil, nil
	case "call":
		to, _ := n.get("macro")
		to, err := e.string(to, in, n)
		if err != nil {
			return nil, err
		}
		n.attrs = slices.DeleteFunc(n.attrs, func(a attr) bool { return a.name == "macro" })
		return e.call(n, strings.TrimPrefix(to, "xacro:"), in)
	}
	return e.call(n, name, in)
}

// validTag reports whether a name can stand in a tag.
func validTag(s string) bool {
	return s != "" && !strings.ContainsAny(s, " \t\r\n<>&/=\"'$") && !strings.HasPrefix(s, "xacro:") && (s[0] > '9' || s[0] < '-')
}

// attributes returns the attributes of an element of xacro, which must have some and may have others.
func attributes(n *node, must, may []string) (map[string]string, error) {
	out := map[string]string{}
	for _, a := range n.attrs {
		if !slices.Contains(must, a.name) && !slices.Contains(may, a.name) {
			return nil, fault(n, "<%s> has no attribute %q%s", n.name, a.name, proposal(a.name, slices.Concat(must, may)))
		}
		out[a.name] = a.value
	}
	for _, name := range must {
		if _, ok := out[name]; !ok {
			return nil, fault(n, "<%s> lacks its attribute %q", n.name, name)
		}
	}
	return out, nil
}

func (e *expander) property(n *node, in *scope) error {
	a, err := attributes(n, []string{"name"}, []string{"value", "default", "scope", "lazy_eval", "remove"})
	if err != nil {
		return err
	}
	name, err := e.string(a["name"], in, n)
	if err != nil {
		return err
	}
	if !identifier(name) {
		return fault(n, "%q is no name of a property: letters, digits and _ in an expression", clip(name))
	}
	value, hasValue := a["value"]
	otherwise, hasDefault := a["default"]
	if remove, ok := a["remove"]; ok {
		if yes, err := condition(literal(remove)); err != nil || hasValue || hasDefault {
			return fault(n, "remove=%q goes with the name alone", clip(remove))
		} else if yes {
			delete(in.values, name)
			delete(in.blocks, name)
			return nil
		}
	}
	if hasValue && hasDefault {
		return fault(n, "property %q has both value and default", name)
	}
	if hasDefault {
		if p, _ := in.property(name); p != nil {
			return nil
		}
		value, hasValue = otherwise, true
	}
	if a["scope"] != "" && a["scope"] != "parent" && a["scope"] != "global" {
		return fault(n, "scope %q is neither parent nor global", clip(a["scope"]))
	}
	lazy := true
	if v, ok := a["lazy_eval"]; ok {
		if lazy, err = condition(literal(v)); err != nil {
			return fault(n, "lazy_eval: %w", err)
		}
	}
	to := in
	switch a["scope"] {
	case "global":
		to, lazy = in.root(), false
	case "parent":
		if lazy = false; in.above != nil {
			to = in.above
		}
	}
	if !hasValue {
		to.blocks[name] = block{n, true}
		return nil
	}
	var v any = value
	if !lazy {
		if v, err = e.text(value, in, n); err != nil {
			return err
		}
	}
	to.define(name, v, lazy, n)
	return nil
}

func (e *expander) argument(n *node, in *scope) error {
	a, err := attributes(n, []string{"name"}, []string{"default"})
	if err != nil {
		return err
	}
	name, err := e.string(a["name"], in, n)
	if err != nil {
		return err
	}
	e.declared[name] = true
	if _, given := e.args[name]; given {
		return nil
	}
	if _, ok := a["default"]; !ok {
		return fault(n, "%w", hint.New("argument %q has no default and no value is given: give it as {args} %s=VALUE, which may be empty", clip(name), clip(name)))
	}
	e.args[name], err = e.string(a["default"], in, n)
	return err
}

// include gives the content of other files.
func (e *expander) include(n *node, in *scope) ([]*node, error) {
	a, err := attributes(n, []string{"filename"}, []string{"ns", "optional"})
	if err != nil {
		return nil, err
	}
	name, err := e.string(a["filename"], in, n)
	if err != nil {
		return nil, err
	}
	to := in
	if a["ns"] != "" {
		space, err := e.string(a["ns"], in, n)
		if err != nil {
			return nil, err
		}
		if !identifier(space) {
			return nil, fault(n, "ns=%q is no name", clip(space))
		}
		to = newScope(nil)
		in.spaces[space] = to
	}
	names := []string{name}
	if strings.ContainsAny(name, "*[?") && !strings.HasPrefix(name, unknownPackage) && e.opt.Open != nil {
		if names, err = filepath.Glob(e.beside(name, n)); err != nil {
			return nil, fault(n, "filename %q: %w", clip(name), err)
		}
	}
	if e.includes++; e.includes > 50 {
		return nil, fault(n, "files include each other more than 50 deep")
	}
	defer func() { e.includes-- }()
	var out []*node
	for _, name := range names {
		path, text, err := e.read(name, n)
		if err != nil {
			if optional, _ := condition(literal(a["optional"])); optional {
				continue
			}
			return nil, err
		}
		root, err := parse(text, path)
		if err != nil {
			return nil, err
		}
		if err := e.whole(root, to); err != nil {
			return nil, err
		}
		out = append(out, root.children...)
	}
	return out, nil
}
