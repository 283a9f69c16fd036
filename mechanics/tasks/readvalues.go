package tasks

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"ident/robot"
)

// number is a number or a constant expression, Pi/2.
type number float64

// UnmarshalYAML reads either.
func (n *number) UnmarshalYAML(node *yaml.Node) error {
	v, err := robot.ParseNumber(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: %q is no number", node.Line, node.Value)
	}
	*n = number(v)
	return nil
}

// vector is three numbers.
type vector []number

func (v vector) take(name string, to *[3]float64) error {
	if v == nil {
		return nil
	}
	if len(v) != 3 {
		return fmt.Errorf("%s has %d numbers, not three", name, len(v))
	}
	for i, x := range v {
		to[i] = float64(x)
	}
	return nil
}

// duration is a number of seconds, or the word least.
type duration struct {
	least bool
	s     number
}

// UnmarshalYAML reads either.
func (d *duration) UnmarshalYAML(node *yaml.Node) error {
	if d.least = node.Value == "least"; d.least {
		return nil
	}
	return d.s.UnmarshalYAML(node)
}

// orientation is a word, or one of the ways with its numbers.
type orientation struct {
	line      int
	word      string
	Axes      string
	Angles    []number
	Direction yaml.Node
	Turn      *number
	Axis      vector
}

// UnmarshalYAML reads either.
func (o *orientation) UnmarshalYAML(node *yaml.Node) error {
	if o.line = node.Line; node.Kind == yaml.ScalarNode {
		o.word = node.Value
		return nil
	}
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		if key := node.Content[i]; !slices.Contains([]string{"axes", "angles", "direction", "turn", "axis"}, key.Value) {
			return fmt.Errorf("line %d: field %s not found in an orientation", key.Line, key.Value)
		}
	}
	type plain orientation
	return node.Decode((*plain)(o))
}

func (o *orientation) take() (out Orientation, err error) {
	if o == nil || o.word == "free" {
		return out, nil
	}
	wrong := func(format string, args ...any) (Orientation, error) {
		return out, fmt.Errorf("line %d: orientation: %s", o.line, fmt.Sprintf(format, args...))
	}
	if o.word != "" {
		if out.By = Fixed; o.word != "fixed" {
			return wrong("%q: write free, fixed, {axes: xyx, angles: [a, b, c]}, {direction: [x, y, z]}, {direction: fixed} or {turn: angle, axis: [x, y, z]}", o.word)
		}
		return out, nil
	}
	if err := o.Axis.take("axis", &out.Axis); err != nil {
		return wrong("%v", err)
	}
	directed := o.Direction.Kind != 0
	switch {
	case o.Turn != nil && !directed && o.Axes == "" && o.Angles == nil:
		out.By, out.Angle = Turn, float64(*o.Turn)
	case directed && o.Turn == nil && o.Axes == "" && o.Angles == nil:
		if out.By = SameDirection; o.Direction.Value == "fixed" {
			break
		}
		out.By = Direction
		var v vector
		if err := o.Direction.Decode(&v); err != nil {
			return wrong("direction: write [x, y, z] or fixed")
		}
		if err := v.take("direction", &out.Direction); err != nil {
			return wrong("%v", err)
		}
	case o.Angles != nil && o.Turn == nil && !directed && o.Axis == nil:
		if out.Sequence, err = ParseSequence(o.Axes); err != nil {
			return wrong("axes: %v", err)
		}
		if out.By = Angles; len(o.Angles) == 2 {
			out.By = PartialAngles
		} else if len(o.Angles) != 3 {
			return wrong("%d angles: give three, or two for the direction of the third axis", len(o.Angles))
		}
		for i, x := range o.Angles {
			out.Angles[i] = float64(x)
		}
	default:
		return wrong("give one of angles (with axes), direction and turn (both with an axis, or without one for z)")
	}
	return out, nil
}

// perJoint is numbers by the names of joints; one alone, for all, is under the empty name.
type perJoint map[string]number

// UnmarshalYAML reads either.
func (p *perJoint) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.MappingNode {
		return node.Decode((*map[string]number)(p))
	}
	var all number
	err := all.UnmarshalYAML(node)
	*p = perJoint{"": all}
	return err
}

func plainMap(m map[string]number) map[string]float64 {
	if m == nil {
		return nil
	}
	out := map[string]float64{}
	for k, v := range m {
		out[k] = float64(v)
	}
	return out
}
