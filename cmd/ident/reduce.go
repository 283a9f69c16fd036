package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ident/estimate/summary"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
)

func newReduce(s streams) *cobra.Command {
	f, bar := s.flags(), &progress{s: s}
	var out, like, start string
	var all, force bool
	c := &cobra.Command{
		Use:   "reduce LOG...",
		Short: "reduce logs to a summary that fits can use",
		Long: `Reduce logs to a summary: the triangular factors of their time blocks, with the robot, the model
and the signal path that they belong to. ident fit takes summaries instead of logs, ident
merge makes one of several. The signal path is decided on the logs, or is that of another summary
(--like): summaries merge only where it is the same.`,
		Example: `  ident reduce log.csv --robot arm.urdf -o part1.idr
  ident reduce other.csv --robot arm.urdf --like part1.idr -o part2.idr
  ident fit part1.idr part2.idr -o both.ident`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usagef("give a file for the summary with -o")
			}
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			defer bar.end()
			opt := identify.ReduceOptions{AllBlocks: all, Force: force}
			if start != "" {
				if len(args) > 1 {
					return usagef("--start dates one log: reduce each log alone, then merge the summaries")
				}
				if opt.Start, err = calendarTime(start); err != nil {
					return usagef("--start: %w", err)
				}
			}
			if like != "" {
				if opt.Like, err = identify.OpenSummary(like); err != nil {
					return err
				}
			}
			job := identify.New(p, f.robot() != "", args...)
			job.Progress = bar.report
			sum, err := job.Reduce(c.Context(), opt)
			if err != nil {
				return err
			}
			bar.end()
			return s.writeSummary(f, sum, out)
		},
	}
	fl := c.Flags()
	fl.StringVar(&like, "like", "", "summary whose signal path these logs take")
	fl.StringVar(&start, "start", "", "time of the log's first row, 2026-03-02 or 2026-03-02T08:30:00Z, where its clock has no date")
	fl.BoolVar(&all, "all-blocks", false, "keep all time blocks: larger files, and the blocks of a fit of the logs")
	fl.BoolVar(&force, "force", false, "reduce in spite of errors that the check finds, and read a result that was changed after it was written")
	fl.StringVarP(&out, "output", "o", "", "file for the summary, part.idr")
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.RobotFile, project.Logs, project.Processing, project.Random)
	f.jsonFlag(c)
	return c
}

// writeSummary writes the file of a summary and tells of it.
func (s streams) writeSummary(f *flags, sum *summary.Summary, path string) error {
	if err := identify.WriteSummary(path, sum); err != nil {
		return err
	}
	doc := identify.DescribeSummary(sum, path)
	if f.json {
		return folder.WriteJSON(s.data, doc)
	}
	return doc.Print(s.out)
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
