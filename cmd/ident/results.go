package main

import (
	"fmt"
	"path/filepath"

	"ident/estimate"
	"ident/project"
	"ident/report"
)

// present prints a result: as JSON, or as the summary with the place of the
// report.
func present(s streams, res *estimate.Result, asJSON bool, folder string) error {
	if asJSON {
		return project.WriteJSON(s.out, res)
	}
	report.Text(s.out, res)
	if folder != "" {
		fmt.Fprintf(s.out, "\nresult  %s\nreport  %s\n", folder, filepath.Join(folder, project.ReportFile))
	}
	return nil
}
