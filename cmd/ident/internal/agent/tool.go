package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Access says what a value names.
type Access string

// The kinds of access to files. None is a value that names no file, Named one as NAME=FOLDER, which is read.
const (
	None   Access = ""
	Reads  Access = "read"
	Named  Access = "named"
	Writes Access = "write"
)

// Operand is an argument of a command that is no option.
type Operand struct {
	Name, About string
	Many        bool
	Optional    bool
	Option      string // by which the command takes it, "" for an argument
	Access      Access
}

// Option is an option of a command, out of the program's table of options.
type Option struct {
	Name, About string
	Type        string // as in ident schema options
	Default     string
	Low, High   *float64
	Choices     []string
	Free        bool // other words than the choices can be given
	Repeatable  bool
	Access      Access
}

// Tool is a command that a client can call.
type Tool struct {
	Name, Command, About string
	Fixed                []string // words of every call
	Operands             []Operand
	Options              []Option
	Members              []string // of the command's document
	Shown                []string // members that are returned if the client asks for no others
}

// writes reports whether a call can write files.
func (t Tool) writes() bool {
	return slices.ContainsFunc(t.Operands, func(o Operand) bool { return o.Access == Writes }) ||
		slices.ContainsFunc(t.Options, func(o Option) bool { return o.Access == Writes })
}

// schema returns the JSON Schema of the tool's input.
func (t Tool) schema() map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, o := range t.Operands {
		p := map[string]any{"type": "string", "description": o.About}
		if o.Many {
			p = map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "minItems": 1, "description": o.About}
		}
		properties[o.Name] = p
		if !o.Optional {
			required = append(required, o.Name)
		}
	}
	for _, o := range t.Options {
		properties[o.Name] = o.schema()
	}
	if t.writes() {
		properties[dryRun] = map[string]any{"type": "boolean", "description": "say what would be run and written, and do nothing"}
	}
	if len(t.Members) > 0 {
		properties[membersName] = map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": t.Members},
			"description": "members of the document to return (default " + strings.Join(t.Shown, ", ") + ")"}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// Arguments of a tool that are none of its command.
const (
	dryRun      = "dry_run"
	membersName = "members"
)

func (o Option) schema() map[string]any {
	p := map[string]any{"description": o.About}
	switch o.Type {
	case "bool":
		p["type"] = "boolean"
	case "int", "uint64":
		p["type"] = "integer"
	case "number":
		p["type"] = "number"
	case "numbers":
		p["type"], p["description"] = "string", o.About+"; numbers separated by commas"
	default:
		p["type"] = "string"
	}
	if o.Low != nil {
		p["minimum"] = *o.Low
	}
	if o.High != nil {
		p["maximum"] = *o.High
	}
	if len(o.Choices) > 0 && !o.Free && !o.Repeatable {
		p["enum"] = o.Choices
	}
	if o.Repeatable {
		delete(p, "description")
		return map[string]any{"type": "array", "items": p, "description": o.About}
	}
	return p
}

// place is a file of a call.
type place struct {
	path   string
	access Access
}

// call is a checked call of a tool.
type call struct {
	args    []string // of the program
	places  []place
	dry     bool
	members []string
}

// read checks the arguments that a client gives, and resolves their files.
func (t Tool) read(raw json.RawMessage, folders Folders) (call, error) {
	given := map[string]any{}
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&given); err != nil {
			return call{}, fmt.Errorf("the arguments are no JSON object: %w", err)
		}
	}
	c := call{args: append([]string{t.Command}, t.Fixed...), members: t.Shown}
	var arguments []string
	for _, o := range t.Operands {
		value, ok := given[o.Name]
		if !ok {
			if !o.Optional {
				return call{}, fmt.Errorf("%s is missing: %s", o.Name, o.About)
			}
			continue
		}
		delete(given, o.Name)
		list, err := texts(o.Name, value, o.Many)
		if err != nil {
			return call{}, err
		}
		for _, text := range list {
			if text, err = c.place(folders, text, o.Access, nil); err != nil {
				return call{}, fmt.Errorf("%s: %w", o.Name, err)
			}
			if o.Option != "" {
				c.args = append(c.args, "--"+o.Option+"="+text)
			} else {
				arguments = append(arguments, text)
			}
		}
	}
	if value, ok := given[dryRun]; ok && t.writes() {
		if c.dry, ok = value.(bool); !ok {
			return call{}, fmt.Errorf("%s must be true or false", dryRun)
		}
		delete(given, dryRun)
	}
	if value, ok := given[membersName]; ok && len(t.Members) > 0 {
		list, err := texts(membersName, value, true)
		if err != nil {
			return call{}, err
		}
		for _, m := range list {
			if !slices.Contains(t.Members, m) {
				return call{}, fmt.Errorf("%s: the document has no member %s", membersName, Clean(m))
			}
		}
		c.members = list
		delete(given, membersName)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(t.Options, func(o Option) bool { return o.Name == name })
		if i < 0 {
			return call{}, fmt.Errorf("%s has no argument %s", t.Name, Clean(name))
		}
		o := t.Options[i]
		list, err := texts(name, given[name], o.Repeatable)
		if err != nil {
			return call{}, err
		}
		for _, text := range list {
			if text, err = c.place(folders, text, o.Access, o.Choices); err != nil {
				return call{}, fmt.Errorf("%s: %w", name, err)
			}
			c.args = append(c.args, "--"+name+"="+text)
		}
	}
	c.args = append(append(c.args, "--"), arguments...)
	return c, nil
}

// place resolves a text that names a file, NAME=FOLDER or one of the words that stand for no file.
func (c *call) place(folders Folders, text string, access Access, words []string) (string, error) {
	if strings.ContainsRune(text, 0) {
		return "", fmt.Errorf("%s holds a zero byte", Clean(text))
	}
	if access == None || slices.Contains(words, text) {
		return text, nil
	}
	name := ""
	if before, path, ok := strings.Cut(text, "="); ok && access == Named {
		name, text = before+"=", path
	}
	if text == "" || text == "-" {
		return "", fmt.Errorf("%s names no file: standard input and output are those of the protocol", Clean(text))
	}
	resolve := folders.Resolve
	if access == Writes {
		resolve = folders.ResolveNew
	}
	path, err := resolve(text)
	if err != nil {
		return "", err
	}
	c.places = append(c.places, place{path, access})
	return name + path, nil
}

// texts returns a value as words of a command line.
func texts(name string, value any, many bool) ([]string, error) {
	if list, ok := value.([]any); ok && many {
		var out []string
		for _, v := range list {
			one, err := texts(name, v, false)
			if err != nil {
				return nil, err
			}
			out = append(out, one...)
		}
		return out, nil
	}
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case json.Number:
		return []string{v.String()}, nil
	}
	if many {
		return nil, fmt.Errorf("%s must be a list of texts", name)
	}
	return nil, fmt.Errorf("%s must be one text, number or truth value", name)
}
