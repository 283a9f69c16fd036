package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"ident/identify/folder"
	"ident/identify/project"
)

// plotDoc is the JSON document of ident plot.
type plotDoc struct {
	Schema   string   `json:"schema"`
	Report   string   `json:"report"`
	Plots    string   `json:"plots"` // a folder
	Warnings []string `json:"warnings"`
}

func newPlot(s streams) *cobra.Command {
	f := s.flags()
	var out string
	c := &cobra.Command{
		Use:   "plot RESULT [LOG...]",
		Short: "draw the plots and the report of a result again",
		Long: `Draw the residual plots and the HTML report of a result again, from its folder alone.
Logs are only compared with those that the result was made of, by the hashes of the
files; without any, the files of their names beside the folder are. A file that
differs or has changed since is named.`,
		Example: `  ident plot log.ident
  ident plot log.ident log.parquet`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if out != "" {
				dir = out
			}
			others, err := project.OtherLogs(c.Context(), args[0], args[1:], s.inUse.seals)
			if err != nil {
				return err
			}
			doc := plotDoc{Schema: "ident.plot/1", Report: filepath.Join(dir, folder.ReportFile), Plots: filepath.Join(dir, folder.PlotsFolder), Warnings: []string{}}
			for _, o := range others {
				doc.Warnings = append(doc.Warnings, fmt.Sprint(o))
				if !f.json {
					s.warn("%s", o)
				}
			}
			if err := s.during("drawing the report and the plots", func() error { return project.Redraw(c.Context(), args[0], dir, overwrites(c), s.inUse.seals) }); err != nil {
				return err
			}
			if f.json {
				return folder.WriteJSON(s.data, doc)
			}
			_, err = fmt.Fprintf(s.out, "report  %s\nplots   %s\n", doc.Report, doc.Plots)
			return err
		},
	}
	f.jsonFlag(c)
	c.Flags().StringVarP(&out, "output", "o", "", "folder to draw into (default: the result's own)")
	return c
}
