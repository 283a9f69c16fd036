package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/cmd/ident/internal/help"
	"ident/datasets"
	"ident/identify/project"
	"ident/internal/spelling"
	"ident/regressor"
	"ident/robot/format"
)

// helpGroup returns the group of a setting's option on a page of help.
func helpGroup(t project.Setting) help.Group {
	if slices.Contains(advanced[:], t.Key) {
		return help.Advanced
	}
	switch t.Group {
	case project.RobotFile, project.Logs:
		return help.Data
	case project.Processing:
		return help.Processing
	case project.Motion:
		return help.Motion
	case project.Estimate:
		if t.Key == "validate" || t.Key == "train-fraction" {
			return help.Data
		}
		return help.Estimator
	case project.BodyRules:
		return help.Physical
	case project.Gates:
		return help.Output
	case project.Random:
		return help.Advanced
	}
	return help.Model
}

// advanced are settings that few users need.
var advanced = [...]string{"args", "packages", "no-snap", "loops", "assembly", "couplings", "filter-order", "keep-rows", "differentiator", "loss", "memory",
	"window", "minimum-norm", "controller", "reference", "prior-distance", "period", "wrench", "contact", "topics"}

// mostUsed lists by command the options that most users need first.
var mostUsed = map[string]string{
	"fit":               "robot terms validate train-fraction cutoff gains map physically-consistent prior output",
	"check":             "robot fix map unit gains rows on-bad sensitivity json",
	"validate":          "map unit gains rows cutoff decimate json",
	"init":              "gains map unit terms cutoff output overwrite",
	"design-trajectory": "output period harmonics velocity-limits acceleration-limits torque-limits keep-out noise after starts",
	"simulate":          "trajectory output repeat rate torque-noise ideal seed",
	"base-params":       "terms set explain effects to output json",
	"codegen":           "model lang base output terms symbols",
	"robot":             "html to set output json",
}

// setHelp gives every command its page, and the program its topics.
func setHelp(root *cobra.Command, s streams) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(s.out, help.Fit(help.Page(c, s.allHelp), s.wide)) })
	root.SetHelpCommand(newHelp(s))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
		if strings.HasPrefix(err.Error(), "flag needs an argument") {
			return usagef("%w\n%s", err, help.Call(c))
		}
		if !ok {
			return usageError{err}
		}
		var known []string
		for _, f := range flagNames(c) {
			known = append(known, "--"+f)
		}
		if near := spelling.Nearest("--"+name, known); near != "" {
			return usagef("%w; did you mean %s?\n%s", err, near, help.Call(c))
		}
		return usagef("%w (%s --help-all lists the options)\n%s", err, c.CommandPath(), help.Call(c))
	})
	for _, c := range root.Commands() {
		if first := mostUsed[c.Name()]; first != "" {
			help.First(c, strings.Fields(first)...)
		}
	}
}

func newHelp(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC|ID|WORD...]",
		Short: "print the help of a command, a topic, or a finding's id, or search all of it",
		Long: `Print the help of a command, one of the topics that several commands share, or what a finding
or verdict means, by its id. Other words are searched in commands, options, topics, findings and
verdicts, and the three best places are printed. Without a name, list the commands and the topics.`,
		Example: `  ident help fit
  ident help fit-terms
  ident help lag-torque
  ident help belt between two joints`,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return append(commandNames(c.Root()), help.Names()...), cobra.ShellCompDirectiveNoFileComp
		},
		DisableFlagParsing: true, // an option is a word to look for
		RunE: func(c *cobra.Command, args []string) error {
			if args = slices.DeleteFunc(args, func(a string) bool { return slices.Contains(printing[:], a) }); len(args) == 0 {
				return c.Root().Help()
			}
			if found, rest, err := c.Root().Find(args); err == nil && found != c.Root() && len(rest) == 0 {
				return found.Help()
			}
			if len(args) == 1 {
				text := help.Explain(args[0])
				if t, ok := help.Find(args[0]); ok {
					text = topicText(t)
				}
				if text != "" {
					_, err := fmt.Fprint(s.out, help.Fit(text, s.wide))
					return err
				}
			}
			question := strings.Join(args, " ")
			places := help.Search(help.Passages(c.Root(), topicText), question, 3)
			if len(places) == 0 {
				return unknownName("command, topic or word", question, append(commandNames(c.Root()), help.Names()...))
			}
			_, err := fmt.Fprint(s.out, help.Fit(help.Places(places, question), s.wide))
			return err
		},
	}
}

// printing are options of every command, which help does not look for.
var printing = [...]string{"-h", "--help", "-q", "--quiet", "-v", "--verbose"}

// unknownName returns a wrong name of a kind, with the nearest known ones.
func unknownName(kind, name string, known []string) error {
	if near := spelling.Nearest(name, known); near != "" {
		return usagef("unknown %s %s; did you mean %s?", kind, name, near)
	}
	return usagef("unknown %s %s (ident --help lists the commands and topics)", kind, name)
}

func flagNames(c *cobra.Command) []string {
	var out []string
	c.Flags().VisitAll(func(f *pflag.Flag) { out = append(out, f.Name) })
	return out
}

func commandNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return out
}

// topicText returns a topic with the tables of the program.
func topicText(t help.Topic) string {
	tables := map[string][]help.Row{}
	for _, in := range regressor.Terms() {
		if in.Deflection {
			continue
		}
		tables["terms"] = append(tables["terms"], help.Row{Name: string(in.Term), Text: in.About})
	}
	for _, e := range project.Estimators {
		tables["estimators"] = append(tables["estimators"], help.Row{Name: e.Name, Text: project.NameSettings(e.Use, optionOf)})
	}
	for _, in := range project.Table() {
		if in.Option != "" {
			tables["settings"] = append(tables["settings"], help.Row{Name: in.Key, Text: project.NameSettings(in.Help, func(key string) string { return key })})
		}
	}
	read, write := datasets.Extensions()
	for _, ext := range read {
		text := "read"
		if slices.Contains(write, ext) {
			text = "read and written"
		}
		tables["formats"] = append(tables["formats"], help.Row{Name: ext, Text: text})
	}
	for _, k := range format.Kinds() {
		text := k.Title
		if !k.Written {
			text += "; only read"
		}
		tables["robots"] = append(tables["robots"], help.Row{Name: strings.Join(k.Extensions, ", "), Text: text})
	}
	tables["exports"] = exportRows()
	return help.Fill(t.Text, tables)
}
