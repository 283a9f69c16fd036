package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Check compares a document with its schema and lists the mismatches, each with its place. Properties that the
// schema lacks are allowed by JSON Schema; strict reports them.
func (s *Schema) Check(document []byte, strict bool) []string {
	var v any
	if err := json.Unmarshal(document, &v); err != nil {
		return []string{err.Error()}
	}
	c := &check{root: s, strict: strict}
	c.value(s, v, "")
	return c.faults
}

type check struct {
	root   *Schema
	strict bool
	faults []string
}

func (c *check) fault(at, format string, args ...any) {
	if at == "" {
		at = "/"
	}
	c.faults = append(c.faults, at+": "+fmt.Sprintf(format, args...))
}

// kindOf names the kind of a decoded value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func (c *check) value(s *Schema, v any, at string) {
	if s.Ref != "" {
		def := c.root.Defs.Find(strings.TrimPrefix(s.Ref, "#/$defs/"))
		if def == nil {
			c.fault(at, "%s is not defined", s.Ref)
			return
		}
		c.value(def, v, at)
		return
	}
	if len(s.AnyOf) > 0 {
		var faults []string
		for _, option := range s.AnyOf {
			try := &check{root: c.root, strict: c.strict}
			if try.value(option, v, at); len(try.faults) == 0 {
				return
			}
			if len(try.faults) > len(faults) {
				faults = try.faults
			}
		}
		c.faults = append(c.faults, faults...)
		return
	}
	kind := kindOf(v)
	if len(s.Type) > 0 && !slices.Contains(s.Type, kind) {
		n, number := v.(float64)
		if !(number && slices.Contains(s.Type, "integer") && n == math.Trunc(n)) {
			c.fault(at, "%s, want %s", kind, strings.Join(s.Type, " or "))
			return
		}
	}
	if s.Const != "" && v != s.Const {
		c.fault(at, "%v, want %q", v, s.Const)
	}
	switch v := v.(type) {
	case []any:
		if len(v) < s.MinItems || s.MaxItems > 0 && len(v) > s.MaxItems {
			c.fault(at, "%d items, want %d", len(v), s.MaxItems)
		}
		if s.Items == nil {
			return
		}
		for i, item := range v {
			c.value(s.Items, item, fmt.Sprintf("%s/%d", at, i))
		}
	case map[string]any:
		c.object(s, v, at)
	}
}

func (c *check) object(s *Schema, v map[string]any, at string) {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			c.fault(at, "%s is missing", name)
		}
	}
	if len(s.Type) == 0 {
		return // any value
	}
	for name, item := range v {
		switch p := s.Properties.Find(name); {
		case p != nil:
			c.value(p, item, at+"/"+name)
		case s.Values != nil:
			c.value(s.Values, item, at+"/"+name)
		case c.strict:
			c.fault(at, "%s is not in the schema", name)
		}
	}
}
