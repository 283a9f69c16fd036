// Package table prints documents of commands as text: effects of experiments, elastic joints, gravity, loads, replays.
package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"ident/baseparams"
)

// Effects writes the parameters that other experiments would determine.
func Effects(w io.Writer, effects []baseparams.Effect) error {
	what := func(e baseparams.Effect) string {
		var groups []string
		for status := baseparams.Alone; status >= baseparams.NotAtAll; status-- {
			var names []string
			for _, list := range [][]baseparams.Change{e.More, e.Less} {
				for _, c := range list {
					if c.To == status.String() {
						names = append(names, c.Parameter)
					}
				}
			}
			if names != nil {
				groups = append(groups, strings.Join(names, ", ")+" "+status.String())
			}
		}
		if groups == nil {
			return "the same"
		}
		return strings.Join(groups, "; ")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\ncount\tif\tthen identifiable\n")
	for _, e := range effects {
		fmt.Fprintf(t, "%d\t%s\t%s\n", e.Count, e.Setup, what(e))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the effects: %w", err)
	}
	return nil
}
