package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ident/estimate/summary"
	"ident/identify"
	"ident/identify/project"
	"ident/internal/hint"
)

func newMerge(s streams) *cobra.Command {
	f := s.flags()
	var out string
	var blocks int
	c := &cobra.Command{
		Use:   "merge PART.idr...",
		Short: "merge several summaries into one",
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
			sum, err := openSummaries(c.Context(), args)
			if err != nil {
				return err
			}
			return s.writeSummary(f, sum.Coarsen(blocks), out)
		},
	}
	addNumber(c.Flags(), &blocks, "blocks", "", 0, 0, 1_000_000, "merge time blocks in pairs until each run has at most this many, and all runs together at least 8 (0 keeps all)")
	c.Flags().StringVarP(&out, "output", "o", "", "file for the summary")
	f.jsonFlag(c)
	return c
}

// openSummaries reads and merges summaries.
func openSummaries(ctx context.Context, paths []string) (*summary.Summary, error) {
	var parts []*summary.Summary
	for _, path := range paths {
		part, err := identify.OpenSummary(path)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, part); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	sum, err := summary.Merge(parts...)
	var other *summary.DifferenceError
	if errors.As(err, &other) && other.Part != "robot" {
		for i, p := range parts {
			if len(p.Runs) > 0 && p.Runs[0].Name == other.Other {
				return nil, fmt.Errorf("%w:\n  ident reduce %s --like %s -o %s", err, hint.Word(other.Other), hint.Word(paths[0]), hint.Word(paths[i]))
			}
		}
	}
	return sum, err
}
