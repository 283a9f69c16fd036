package mujoco

import (
	"maps"
	"strings"

	"ident/internal/xmltree"
)

// classes are the defaults: attributes by class, element and name.
type classes map[string]map[string]map[string]string

// actuators are the elements that share the defaults' general, motor, position … and drive joints.
var actuators = []string{"motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "general", "adhesion"}

// read takes a <default> element; a class inherits from the one around it.
func (d classes) read(n *xmltree.Node, from string) error {
	name, _ := n.Attr("class")
	if name == "" {
		if from != "" {
			return &xmltree.Error{Line: n.Line, Text: "<default> in a <default> without a class"}
		}
		name = "main"
	}
	own := d[name]
	if own == nil {
		own = map[string]map[string]string{}
		for element, values := range d[from] {
			own[element] = maps.Clone(values)
		}
		d[name] = own
	}
	for _, c := range n.Children {
		if c.Name == "default" {
			continue
		}
		values := own[c.Name]
		if values == nil {
			values = map[string]string{}
			own[c.Name] = values
		}
		for _, a := range c.Attrs {
			values[a.Name.Local] = strings.TrimSpace(a.Value)
		}
	}
	for _, c := range n.All("default") {
		if err := d.read(c, name); err != nil {
			return err
		}
	}
	return nil
}

// of returns an element with the attributes of its class, or of the class around it, where it has none of its own.
func (d classes) of(n *xmltree.Node, around string) (*xmltree.Node, error) {
	class := around
	if own, ok := n.Attr("class"); ok {
		class = own
	}
	if class == "" {
		class = "main"
	}
	values, ok := d[class]
	if !ok && class != "main" {
		return nil, &xmltree.Error{Line: n.Line, Text: "<" + n.Name + "> has the class " + class + ", which no <default> defines"}
	}
	out := *n
	for name, value := range values[n.Name] {
		if _, has := n.Attr(name); !has {
			out.Attrs = append(out.Attrs[:len(out.Attrs):len(out.Attrs)], attribute(name, value))
		}
	}
	return &out, nil
}
