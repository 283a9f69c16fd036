package main

import (
	"fmt"
	"path/filepath"

	"ident/cmd/ident/internal/table"
	"ident/identify/folder"
	"ident/mechanics/loads"
	"ident/report"
	"ident/report/loadsection"
	"ident/result"
)

// present prints a result: as JSON, or as the summary, in full where that is asked for, with the loads of its motions
// and the place of the report.
func present(s streams, res *result.Result, demands []*loads.Report, asJSON, full bool, dir string) error {
	if asJSON {
		return folder.WriteJSON(s.data, res)
	}
	if full {
		report.Text(s.out, res, s.wide)
		for _, r := range demands {
			fmt.Fprintf(s.out, "\nLoads of %s\n\n", r.Motion)
			if err := table.Loads(s.out, r); err != nil {
				return err
			}
		}
	} else {
		report.Summary(s.out, res, s.wide)
		for _, r := range demands {
			fmt.Fprintf(s.out, "loads of %s: %s\n", r.Motion, loadsection.Gist(r))
		}
	}
	if dir != "" {
		fmt.Fprintf(s.out, "\nresult  %s\nreport  %s\n", dir, filepath.Join(dir, folder.ReportFile))
	}
	return nil
}
