// Package complete offers the values of options to a shell: words of the program's tables, and the joints, links and
// channels of the files of an unfinished call.
package complete

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ident/identify/project"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// Shell is true where a shell asks for completions. Cobra keeps a flag that has completions for the life of the process, and
// with it its command: a program that runs many commands would keep them all.
type Shell bool

// Asks tells from the arguments of a call whether a shell made it for completions.
func Asks(args []string) Shell {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// Call is an unfinished call of a command.
type Call struct {
	Shell   Shell
	Robot   func() string                                     // robot file that it names, or ""
	Resolve func(beside ...string) (*project.Settings, error) // its settings with those of the project file
}

// completions are the functions that a shell asks for the values of options.
type completions = func(f *Call) cobra.CompletionFunc

// valuesOf are the options whose values follow from the tables of the program, or from the files of the call.
var valuesOf = map[string]completions{
	"terms": func(*Call) cobra.CompletionFunc { return listed(termNames) },
	"joints": func(f *Call) cobra.CompletionFunc {
		return listed(func(args []string) []string { return f.joints(args) })
	},
	"lock":             (*Call).jointValues,
	"assembly":         (*Call).jointValues,
	"joint-terms":      (*Call).jointValues,
	"mass":             (*Call).linkValues,
	"centre-box":       (*Call).linkValues,
	"centre-ellipsoid": (*Call).linkValues,
	"body-ellipsoid":   (*Call).linkValues,
	"wrench":           (*Call).linkValues,
	"contact":          (*Call).linkValues,
	"unit":             (*Call).channelValues,
	"scale":            (*Call).channelValues,
	"zero":             (*Call).channelValues,
	"payload-flag":     func(*Call) cobra.CompletionFunc { return listed(channels) },
	"reference":        func(*Call) cobra.CompletionFunc { return listed(channels) },
	"map":              func(f *Call) cobra.CompletionFunc { return f.mapped },
}

// Setting has the shell offer the values of a setting's option.
func (f *Call) Setting(c *cobra.Command, t project.Setting) {
	option := t.Option
	if !f.Shell {
		return
	}
	if len(t.Choices) > 0 {
		f.Shell.Words(c, option, t.Choices...)
		return
	}
	if option == "model" && c.Name() == "fit" {
		f.Shell.Listed(c, option, []string{"dynamic", "energy", "power", "filtered", "momentum"})
		return
	}
	if of, ok := valuesOf[option]; ok {
		if err := c.RegisterFlagCompletionFunc(option, of(f)); err != nil {
			panic(err)
		}
	}
}

// Listed has the shell offer words for the parts of a list with commas.
func (s Shell) Listed(c *cobra.Command, flag string, words []string) {
	if !s {
		return
	}
	if err := c.RegisterFlagCompletionFunc(flag, listed(func([]string) []string { return words })); err != nil {
		panic(err)
	}
}

func (f *Call) jointValues() cobra.CompletionFunc {
	return prefixed(func(args []string) []string { return f.joints(args) })
}

func (f *Call) linkValues() cobra.CompletionFunc {
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

// channelValues completes CHANNEL=VALUE: the channel.
func (f *Call) channelValues() cobra.CompletionFunc {
	return prefixed(func(args []string) []string { return channels(args) })
}

func (f *Call) joints(args []string) []string {
	if r := f.completedRobot(args); r != nil {
		return project.JointNames(r)
	}
	return nil
}

// completedRobot returns the robot of an unfinished call, nil where there is none yet: the one of the option, of an
// argument, of the project file or of the log.
func (f *Call) completedRobot(args []string) *robot.Robot {
	for _, path := range append([]string{f.Robot()}, args...) {
		if !isFile(path) {
			continue
		}
		if r, err := format.Open(path, robot.ReadOptions{}); err == nil {
			return r
		}
	}
	p, err := f.Resolve(args...)
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

// small returns the logs that are read while somebody waits at a prompt.
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

// channels returns the names in the logs of a call.
func channels(args []string) []string {
	logs, err := project.OpenLogs(context.Background(), new(project.Settings), small(args))
	if err != nil || len(logs) == 0 {
		return nil
	}
	defer project.CloseLogs(logs)
	return logs[0].Names()
}

// mapped completes ROLE=CHANNEL: the channel behind the equals sign.
func (f *Call) mapped(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
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
		if !t.Deflection {
			out = append(out, string(t.Term))
		}
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

// Words has the shell offer the values of an option.
func (s Shell) Words(c *cobra.Command, flag string, values ...string) {
	if !s {
		return
	}
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("ident: completion of --%s: %v", flag, err))
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
