package projectfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/doctor"
	"ident/identify/project"
)

// A Repair is a key of the project file that findings ask for: one value, values by name, or a list.
type Repair struct {
	Key   string
	Value string            // "" where Of has the values
	Names []string          // keys of Of in their order; where Of is nil, the elements of a list
	Of    map[string]string // values by name; nil if the setting is a list
	Why   []string          // findings with their joint and channel
	By    string            // who asks for it, in comments of the file; "" for ident check

	gone bool // declined
}

// by returns who asks for the repair.
func (r *Repair) by() string { return cmp.Or(r.By, "ident check") }

// Repairs collects the settings that findings ask for, by key; those that only inform ask for none.
func Repairs(found []project.Finding) []Repair {
	var keys []string
	by := map[string]*Repair{}
	for _, f := range found {
		if f.Severity == doctor.Info {
			continue
		}
		for _, set := range f.Repair.Settings {
			e := by[set.Key]
			if e == nil {
				e = &Repair{Key: set.Key}
				by[set.Key], keys = e, append(keys, set.Key)
			}
			if why := strings.TrimSpace(f.ID + " " + strings.TrimSpace(f.Joint+" "+f.Channel)); !slices.Contains(e.Why, why) {
				e.Why = append(e.Why, why)
			}
			switch {
			case set.Key == "couplings":
				if !slices.Contains(e.Names, set.Value) {
					e.Names = append(e.Names, set.Value)
				}
			case set.Name != "":
				if e.Of == nil {
					e.Of = map[string]string{}
				}
				if _, ok := e.Of[set.Name]; !ok {
					e.Names = append(e.Names, set.Name)
				}
				e.Of[set.Name] = set.Value
			case e.Value == "":
				e.Value = set.Value
			}
		}
	}
	var out []Repair
	for _, k := range keys {
		out = append(out, *by[k])
	}
	return out
}

// Merge writes repairs into the text of a project file. Everything else stays, byte by byte: comments, order and
// other keys. A key that is there takes the new value, and its line says by which finding; a key that is turned off
// by a # gets its line below; any other is added at the end. A value that spans lines in braces is an error.
func Merge(text string, repairs []Repair) (string, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, r := range repairs {
		var err error
		if lines, err = r.into(lines); err != nil {
			return "", err
		}
	}
	merged := strings.Join(lines, "\n") + "\n"
	if err := yaml.Unmarshal([]byte(merged), new(project.Settings)); err != nil {
		return "", fmt.Errorf("the settings %s do not fit into the file: %w", keysOf(repairs), err)
	}
	return merged, nil
}

func keysOf(repairs []Repair) string {
	var keys []string
	for _, r := range repairs {
		keys = append(keys, r.Key)
	}
	return strings.Join(keys, ", ")
}

// into writes one repair into the lines of a file.
func (r *Repair) into(lines []string) ([]string, error) {
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, r.Key+":") })
	if at < 0 {
		off := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "#"+r.Key+":") })
		block := append([]string{"# by " + r.by() + ": " + r.why()}, r.lines()...)
		if off < 0 {
			return append(append(lines, ""), block...), nil
		}
		end := off + 1
		for end < len(lines) && strings.HasPrefix(lines[end], "#  ") {
			end++ // entries of a map that is turned off
		}
		return slices.Insert(lines, end, block...), nil
	}
	value, comment := splitComment(lines[at][len(r.Key)+1:])
	end := at + 1
	for end < len(lines) && (strings.HasPrefix(lines[end], " ") || strings.HasPrefix(lines[end], "- ")) {
		end++
	}
	switch {
	case len(r.Names) == 0:
		if end > at+1 {
			return nil, fmt.Errorf("%s spans lines in the file: change it by hand to %s", r.Key, r.Value)
		}
		if to := valueOf(r.Value); value != to {
			lines[at] = r.Key + ": " + to + r.was(value, comment)
		}
		return lines, nil
	case value != "" && end > at+1:
		return nil, fmt.Errorf("%s spans lines in braces: write it one entry a line", r.Key)
	case value != "":
		return r.inBraces(lines, at, value, comment)
	}
	return r.inBlock(lines, at, end), nil
}

// lines returns a repair as lines of a block.
func (r *Repair) lines() []string {
	if len(r.Names) == 0 {
		return []string{r.Key + ": " + valueOf(r.Value)}
	}
	out := []string{r.Key + ":"}
	for _, n := range r.Names {
		out = append(out, "  "+r.entry(n))
	}
	return out
}

// why returns the findings on one line of a comment.
func (r *Repair) why() string { return oneLine(strings.Join(r.Why, ", ")) }

// entry returns an element of a list, or a key with its value, on one line.
func (r *Repair) entry(name string) string {
	if r.Of == nil {
		return fmt.Sprintf("- %q", name)
	}
	return flow(name) + ": " + r.valueOf(name)
}

// valueOf returns the value of a name on one line: of a map the name of a channel, which may look like anything.
func (r *Repair) valueOf(name string) string {
	v := r.Of[name]
	if r.Key == "map" {
		return flow(v)
	}
	return valueOf(v)
}

// valueOf returns a value as it stands if YAML reads it as a scalar or a list on one line, otherwise as a quoted text: names of channels
// are from outside.
func valueOf(text string) string {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err == nil && oneLine(text) == text && strings.TrimSpace(text) == text && len(n.Content) == 1 {
		v := n.Content[0]
		scalar := v.Kind == yaml.ScalarNode && v.Tag != "!!null" && v.Style&yaml.TaggedStyle == 0
		if (scalar || v.Kind == yaml.SequenceNode && v.Style&yaml.FlowStyle != 0) && v.Anchor == "" && n.HeadComment+n.LineComment+n.FootComment+v.HeadComment+v.LineComment+v.FootComment == "" {
			return text
		}
	}
	return flow(text)
}

// was returns the comment behind a value that took the place of another.
func (r *Repair) was(old, comment string) string {
	return "  # by " + r.by() + " (" + r.why() + "); was " + old + strings.Replace(comment, " #", ";", 1)
}

// inBraces merges entries into a map or list on one line.
func (r *Repair) inBraces(lines []string, at int, value, comment string) ([]string, error) {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(value), &node); err != nil || len(node.Content) == 0 {
		return nil, fmt.Errorf("%s: %q cannot be read: %w", r.Key, value, err)
	}
	top := node.Content[0]
	nodeOf := func(text string) *yaml.Node {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil || len(n.Content) == 0 {
			panic(fmt.Sprintf("ident: %q is no YAML: %v", text, err)) // flow and valueOf return YAML
		}
		return n.Content[0]
	}
	for _, n := range r.Names {
		if r.Of == nil {
			top.Content = append(top.Content, nodeOf(flow(n)))
			continue
		}
		found := false
		for i := 0; i+1 < len(top.Content); i += 2 {
			if top.Content[i].Value == n {
				top.Content[i+1], found = nodeOf(r.valueOf(n)), true
			}
		}
		if !found {
			top.Content = append(top.Content, nodeOf(flow(n)), nodeOf(r.valueOf(n)))
		}
	}
	text, err := yaml.Marshal(&node)
	if err != nil {
		return nil, err
	}
	lines[at] = r.Key + ": " + strings.TrimSpace(string(text)) + "  # by " + r.by() + " (" + r.why() + ")" + strings.Replace(comment, " #", ";", 1)
	return lines, nil
}

// inBlock merges entries into a map or list of one line each, between lines at and end.
func (r *Repair) inBlock(lines []string, at, end int) []string {
	indent := "  "
	if at+1 < end {
		l := lines[at+1]
		indent = l[:len(l)-len(strings.TrimLeft(l, " "))]
	}
	mark := "  # by " + r.by() + " (" + r.why() + ")"
	for _, n := range r.Names {
		old := -1
		if r.Of != nil {
			is := regexp.MustCompile(`^\s+(["']?` + regexp.QuoteMeta(n) + `["']?|` + regexp.QuoteMeta(flow(n)) + `)\s*:`)
			old = slices.IndexFunc(lines[at+1:end], is.MatchString)
		}
		line := indent + r.entry(n) + mark
		if old < 0 {
			lines = slices.Insert(lines, end, line)
			end++
			continue
		}
		lines[at+1+old] = line
	}
	return lines
}

// splitComment parts a value from the comment behind it, which keeps a space in front.
func splitComment(text string) (value, comment string) {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && i > 0 && text[i-1] == ' ':
			return strings.TrimSpace(text[:i]), " " + text[i:]
		}
	}
	return strings.TrimSpace(text), ""
}

// MergeInto writes what the findings ask for into the text of a project file, with the robot where it names none, and the
// channels that were guessed.
func (b *Survey) MergeInto(text, robotPath string) (string, error) {
	more := slices.Clone(b.repairs)
	if b.p.Robot != "" && !regexp.MustCompile(`(?m)^robot:`).MatchString(text) && robotPath != "" {
		more = append(more, Repair{Key: "robot", Value: Flow(robotPath), By: "ident open", Why: []string{"the robot"}})
	}
	if len(b.Guessed) > 0 {
		r := Repair{Key: "map", Of: map[string]string{}, By: "ident open", Why: []string{"guessed"}}
		for _, g := range b.Guessed {
			r.Names = append(r.Names, g[0])
			r.Of[g[0]] = g[1]
		}
		more = append(more, r)
	}
	return Merge(text, more)
}

// Asked returns the settings units, scale and zero that findings ask for a channel.
func (b *Survey) Asked(channel string) map[string]string {
	out := map[string]string{}
	if b == nil {
		return out
	}
	for _, r := range b.repairs {
		if v, ok := r.Of[channel]; ok && (r.Key == "units" || r.Key == "scale" || r.Key == "zero") {
			out[r.Key] = v
		}
	}
	return out
}

// Flow returns a text as a value of YAML on one line.
func Flow(text string) string { return flow(text) }

// Value returns a setting's value, as on a command line, as a value of YAML: numbers bare, lists in brackets, texts
// quoted if YAML asks for it.
func Value(key, text string) string {
	t, ok := project.Lookup(key)
	number := regexp.MustCompile(`^[-+.\d][-+.\deE]*$`).MatchString(text)
	switch {
	case !ok:
	case t.Kind() == "numbers", t.Form == project.Listed:
		return "[" + text + "]"
	case t.Kind() != "text" && (t.Kind() != "texts" || number && key != "map" && key != "units"):
		return text
	}
	return Flow(text)
}
