package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ident/cmd/ident/internal/complete"
)

// Cobra keeps every flag that has completions: commands that no shell asks about leave none behind.
func TestCompletionsOfShellsOnly(t *testing.T) {
	count := func(shell complete.Shell) int {
		flags := 0
		var walk func(c *cobra.Command)
		walk = func(c *cobra.Command) {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if _, ok := c.GetFlagCompletionFunc(f.Name); ok {
					flags++
				}
			})
			for _, sub := range c.Commands() {
				walk(sub)
			}
		}
		walk(newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, inUse: new(inUse), shell: shell}))
		return flags
	}
	if n := count(false); n > 0 {
		t.Errorf("%d flags with completions", n)
	}
	if n := count(complete.Asks([]string{cobra.ShellCompRequestCmd, "fit", "--estimator", ""})); n < 50 {
		t.Errorf("a shell finds %d flags with completions", n)
	}
}
