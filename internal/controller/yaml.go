package controller

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML writes a document of YAML below lines of comment, which must be the program's own. Names in it are those of
// [Text]; characters that are not shown are escaped.
func YAML(doc any, about ...string) ([]byte, error) {
	var b bytes.Buffer
	for _, line := range about {
		b.WriteString("# " + line + "\n")
	}
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(doc); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	return escaped(b.Bytes()), nil
}

// escaped writes the characters that are not shown by their codes. The library leaves some within quotes, and only there:
// all text that is not the program's own is quoted.
func escaped(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r == '\n' || Shown(r) || r == '\ufffd':
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// Text returns a name as a scalar in double quotes, so that no word or number of YAML is taken from it. Bytes that are no
// UTF-8 become U+FFFD.
func Text(name string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: strings.ToValidUTF8(name, "\ufffd")}
}

// Key returns a key that the program chose.
func Key(name string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: name} }

// Value returns a finite number as a scalar with a point: ROS 2 takes 1 for an integer, and a list of both kinds for an
// error. A number that is not finite is an error of [Finite], which the caller must ask first.
func Value(n Number) *yaml.Node {
	text := n.text
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}
}

// Finite returns the error of the first number that is not finite.
func Finite(numbers ...float64) error {
	for _, v := range numbers {
		if err := number(v, "").bad; err != nil {
			return err
		}
	}
	return nil
}

// Map returns a mapping of keys and values in turn.
func Map(pairs ...*yaml.Node) *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Content: pairs} }

// List returns a sequence, on one line if flow is set.
func List(flow bool, items ...*yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Content: items}
	if flow {
		n.Style = yaml.FlowStyle
	}
	return n
}
