package main

import (
	"github.com/spf13/cobra"

	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/report"
	"ident/result"
)

func newCompare(s streams) *cobra.Command {
	f := s.flags()
	var logs []string
	var asJSON, full bool
	var html string
	c := &cobra.Command{
		Use:   "compare RESULT RESULT...",
		Short: "compare results: parameters with intervals, errors on the same logs",
		Long: `Put results side by side, or a result and a robot file. The first result is the reference:
its base parameters are compared one by one with those of the others, through the relations
of both sets where these differ. A difference is significant where chance would make one like
it among all of them with a probability of 5 % (Holm's procedure). Estimates of the same rows
are not independent: their difference then has the largest deviation that it can have.

Errors compare on the same rows of a log: of the validation runs that the results share, or
of the logs of --validate, which every side then predicts through the filter of the first.

A folder of results of different robots is listed, by robot, with grades and errors.`,
		Example: `  ident compare monday.ident friday.ident
  ident compare monday.ident friday.ident --html week.html
  ident compare log.ident arm.urdf -v
  ident compare monday.ident friday.ident --validate other.csv --json`,
		Args: compareArgs,
		RunE: func(c *cobra.Command, args []string) error {
			p := new(project.Settings)
			if err := f.apply(p); err != nil {
				return err
			}
			if err := p.CheckReadings(logs...); err != nil {
				return err
			}
			bar := &progress{s: s}
			var got *result.Comparison
			compare := func() (err error) {
				got, err = identify.Compare(c.Context(), args, identify.CompareOptions{Logs: logs, Readings: p.Readings, Progress: bar.report, Seals: s.inUse.seals})
				bar.end()
				return err
			}
			err := error(nil)
			if len(logs) > 0 { // the bar tells how far the predictions are
				err = compare()
			} else {
				err = s.during("comparing", compare)
			}
			if err != nil {
				return err
			}
			if html != "" {
				if err := identify.WriteComparePage(html, got, s.command); err != nil {
					return err
				}
			}
			if asJSON {
				return folder.WriteJSON(s.data, got)
			}
			report.CompareText(s.out, got, full, s.wide)
			if len(got.Logs) == 0 && len(got.Parameters) > 0 {
				s.note("--validate LOG has every side predict a log, and compares the errors")
			}
			return nil
		},
	}
	f.setting(c, entry("logs"))
	fl := c.Flags()
	fl.StringArrayVar(&logs, "validate", nil, "log that every side predicts anew (repeatable)")
	fl.StringVar(&html, "html", "", "page to write: what differs, parameters with intervals, errors")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document to standard output")
	fl.BoolVarP(&full, "verbose", "v", false, "print all parameters, reasons and notes")
	return c
}

// compareArgs takes two inputs, or one folder of several results.
func compareArgs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("two results are needed, a result and a robot file, or a folder of several results")
	}
	return nil
}
