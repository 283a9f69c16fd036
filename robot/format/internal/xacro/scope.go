package xacro

import (
	"strings"
)

// scope holds properties and macros; those of the scope around it are seen through it.
type scope struct {
	above  *scope
	values map[string]*property
	blocks map[string]block
	macros map[string]*macro
	spaces map[string]*scope // of includes with a name
}

func newScope(above *scope) *scope {
	return &scope{above: above, values: map[string]*property{}, blocks: map[string]block{}, macros: map[string]*macro{}, spaces: map[string]*scope{}}
}

func (s *scope) root() *scope {
	for s.above != nil {
		s = s.above
	}
	return s
}

// property is a value, or a text that is evaluated where it is first used.
type property struct {
	value any
	lazy  bool
	busy  bool // while it is evaluated
	at    *node
}

// block is a piece of XML under a name: an element, or its children.
type block struct {
	of      *node
	content bool
}

func (s *scope) property(name string) (*property, *scope) {
	for ; s != nil; s = s.above {
		if p := s.values[name]; p != nil {
			return p, s
		}
	}
	return nil, nil
}

func (s *scope) block(name string) (block, bool) {
	for ; s != nil; s = s.above {
		if b, ok := s.blocks[name]; ok {
			return b, true
		}
	}
	return block{}, false
}

// space returns the scope of an include with a name.
func (s *scope) space(name string) *scope {
	for ; s != nil; s = s.above {
		if t := s.spaces[name]; t != nil {
			return t
		}
	}
	return nil
}

// macro finds a macro by its name, which may begin with those of includes.
func (s *scope) macro(name string) *macro {
	parts := strings.Split(name, ".")
	for _, p := range parts[:len(parts)-1] {
		if s = s.space(p); s == nil {
			return nil
		}
	}
	for ; s != nil; s = s.above {
		if m := s.macros[parts[len(parts)-1]]; m != nil {
			return m
		}
	}
	return nil
}

// names returns the properties that are seen, for proposals.
func (s *scope) names() []string {
	var out []string
	for ; s != nil; s = s.above {
		for name := range s.values {
			out = append(out, name)
		}
	}
	return out
}

// lookup gives the value of a property, evaluated on first use where it was defined.
func (e *expander) lookup(s *scope, name string, at *node) (any, bool, error) {
	p, home := s.property(name)
	if p == nil {
		if t := s.space(name); t != nil {
			return t, true, nil
		}
		return nil, false, nil
	}
	if p.lazy {
		if p.busy {
			return nil, true, fault(p.at, "property %q is defined by itself", name)
		}
		p.busy = true
		v, err := e.text(p.value.(string), home, p.at)
		p.busy = false
		if err != nil {
			return nil, true, err
		}
		p.value, p.lazy = literal(v), false
	}
	return p.value, true, nil
}

// define sets a property. A text that is no literal waits for its first use where lazy is set.
func (s *scope) define(name string, v any, lazy bool, at *node) {
	v = literal(v)
	_, text := v.(string)
	s.values[name] = &property{value: v, lazy: lazy && text, at: at}
}

// literal reads numbers and truth values out of a text; one in single quotes stays a text.
func literal(v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	if strings.Contains(s, "_") {
		return s
	}
	t := strings.TrimSpace(s)
	if n, err := parseInt(t); err == nil {
		return n
	}
	if f, err := parseFloat(t); err == nil {
		return f
	}
	switch s {
	case "true", "True":
		return true
	case "false", "False":
		return false
	}
	return s
}
