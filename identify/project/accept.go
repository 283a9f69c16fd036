package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/result"
	"ident/robot"
)

// Accept holds the user's acceptance limits for a result, by name: relative-error, joints.JOINT, mass.LINK. A value is
// the largest number that passes, or LOW:HIGH with either part optional; for the grade it is a word. In the project file
// the names after the dot are keys of a section, and a range may be a list of two.
type Accept map[string]string

// A gateForm describes the values that a gate takes.
type gateForm struct {
	name    string // as [result.Requirement] has it
	section string // what the names of a section are, "" for a single gate
	ranged  bool   // LOW:HIGH; otherwise the largest number that passes
}

// gateForms lists the gates in the order of documents.
var gateForms = []gateForm{
	{name: result.GateGrade},
	{name: result.GateError},
	{name: result.GateTraining},
	{name: result.GateJoint, section: "JOINT"},
	{name: result.GateMass, section: "LINK", ranged: true},
	{name: result.GateParameter, section: "NAME", ranged: true},
	{name: result.GateWeak},
	{name: result.GateCondition},
}

// AcceptForm returns the names of all gates as one text, for help and for errors.
func AcceptForm() string {
	var names []string
	for _, f := range gateForms {
		names = append(names, f.name+f.section)
	}
	return strings.Join(names, ", ")
}

// canonical returns the name with hyphens in its first part; results write underscores.
func canonical(name string) string {
	kind, of, section := strings.Cut(name, ".")
	kind = strings.ReplaceAll(kind, "_", "-")
	if section {
		return kind + "." + of
	}
	return kind
}

// formOf returns the form of the gate with this name.
func formOf(name string) (gateForm, bool) {
	for _, f := range gateForms {
		if of, ok := strings.CutPrefix(name, f.name); ok && (f.section == "") == (of == "") {
			return f, true
		}
	}
	return gateForm{}, false
}

// unknownGate explains why no gate has this name.
func unknownGate(name string) string {
	kind, _, section := strings.Cut(name, ".")
	var kinds []string
	for _, f := range gateForms {
		own := strings.TrimSuffix(f.name, ".")
		if own == kind && section != (f.section != "") {
			if section {
				return fmt.Sprintf("%s is one number, not a section", kind)
			}
			return fmt.Sprintf("%s is a section: %s%s", kind, f.name, f.section)
		}
		kinds = append(kinds, own)
	}
	return fmt.Sprintf("there is no gate %q; the gates are %s%s", kind, AcceptForm(), didYouMean(kind, kinds))
}

// UnmarshalYAML reads the section accept of a project file.
func (a *Accept) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: accept is a section of keys", n.Line)
	}
	out := Accept{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := canonical(key.Value)
		if value.Kind != yaml.MappingNode {
			text, err := gateText(value)
			if err != nil {
				return fmt.Errorf("line %d: accept: %s: %w", value.Line, key.Value, err)
			}
			out[name] = text
			continue
		}
		for k := 0; k+1 < len(value.Content); k += 2 {
			text, err := gateText(value.Content[k+1])
			if err != nil {
				return fmt.Errorf("line %d: accept: %s: %s: %w", value.Content[k+1].Line, key.Value, value.Content[k].Value, err)
			}
			out[name+"."+value.Content[k].Value] = text
		}
	}
	*a = out
	return nil
}

// gateText returns the value of a gate in the notation of the command line.
func gateText(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode {
		return n.Value, nil
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) != 2 || n.Content[0].Kind != yaml.ScalarNode || n.Content[1].Kind != yaml.ScalarNode {
		return "", fmt.Errorf("a gate is a number, or a list of the least and the largest value that pass")
	}
	var ends [2]string
	for i, c := range n.Content {
		if c.Tag != "!!null" {
			ends[i] = c.Value
		}
	}
	return ends[0] + ":" + ends[1], nil
}

// setAccept adds gates given as NAME=VALUE.
func setAccept(s *Settings, texts []string) error {
	all := maps.Clone(s.Accept)
	if all == nil {
		all = Accept{}
	}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" || value == "" {
			return fmt.Errorf("%q is not NAME=VALUE", text)
		}
		all[canonical(strings.TrimSpace(name))] = strings.TrimSpace(value)
	}
	s.Accept = all
	return nil
}

// checkAccept refuses unknown gates and values that a gate cannot have.
func checkAccept(s *Settings) error {
	_, err := s.Requirements()
	return err
}

// Requirements returns the gates of the settings in the order of gateForms, then by name.
func (p *Settings) Requirements() ([]result.Requirement, error) {
	var out []result.Requirement
	for _, name := range slices.Sorted(maps.Keys(p.Accept)) {
		text := p.Accept[name]
		f, ok := formOf(name)
		if !ok {
			return nil, wrong("accept", name, "{accept} %s: %s", name, unknownGate(name))
		}
		r, why := f.read(name, text)
		if why != "" {
			return nil, wrong("accept", text, "{accept} %s: %q: %s", name, text, why)
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b result.Requirement) int { return orderOf(a.Name) - orderOf(b.Name) })
	return out, nil
}

// orderOf returns the index of a gate's form in gateForms.
func orderOf(name string) int {
	f, _ := formOf(name)
	return slices.Index(gateForms, f)
}

// read reads the value of a gate; if it is wrong, why says so.
func (f gateForm) read(name, text string) (r result.Requirement, why string) {
	r = result.Requirement{Name: name, Low: math.Inf(-1), High: math.Inf(1)}
	if f.name == result.GateGrade {
		if r.Level = result.Level(text); r.Level != result.Sound && r.Level != result.Doubtful {
			return r, "the worst grade that passes is sound or doubtful"
		}
		return r, ""
	}
	low, high, pair := strings.Cut(text, ":")
	if !f.ranged {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0) || !usable(v) {
			return r, "give one number, the largest value that passes"
		}
		r.High = v
		return r, ""
	}
	bad := !pair
	for _, end := range []struct {
		text string
		to   *float64
	}{{low, &r.Low}, {high, &r.High}} {
		if end.text = strings.TrimSpace(end.text); end.text == "" {
			continue
		}
		v, err := strconv.ParseFloat(end.text, 64)
		bad = bad || err != nil || !usable(v)
		*end.to = v
	}
	if bad || r.Low > r.High || math.IsInf(r.Low, -1) && math.IsInf(r.High, 1) {
		return r, "it is LOW:HIGH, or in the project file [LOW, HIGH], the second the larger; either may be left out"
	}
	return r, ""
}

// Gate records in a judged result which gates of the settings it passes. The error is that of [Settings.Requirements].
func (p *Settings) Gate(res *result.Result) error {
	all, err := p.Requirements()
	res.Accept(all)
	return err
}

// CheckGates refuses gates about joints and links that the fit will not have. r must be the robot with its joints
// locked, source the robot of the file.
func (p *Settings) CheckGates(r, source *robot.Robot) error {
	names, all := JointNames(r), JointNames(source)
	links := []string{result.TotalMass}
	for i := range r.Links {
		links = append(links, r.Links[i].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Accept)) {
		if of, ok := strings.CutPrefix(name, result.GateJoint); ok && !slices.Contains(names, of) {
			if slices.Contains(all, of) {
				return wrong("accept", name, "{accept} %s: joint %q is locked in this fit, so that nothing can be said of its torque; leave the gate out, or give the logs its channels", name, of)
			}
			return wrong("accept", name, "{accept} %s: the robot has no joint %q; it has %s%s", name, of, strings.Join(names, ", "), didYouMean(of, names))
		}
		if of, ok := strings.CutPrefix(name, result.GateMass); ok && !slices.Contains(links, of) {
			return wrong("accept", name, "{accept} %s: the robot has no link %q that moves; the names are %s%s", name, of, strings.Join(links, ", "), didYouMean(of, links))
		}
	}
	return nil
}
