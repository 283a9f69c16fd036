package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"ident/identify/project"
)

func newPlot(s streams) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "plot RESULT [LOG...]",
		Short: "the plots and the report of a result again",
		Long: `Draw the residual plots and the HTML report of a result again, from its folder alone.
Logs are only compared with those that the result was made of, by the hashes of the
files; without any, the files of their names beside the folder are. One that is
another, or has changed since, is told.`,
		Example: `  ident plot log.ident
  ident plot log.ident log.parquet`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if out != "" {
				dir = out
			}
			others, err := project.OtherLogs(c.Context(), args[0], args[1:])
			if err != nil {
				return err
			}
			for _, o := range others {
				s.warn("%s", o)
			}
			if err := s.during("drawing the report and the plots", func() error { return project.Redraw(c.Context(), args[0], dir, overwrites(c)) }); err != nil {
				return err
			}
			fmt.Fprintf(s.out, "report  %s\nplots   %s\n", filepath.Join(dir, project.ReportFile), filepath.Join(dir, project.PlotsFolder))
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "folder to draw into (default: the result's own)")
	return c
}
