package main

import (
	"fmt"
	"path/filepath"

	"ident/project"
	"ident/report"
	"ident/result"
)

// present prints a result: as JSON, or as the summary, in full where that is asked for, with the place of
// the report.
func present(s streams, res *result.Result, asJSON, full bool, folder string) error {
	if asJSON {
		return project.WriteJSON(s.data, res)
	}
	show := report.Summary
	if full {
		show = report.Text
	}
	show(s.out, res)
	if folder != "" {
		fmt.Fprintf(s.out, "\nresult  %s\nreport  %s\n", folder, filepath.Join(folder, project.ReportFile))
	}
	return nil
}
