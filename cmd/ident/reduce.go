package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"ident/identify"
	"ident/project"
	"ident/project/summaries"
	"ident/summary"
)

func newReduce(s streams) *cobra.Command {
	f := s.flags()
	var out, like string
	var all, force bool
	c := &cobra.Command{
		Use:   "reduce LOG...",
		Short: "what fits need of logs, as a small file",
		Long: `Reduce logs to a summary: the triangular factors of their time blocks, with the robot, the model and
the signal path that they belong to. ident fit takes summaries in the place of logs, ident merge
makes one of several. The signal path is decided on the logs, or is that of another summary (--like):
summaries merge only where it is the same.`,
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
			bar := &progress{s: s}
			defer bar.end()
			opt := summaries.Options{RobotGiven: f.robot() != "", AllBlocks: all, Force: force, Progress: bar.report}
			if like != "" {
				if opt.Like, err = summaries.Open(like); err != nil {
					return err
				}
			}
			sum, err := summaries.Of(c.Context(), p, args, opt)
			if err != nil {
				return err
			}
			bar.end()
			return s.writeSummary(sum, out, f.json)
		},
	}
	f.settings(c, project.RobotFile)
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.Logs)
	f.settings(c, project.Processing)
	f.settings(c, project.Random)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&like, "like", "", "summary whose signal path these logs take")
	fl.BoolVar(&all, "all-blocks", false, "keep all time blocks: larger files, and the blocks of a fit of the logs")
	fl.BoolVar(&force, "force", false, "reduce in spite of errors that the check finds")
	fl.StringVarP(&out, "output", "o", "", "file for the summary, part.idr")
	return c
}

func newMerge(s streams) *cobra.Command {
	var out string
	var most int
	f := s.flags()
	c := &cobra.Command{
		Use:   "merge PART.idr...",
		Short: "one summary of several",
		Long: `Merge summaries of one robot, model and signal path. The order does not matter: the runs of the
summary are in the order of their begin and name, and the bytes are the same.`,
		Example: `  ident merge part1.idr part2.idr -o both.idr`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usagef("give a file for the summary with -o")
			}
			if err := project.CheckPaths(args); err != nil {
				return err
			}
			var parts []*summary.Summary
			for _, path := range args {
				part, err := summaries.Open(path)
				if err != nil {
					return err
				}
				parts = append(parts, part)
			}
			sum, err := summary.Merge(parts...)
			if err != nil {
				return err
			}
			return s.writeSummary(sum.Coarsen(most), out, f.json)
		},
	}
	f.jsonFlag(c)
	c.Flags().IntVar(&most, "blocks", 0, "merge time blocks by pairs until a run has at most so many, but 16 at least (0 keeps all)")
	c.Flags().StringVarP(&out, "output", "o", "", "file for the summary")
	return c
}

// writeSummary writes the file of a summary and tells of it.
func (s streams) writeSummary(sum *summary.Summary, path string, asJSON bool) error {
	if err := summaries.Write(path, sum); err != nil {
		return err
	}
	doc := summaries.Describe(sum, path)
	if asJSON {
		return project.WriteJSON(s.data, doc)
	}
	return doc.Print(s.out)
}

// anySummary tells whether one of the inputs of a fit is a summary.
func anySummary(paths []string) bool {
	for _, path := range paths {
		if summaries.Is(path) {
			return true
		}
	}
	return false
}

// fitSummaries is ident fit of summaries, and of logs beside them.
func fitSummaries(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions) (*identify.Outcome, string, error) {
	kinds, err := project.Models(p)
	if err != nil {
		return nil, "", err
	}
	folder, err := resultFolder(s, opt.out, paths[0], kinds)
	if err != nil {
		return nil, "", err
	}
	bar := &progress{s: s}
	defer bar.end()
	sum, err := summaries.Gather(ctx, p, paths, summaries.Options{RobotGiven: opt.robotGiven, Force: opt.force, Progress: bar.report})
	if err != nil {
		return nil, "", err
	}
	fitted, err := summaries.Fit(ctx, sum, p)
	if err != nil {
		return nil, "", err
	}
	bar.end()
	return fitted.Outcome, folder, s.during("writing the result and its report", func() error {
		return project.WriteResult(ctx, filepath.Clean(folder), fitted.Outcome, fitted.Source, opt.drawing)
	})
}
