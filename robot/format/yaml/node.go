package yaml

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"ident/robot"
	"ident/robot/internal/words"
)

// yamlMap is a mapping of a robot's YAML text whose keys have been checked.
type yamlMap struct {
	where string
	line  int
	keys  map[string]*yaml.Node
	order []string
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// yamlFault turns an error of the YAML parser into ours.
func yamlFault(err error) error {
	text, line := err.Error(), 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	return robot.Fault(line, "", "YAML: %s", text)
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// mapping checks that a node is a mapping of known keys; no known keys means
// that any will do.
func mapping(n *yaml.Node, where string, known ...string) (yamlMap, error) {
	n = resolve(n)
	m := yamlMap{where: where, line: n.Line, keys: map[string]*yaml.Node{}}
	if n.Kind != yaml.MappingNode {
		return m, robot.Fault(n.Line, where, "expected keys and values here")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode {
			return m, robot.Fault(k.Line, where, "a key must be a word")
		}
		if len(known) > 0 && !slices.Contains(known, k.Value) {
			hint := words.DidYouMean(k.Value, known)
			if hint == "" {
				hint = fmt.Sprintf("; known are %s", words.List(known))
			}
			return m, robot.Fault(k.Line, where, "unknown key %q%s", k.Value, hint)
		}
		if _, dup := m.keys[k.Value]; dup {
			return m, robot.Fault(k.Line, where, "key %q is given twice", k.Value)
		}
		m.keys[k.Value] = n.Content[i+1]
		m.order = append(m.order, k.Value)
	}
	return m, nil
}

func (m yamlMap) has(key string) bool { return m.keys[key] != nil }

// sub returns the mapping under a key, empty where the key is absent.
func (m yamlMap) sub(key, where string, known ...string) (yamlMap, error) {
	n := m.keys[key]
	if n == nil {
		return yamlMap{where: where, line: m.line}, nil
	}
	return mapping(n, where, known...)
}

// list returns the entries of the sequence under a key.
func (m yamlMap) list(key string) ([]*yaml.Node, error) {
	n := m.keys[key]
	if n == nil {
		return nil, nil
	}
	if n = resolve(n); n.Kind != yaml.SequenceNode {
		return nil, robot.Fault(n.Line, m.where, "%s must be a list", key)
	}
	return n.Content, nil
}

// text returns the scalar under a key, "" where the key is absent.
func (m yamlMap) text(key string) (string, error) {
	n := m.keys[key]
	if n == nil {
		return "", nil
	}
	if n = resolve(n); n.Kind != yaml.ScalarNode {
		return "", robot.Fault(n.Line, m.where, "%s must be a single value", key)
	}
	return n.Value, nil
}

func (m yamlMap) flag(key string) (bool, error) {
	s, err := m.text(key)
	if err != nil || s == "" {
		return false, err
	}
	v, err := strconv.ParseBool(s)
	if err != nil {
		return false, robot.Fault(m.keys[key].Line, m.where, "%s: %q is neither true nor false", key, s)
	}
	return v, nil
}

// number returns a number or constant expression (Pi/2), or the default.
func (m yamlMap) number(key string, absent float64) (float64, error) {
	n := m.keys[key]
	if n == nil {
		return absent, nil
	}
	return yamlNumber(n, m.where+": "+key)
}

func yamlNumber(n *yaml.Node, where string) (float64, error) {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode {
		return 0, robot.Fault(n.Line, where, "expected a number")
	}
	v, err := robot.ParseNumber(n.Value)
	if err != nil {
		return 0, robot.Fault(n.Line, where, "%v", err)
	}
	return v, nil
}

// vector returns three numbers, or the default.
func (m yamlMap) vector(key string, absent [3]float64) ([3]float64, error) {
	if !m.has(key) {
		return absent, nil
	}
	list, err := m.list(key)
	if err != nil {
		return absent, err
	}
	if len(list) != 3 {
		return absent, robot.Fault(m.keys[key].Line, m.where, "%s needs three numbers, found %d", key, len(list))
	}
	var v [3]float64
	for i := range v {
		if v[i], err = yamlNumber(list[i], m.where+": "+key); err != nil {
			return absent, err
		}
	}
	return v, nil
}
