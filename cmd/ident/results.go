package main

import (
	"fmt"
	"path/filepath"

	"ident/project"
	"ident/report"
	"ident/result"
)

// present prints a result: as JSON, or as the summary with the place of the
// report.
func present(s streams, res *result.Result, asJSON bool, folder string) error {
	if asJSON {
		return project.WriteJSON(s.out, res)
	}
	report.Text(s.out, res)
	if folder != "" {
		fmt.Fprintf(s.out, "\nresult  %s\nreport  %s\n", folder, filepath.Join(folder, project.ReportFile))
	}
	return nil
}
