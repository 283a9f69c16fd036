// Package summarycommands has the commands of summaries: reduce, merge and drift.
package summarycommands

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ident/project"
	"ident/project/summaries"
	"ident/summary"
	"ident/summary/drift"
)

// Hooks are the parts of the program that commands use: settings, the names of its errors and its outputs.
type Hooks struct {
	Resolve   func(files ...string) (*project.Settings, error) // the settings of the command line and of the project file beside files
	Robot     func() string                                    // the robot file that was named, "" for none
	JSON      func() bool
	Usage     func(format string, a ...any) error // wrong usage
	Out, Data io.Writer                           // text, and documents
	Progress  func(stage string, done, total int)
	End       func() // of the progress
	During    func(work string, do func() error) error
	Command   string // the command line, for pages
}

// NewReduce is ident reduce, without the flags of settings.
func NewReduce(h *Hooks) *cobra.Command {
	var out, like, start string
	var all, force bool
	c := &cobra.Command{
		Use:   "reduce LOG...",
		Short: "what fits need of logs, as a small file",
		Long: `Reduce logs to a summary: the triangular factors of their time blocks, with the robot, the model
and the signal path that they belong to. ident fit takes summaries in the place of logs, ident
merge makes one of several. The signal path is decided on the logs, or is that of another summary
(--like): summaries merge only where it is the same.`,
		Example: `  ident reduce log.csv --robot arm.urdf -o part1.idr
  ident reduce other.csv --robot arm.urdf --like part1.idr -o part2.idr
  ident fit part1.idr part2.idr -o both.ident`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return h.Usage("give a file for the summary with -o")
			}
			p, err := h.Resolve(append(args, h.Robot())...)
			if err != nil {
				return err
			}
			defer h.End()
			opt := summaries.Options{RobotGiven: h.Robot() != "", AllBlocks: all, Force: force, Progress: h.Progress}
			if start != "" {
				if len(args) > 1 {
					return h.Usage("--start is that of one log: reduce each alone, and merge")
				}
				if opt.Start, err = calendarTime(start); err != nil {
					return h.Usage("--start: %w", err)
				}
			}
			if like != "" {
				if opt.Like, err = summaries.Open(like); err != nil {
					return err
				}
			}
			sum, err := summaries.Of(c.Context(), p, args, opt)
			if err != nil {
				return err
			}
			h.End()
			return h.write(sum, out)
		},
	}
	fl := c.Flags()
	fl.StringVar(&like, "like", "", "summary whose signal path these logs take")
	fl.StringVar(&start, "start", "", "time of the log's first row, 2026-03-02 or 2026-03-02T08:30:00Z, where its clock has no date")
	fl.BoolVar(&all, "all-blocks", false, "keep all time blocks: larger files, and the blocks of a fit of the logs")
	fl.BoolVar(&force, "force", false, "reduce in spite of errors that the check finds")
	fl.StringVarP(&out, "output", "o", "", "file for the summary, part.idr")
	return c
}

// NewMerge is ident merge.
func NewMerge(h *Hooks) *cobra.Command {
	var out string
	var most int
	c := &cobra.Command{
		Use:   "merge PART.idr...",
		Short: "one summary of several",
		Long: `Merge summaries of one robot, model and signal path. The order does not matter: the runs of the
summary are in the order of their begin and name, and the bytes are the same.`,
		Example: `  ident merge part1.idr part2.idr -o both.idr`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return h.Usage("give a file for the summary with -o")
			}
			if err := project.CheckPaths(args); err != nil {
				return err
			}
			sum, err := openSummaries(c.Context(), args)
			if err != nil {
				return err
			}
			return h.write(sum.Coarsen(most), out)
		},
	}
	c.Flags().IntVar(&most, "blocks", 0, "merge time blocks by pairs until a run has at most so many, and all runs 8 at least (0 keeps all)")
	c.Flags().StringVarP(&out, "output", "o", "", "file for the summary")
	return c
}

// write writes the file of a summary and tells of it.
func (h *Hooks) write(sum *summary.Summary, path string) error {
	if err := summaries.Write(path, sum); err != nil {
		return err
	}
	doc := summaries.Describe(sum, path)
	if h.JSON() {
		return project.WriteJSON(h.Data, doc)
	}
	return doc.Print(h.Out)
}

// calendarTime reads a date or a time of RFC 3339, in seconds since 1970-01-01 UTC.
func calendarTime(text string) (float64, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		if t, err = time.Parse(time.RFC3339, text); err != nil {
			return 0, fmt.Errorf("%q is no date like 2026-03-02 and no time like 2026-03-02T08:30:00Z", text)
		}
	}
	return float64(t.Unix()), nil
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

// NewDrift is ident drift.
func NewDrift(h *Hooks) *cobra.Command {
	var window, page string
	c := &cobra.Command{
		Use:   "drift PART.idr...",
		Short: "changes of the parameters over months",
		Long: `Fit windows of time of summaries, each alone, and look for parameters that changed: a step at an
unknown window, by the generalised likelihood ratio, with a chance of 5 % for any false one.`,
		Example: `  ident drift year.idr --window 7d --html drift.html`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			seconds, err := windowSeconds(window)
			if err != nil {
				return h.Usage("--window: %w", err)
			}
			if err := project.CheckPaths(args); err != nil {
				return err
			}
			var report *drift.Report
			var sum *summary.Summary
			err = h.During("fitting windows", func() (err error) {
				if sum, err = openSummaries(c.Context(), args); err != nil {
					return err
				}
				report, err = drift.Of(c.Context(), sum, seconds)
				return err
			})
			if err != nil {
				return err
			}
			if page != "" {
				if err := summaries.WriteDriftPage(page, h.Command, sum, report); err != nil {
					return err
				}
			}
			if h.JSON() {
				return project.WriteJSON(h.Data, report)
			}
			return report.Print(h.Out)
		},
	}
	c.Flags().StringVar(&window, "window", "7d", "length of the windows: 7d, 12h, 90s")
	c.Flags().StringVar(&page, "html", "", "file for a page with the changes and the parameters over time")
	return c
}

// openSummaries reads and merges summaries.
func openSummaries(ctx context.Context, paths []string) (*summary.Summary, error) {
	var parts []*summary.Summary
	for _, path := range paths {
		part, err := summaries.Open(path)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, part); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return summary.Merge(parts...)
}
