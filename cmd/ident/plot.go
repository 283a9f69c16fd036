package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"ident/project"
)

func newPlot(s streams) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "plot RESULT",
		Short:   "the plots and the report of a result again",
		Long:    "Draw the residual plots and the HTML report of a result again, from its folder alone.",
		Example: "  ident plot log.ident",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if out != "" {
				dir = out
			}
			if err := project.Redraw(args[0], dir); err != nil {
				return err
			}
			fmt.Fprintf(s.out, "report  %s\nplots   %s\n", filepath.Join(dir, project.ReportFile), filepath.Join(dir, project.PlotsFolder))
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "folder to draw into (default: the result's own)")
	return c
}
