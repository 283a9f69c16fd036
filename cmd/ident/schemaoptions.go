package main

import (
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/identify/folder"
)

// optionsDoc is every option of every command, the document ident.options/1.
type optionsDoc struct {
	Schema   string           `json:"schema"`
	Version  string           `json:"version"` // of the program
	Commands []optionsCommand `json:"commands"`
}

// optionsCommand is a command with its options, in alphabetic order.
type optionsCommand struct {
	Name    string       `json:"name"`
	Usage   string       `json:"usage"`
	Help    string       `json:"help"`
	Options []optionFact `json:"options"`
}

// optionFact is an option of a command.
type optionFact struct {
	Name       string   `json:"name"`              // without dashes
	Short      string   `json:"short,omitempty"`   // a letter
	Key        string   `json:"key,omitempty"`     // in ident.yaml; absent where the option is the command's alone
	Type       string   `json:"type"`              // bool, int, uint64, number, numbers, text, texts, or a choice
	Default    string   `json:"default,omitempty"` // absent where none is a value: empty, false, or by a rule that help says
	Unit       string   `json:"unit,omitempty"`    // of its numbers
	Low        *float64 `json:"low,omitempty"`     // least number, included
	High       *float64 `json:"high,omitempty"`    // largest number, included
	Zero       bool     `json:"zero_is_none,omitempty"`
	Choices    []string `json:"choices,omitempty"`
	Free       bool     `json:"free,omitempty"` // other words than the choices can be given
	Repeatable bool     `json:"repeatable"`
	File       string   `json:"file,omitempty"` // read or write if the value is a file or a folder, named if it is NAME=FOLDER, which is read
	Help       string   `json:"help"`
}

// optionsOf collects the options of all commands of a program: those that are settings from the one table of settings, the others
// from where the command declares them.
func optionsOf(root *cobra.Command) optionsDoc {
	doc := optionsDoc{Schema: "ident.options/1", Version: Version}
	for _, c := range root.Commands() {
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		one := optionsCommand{Name: c.Name(), Usage: "ident " + c.Use, Help: c.Short, Options: []optionFact{}}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden {
				one.Options = append(one.Options, factOf(f))
			}
		})
		doc.Commands = append(doc.Commands, one)
	}
	return doc
}

// factOf describes an option.
func factOf(f *pflag.Flag) optionFact {
	o := optionFact{Name: f.Name, Short: f.Shorthand, Help: f.Usage, Default: f.DefValue}
	switch v := f.Value.(type) {
	case *settingFlag:
		t := v.t
		o.Key, o.Unit, o.Choices, o.Free, o.Repeatable, o.Default = t.Key, t.Unit, t.Choices, t.Free, t.Repeats(), t.Default
		o.Type = t.Kind()
		if r := t.Range; r != nil {
			o.Low, o.High, o.Zero = &r.Low, &r.High, r.Zero
		}
	case bounded:
		low, high := v.bounds()
		o.Low, o.High, o.Unit, o.Type = &low, &high, v.unitText(), map[string]string{"int": "int", "float64": "number"}[f.Value.Type()]
	default:
		o.Type = map[string]string{"bool": "bool", "int": "int", "uint64": "uint64", "float64": "number", "stringArray": "texts", "stringSlice": "texts", "float64Slice": "numbers"}[f.Value.Type()]
		o.Repeatable = f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice"
	}
	if o.Type == "" {
		o.Type = "text"
	}
	if o.Type == "text" || o.Type == "texts" {
		o.File = fileUse(f.Name)
	}
	if o.Default == "[]" || o.Type == "bool" && o.Default == "false" {
		o.Default = ""
	}
	if m := defaultInHelp.FindStringSubmatch(o.Help); m != nil && o.Default == "" {
		o.Default = m[1]
	}
	return o
}

// defaultInHelp finds the default that a help line names. A rule, which stands behind "default:", is no value.
var defaultInHelp = regexp.MustCompile(`\(default ([^;:)]+)[;:)]`)

// printOptions prints the document of all options.
func printOptions(s streams) error { return folder.WriteJSON(s.data, optionsOf(newRoot(s))) }
