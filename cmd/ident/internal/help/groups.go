package help

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Group is a group of options on a page of help.
type Group string

// The groups, in the order of a page.
const (
	Most       Group = "Most used"
	Data       Group = "Data"
	Processing Group = "Processing"
	Model      Group = "Model"
	Motion     Group = "Motion"
	Estimator  Group = "Estimator"
	Physical   Group = "Physical consistency and priors"
	Output     Group = "Output"
	Advanced   Group = "Advanced"
)

var order = [...]Group{Most, Data, Processing, Model, Motion, Estimator, Physical, Output, Advanced}

const (
	groupKey = "help-group"
	firstKey = "help-first"
)

// few is the number of options up to which a page lists them in one group.
const few = 12

// Assign puts an option into a group.
func Assign(f *pflag.Flag, g Group) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[groupKey] = []string{string(g)}
}

// First names the options of a command that most users need first, in this order.
func First(c *cobra.Command, names ...string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[firstKey] = strings.Join(names, " ")
}

// groupOf returns the group of an option: the assigned one, otherwise the one that its name implies.
func groupOf(f *pflag.Flag) Group {
	if g := f.Annotations[groupKey]; len(g) > 0 {
		return Group(g[0])
	}
	switch f.Name {
	case "output", "json", "verbose", "quiet", "plots", "to", "help":
		return Output
	case "config", "force", "seed":
		return Advanced
	}
	return Model
}

// section is a group with its options.
type section struct {
	title string
	flags []*pflag.Flag
}

// sections returns the options of a command, first the most needed, then by group.
func sections(c *cobra.Command) []section {
	var all []*pflag.Flag
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all = append(all, f)
		}
	})
	if len(all) <= few {
		if len(all) == 0 {
			return nil
		}
		return []section{{"Options", all}}
	}
	first := strings.Fields(c.Annotations[firstKey])
	by := map[Group][]*pflag.Flag{}
	for _, f := range all {
		g := groupOf(f)
		if slices.Contains(first, f.Name) {
			g = Most
		}
		by[g] = append(by[g], f)
	}
	slices.SortStableFunc(by[Most], func(a, b *pflag.Flag) int {
		return slices.Index(first, a.Name) - slices.Index(first, b.Name)
	})
	var out []section
	for _, g := range order {
		if len(by[g]) > 0 {
			out = append(out, section{string(g), by[g]})
		}
	}
	return out
}

// kind returns the kind of value that an option takes, as a page names it; "" for a switch.
func kind(f *pflag.Flag) string {
	switch t := f.Value.Type(); t {
	case "bool":
		return ""
	case "int", "uint", "int64", "uint64":
		return "N"
	case "float", "float64":
		return "NUMBER"
	case "string", "stringArray", "stringSlice":
		return "VALUE"
	default:
		return t
	}
}

// head returns an option as it is typed: short and long name, and its value.
func head(f *pflag.Flag) string {
	s := "    --" + f.Name
	if f.Shorthand != "" {
		s = "-" + f.Shorthand + ", --" + f.Name
	}
	switch k := kind(f); {
	case k == "":
	case f.NoOptDefVal != "":
		s += "[=" + k + "]"
	default:
		s += " " + k
	}
	return s
}

// about returns the text of an option with its default.
func about(f *pflag.Flag) string {
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" && !strings.Contains(f.Usage, "(default") {
		return f.Usage + " (default " + d + ")"
	}
	return f.Usage
}
