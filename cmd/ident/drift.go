package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ident/estimate/summary"
	"ident/estimate/summary/drift"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
)

func newDrift(s streams) *cobra.Command {
	f := s.flags()
	var window, page string
	c := &cobra.Command{
		Use:   "drift PART.idr...",
		Short: "find changes of the parameters over months",
		Long: `Fit windows of time of summaries, each alone, and look for parameters that changed: a step at an
unknown window, by the generalised likelihood ratio, with a chance of 5 % for any false one.`,
		Example: `  ident drift year.idr --window 7d --html drift.html`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			seconds, err := windowSeconds(window)
			if err != nil {
				return usagef("--window: %w", err)
			}
			if err := project.CheckPaths(args); err != nil {
				return err
			}
			var report *drift.Report
			var sum *summary.Summary
			err = s.during("fitting windows", func() (err error) {
				if sum, err = openSummaries(c.Context(), args); err != nil {
					return err
				}
				report, err = drift.Of(c.Context(), sum, seconds)
				if i := slices.IndexFunc(sum.Runs, func(r summary.Run) bool { return !r.Absolute }); i >= 0 && errors.Is(err, drift.ErrFew) {
					return fmt.Errorf("%w\nthe clock of log %s has no date: run ident reduce on the log again with the day of its start, --start 2026-03-02 for example", err, sum.Runs[i].Name)
				}
				return err
			})
			if err != nil {
				return err
			}
			if page != "" {
				if err := identify.WriteDriftPage(page, s.command, sum, report); err != nil {
					return err
				}
			}
			if f.json {
				return folder.WriteJSON(s.data, report)
			}
			return report.Print(s.out)
		},
	}
	c.Flags().StringVar(&window, "window", "7d", "length of the windows: 7d, 12h, 90s")
	c.Flags().StringVar(&page, "html", "", "file for a page with the changes and the parameters over time")
	f.jsonFlag(c)
	return c
}

// windowSeconds reads the length of a window: 7d, 12h, 90s.
func windowSeconds(text string) (float64, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n > 0 && n < 1e6 {
			return 86400 * n, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no length of time like 7d, 12h or 90s", text)
	}
	return d.Seconds(), nil
}
