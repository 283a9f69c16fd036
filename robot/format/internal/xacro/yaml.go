package xacro

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yaml reads a YAML file into dictionaries, lists and values. The tags !degrees and !radians make angles.
func (e *expander) yaml(name string, at *node) (any, error) {
	path, text, err := e.read(name, at)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fault(&node{place: place{path, 1}}, "YAML: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return e.yamlValue(doc.Content[0], place{path, 1}, 0)
}

func (e *expander) yamlValue(n *yaml.Node, at place, depth int) (any, error) {
	at.line = n.Line
	here := &node{place: at}
	if e.steps++; e.steps > maxSteps || depth > 50 {
		return nil, fault(here, "YAML: it is nested too deep, or by aliases of aliases too long")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return e.yamlValue(n.Alias, at, depth+1)
	case yaml.SequenceNode:
		out := list{}
		for _, c := range n.Content {
			v, err := e.yamlValue(c, at, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case yaml.MappingNode:
		d := newDictionary()
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, err := e.yamlValue(n.Content[i], at, depth+1)
			if err != nil {
				return nil, err
			}
			v, err := e.yamlValue(n.Content[i+1], at, depth+1)
			if err != nil {
				return nil, err
			}
			if err := d.set(k, v); err != nil {
				return nil, fault(here, "YAML: %w", err)
			}
		}
		return d, nil
	}
	switch n.Tag {
	case "!degrees", "!radians":
		v, err := e.expression(n.Value, newScope(nil), here)
		if err != nil {
			return nil, err
		}
		x, ok := number(v)
		if !ok {
			return nil, fault(here, "YAML: %s %s is no angle", n.Tag, clip(n.Value))
		}
		if n.Tag == "!degrees" {
			x = ofOne["radians"](x)
		}
		return x, nil
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, fault(here, "YAML: %w", err)
	}
	switch x := v.(type) {
	case nil, bool, float64, string:
		return x, nil
	case int:
		return int64(x), nil
	}
	if strings.HasPrefix(n.Tag, "!!") {
		return n.Value, nil
	}
	return nil, fault(here, "YAML: %w", fmt.Errorf("the tag %s is not read", n.Tag))
}
