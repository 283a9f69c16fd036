package main

import (
	"strings"

	"github.com/spf13/cobra"

	"ident/project"
)

func (f *flags) estimatorFlags(c *cobra.Command) {
	var names []string
	for _, e := range project.Estimators {
		names = append(names, e.Name)
	}
	fl := c.Flags()
	fl.StringVar(&f.p.Estimator, "estimator", "", strings.Join(names, ", ")+" (default wls)")
	fl.StringVar(&f.p.Loss, "loss", "", "what irls minimises: huber or bisquare (default huber)")
	fl.Float64Var(&f.p.Memory, "memory", 0, "seconds after which a running estimate counts a row by 1/e (default: it forgets nothing)")
	fl.BoolVar(&f.follow, "follow", false, "read a growing CSV log, or - for standard input, and print the running estimate (with --json one document a line)")
	fl.IntVar(&f.p.Bootstrap, "bootstrap", 0, "draw the periods of the logs again so many times, for deviations that assume nothing")
	fl.Float64Var(&f.p.Period, "period", 0, "period of the motion, seconds: what --bootstrap draws whole (default: two time blocks)")
	_ = c.RegisterFlagCompletionFunc("estimator", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}
