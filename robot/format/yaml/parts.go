package yaml

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/robot"
)

// flow returns the text under a key in YAML's flow style, "" where the key is absent: for entries that other
// packages read.
func (m yamlMap) flow(key string) (string, error) {
	n := m.keys[key]
	if n == nil {
		return "", nil
	}
	var b strings.Builder
	if err := flowText(&b, resolve(n), 0); err != nil {
		return "", robot.Fault(n.Line, m.where+": "+key, "%v", err)
	}
	return b.String(), nil
}

// actuator returns the texts of the entries dc and cylinder of a drive.
func (m yamlMap) actuator() (string, error) {
	var entries []string
	for _, key := range []string{"dc", "cylinder"} {
		text, err := m.flow(key)
		if err != nil {
			return "", err
		}
		if text != "" {
			entries = append(entries, key+": "+text)
		}
	}
	if entries == nil {
		return "", nil
	}
	return "{" + strings.Join(entries, ", ") + "}", nil
}

// parts returns the texts of a link's solids and of its section.
func (m yamlMap) parts() (shapes, section string, err error) {
	if shapes, err = m.flow("shapes"); err != nil {
		return "", "", err
	}
	section, err = m.flow("section")
	return shapes, section, err
}

// flowText writes a node on one line.
func flowText(b *strings.Builder, n *yaml.Node, depth int) error {
	if depth > 20 {
		return fmt.Errorf("nested more than 20 deep")
	}
	switch n = resolve(n); n.Kind {
	case yaml.ScalarNode:
		b.WriteString(yamlQuote(n.Value))
	case yaml.SequenceNode, yaml.MappingNode:
		ends := "[]"
		if n.Kind == yaml.MappingNode {
			ends = "{}"
		}
		b.WriteByte(ends[0])
		for i, c := range n.Content {
			key := n.Kind == yaml.MappingNode && i%2 == 1
			switch {
			case key:
				b.WriteString(": ")
			case i > 0:
				b.WriteString(", ")
			}
			if err := flowText(b, c, depth+1); err != nil {
				return err
			}
			if b.Len() > 1<<16 {
				return fmt.Errorf("longer than 64 kB")
			}
		}
		b.WriteByte(ends[1])
	default:
		return fmt.Errorf("expected values here")
	}
	return nil
}

// yamlText writes a text of flow style under an indented key.
func yamlText(b *bytes.Buffer, key, text string) {
	if text != "" {
		fmt.Fprintf(b, "%s: %s\n", key, text)
	}
}
