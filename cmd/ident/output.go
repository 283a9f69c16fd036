package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/internal/output"
	"ident/project"
)

// note prints a line for the user beside the results.
func (s streams) note(format string, args ...any) { fmt.Fprintf(s.err, "note: "+format+"\n", args...) }

func (s streams) warn(format string, args ...any) {
	fmt.Fprintf(s.err, "warning: "+format+"\n", args...)
}

// keepInputs refuses a command whose output would take the place of a file that it reads, of a folder that it
// reads too: a copy that fails half way, or that holds less than the file, must not be all that is left.
func keepInputs(c *cobra.Command, args []string) error {
	var outs, read []string
	settings := false // are written by this command, into a project file that may be there
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		} else if setting, ok := f.Value.(*settingFlag); ok {
			values = setting.f.given[setting.t.Key]
		}
		switch f.Name {
		case "output", "fix", "html", "series":
			outs, settings = append(outs, values...), f.Name == "fix" || c.Name() == "init"
		case "robot", "loops", "trajectory", "base-motion", "after", "prior", "validate", "like":
			read = append(read, values...)
		}
	})
	read = append(read, args...)
	if config := c.Flags().Lookup("config"); !settings && config != nil {
		read = append(read, config.Value.String())
		for _, path := range args {
			read = append(read, filepath.Join(filepath.Dir(path), project.File))
		}
	}
	for _, out := range outs {
		for _, in := range read {
			if output.Replaces(out, in) {
				return usagef("%s is read by this command; name another file to write", out)
			}
		}
	}
	return nil
}
