package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ident/project"
	"ident/regressor"
	"ident/robot"
)

// completions are the functions that a shell asks for the values of options.
type completions = func(f *flags) cobra.CompletionFunc

// valuesOf are the options whose values follow from the tables of the program, or from the files of the call.
var valuesOf = map[string]completions{
	"terms": func(*flags) cobra.CompletionFunc { return listed(termNames) },
	"joints": func(f *flags) cobra.CompletionFunc {
		return listed(func(args []string) []string { return f.joints(args) })
	},
	"lock":             (*flags).jointValues,
	"assembly":         (*flags).jointValues,
	"joint-terms":      (*flags).jointValues,
	"mass":             (*flags).linkValues,
	"centre-box":       (*flags).linkValues,
	"centre-ellipsoid": (*flags).linkValues,
	"body-ellipsoid":   (*flags).linkValues,
	"wrench":           (*flags).linkValues,
	"contact":          (*flags).linkValues,
	"unit": func(f *flags) cobra.CompletionFunc {
		return prefixed(func(args []string) []string { return channels(args) })
	},
	"payload-flag": func(*flags) cobra.CompletionFunc { return listed(channels) },
	"reference":    func(*flags) cobra.CompletionFunc { return listed(channels) },
	"map":          func(f *flags) cobra.CompletionFunc { return f.mapped },
}

// fixedValues are the words of options that take one of a few.
var fixedValues = map[string][]string{
	"estimator": project.EstimatorNames(), "on-bad": {"error", "drop"}, "rest": {"auto", "keep", "drop"},
	"velocity": {"auto", "measured", "position"}, "acceleration": {"auto", "measured", "velocity", "position"},
	"loss": {"huber", "bisquare"}, "prior": {"robot", "none", "auto"}, "keep-rows": {"all", "auto"},
	"prior-distance": {"entropic", "pull-back", "geodesic", "euclidean"}, "physically-consistent": {"yes", "no", "auto"},
}

// complete has the shell offer the values of a setting's option.
func (f *flags) complete(c *cobra.Command, option string) {
	if words, ok := fixedValues[option]; ok {
		completeWith(c, option, words...)
		return
	}
	if option == "model" && c.Name() == "fit" {
		completeListed(c, option, []string{"dynamic", "energy", "power", "filtered", "momentum"})
		return
	}
	if of, ok := valuesOf[option]; ok {
		if err := c.RegisterFlagCompletionFunc(option, of(f)); err != nil {
			panic(err)
		}
	}
}

// completeListed has the shell offer words for the parts of a list with commas.
func completeListed(c *cobra.Command, flag string, words []string) {
	if err := c.RegisterFlagCompletionFunc(flag, listed(func([]string) []string { return words })); err != nil {
		panic(err)
	}
}

func (f *flags) jointValues() cobra.CompletionFunc {
	return prefixed(func(args []string) []string { return f.joints(args) })
}

func (f *flags) linkValues() cobra.CompletionFunc {
	return prefixed(func(args []string) []string {
		var out []string
		if r := f.completedRobot(args); r != nil {
			for i := range r.Links {
				out = append(out, r.Links[i].Name)
			}
		}
		return out
	})
}

func (f *flags) joints(args []string) []string {
	if r := f.completedRobot(args); r != nil {
		return project.JointNames(r)
	}
	return nil
}

// completedRobot is the robot of an unfinished call, nil where there is none yet: the one of the option, of an
// argument, of the project file or of the log.
func (f *flags) completedRobot(args []string) *robot.Robot {
	for _, path := range append([]string{f.robot()}, args...) {
		if r, err := robot.Open(path, robot.ReadOptions{}); path != "" && fileExists(path) && err == nil {
			return r
		}
	}
	p, err := f.resolve(args...)
	if err != nil {
		return nil
	}
	logs, err := project.OpenLogs(context.Background(), p, small(args))
	if err != nil {
		return nil
	}
	defer project.CloseLogs(logs)
	r, err := project.FindRobot(p, false, logs...)
	if err != nil {
		return nil
	}
	return r
}

// small are the logs that are read while somebody waits at a prompt.
func small(args []string) []string {
	const most = 64 << 20 // bytes
	var out []string
	for _, a := range args {
		if info, err := os.Stat(a); err == nil && info.Mode().IsRegular() && info.Size() < most {
			out = append(out, a)
		}
	}
	return out
}

// channels are the names in the logs of a call.
func channels(args []string) []string {
	logs, err := project.OpenLogs(context.Background(), new(project.Settings), small(args))
	if err != nil || len(logs) == 0 {
		return nil
	}
	defer project.CloseLogs(logs)
	return logs[0].Names()
}

// mapped completes ROLE=CHANNEL: the channel behind the equals sign.
func (f *flags) mapped(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	role, _, ok := strings.Cut(typed, "=")
	if !ok {
		return []string{"t=", "q1=", "dq1=", "tau1=", "i1="}, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, name := range channels(args) {
		out = append(out, role+"="+name)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func termNames(args []string) []string {
	var out []string
	for _, t := range regressor.Terms() {
		out = append(out, string(t.Term))
	}
	return out
}

// listed completes the last word of a list with commas.
func listed(words func(args []string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, w := range words(args) {
			out = append(out, before+w)
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// prefixed completes the name in front of an equals sign.
func prefixed(names func(args []string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, n := range names(args) {
			out = append(out, n+"=")
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}
