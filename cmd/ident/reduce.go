package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/summarycommands"
	"ident/identify"
	"ident/project"
	"ident/project/summaries"
)

// hooks are those of the commands of summaries.
func (s streams) hooks(f *flags) *summarycommands.Hooks {
	bar := &progress{s: s}
	return &summarycommands.Hooks{Resolve: f.resolve, Robot: f.robot, JSON: func() bool { return f.json }, Usage: usagef, Out: s.out, Data: s.data, Progress: bar.report, End: bar.end, During: s.during, Command: s.command}
}

func newReduce(s streams) *cobra.Command {
	f := s.flags()
	c := summarycommands.NewReduce(s.hooks(f))
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.RobotFile, project.Logs, project.Processing, project.Random)
	f.jsonFlag(c)
	return c
}

// ofSummaries is a command that reads summaries alone.
func (s streams) ofSummaries(command func(*summarycommands.Hooks) *cobra.Command) *cobra.Command {
	f := s.flags()
	c := command(s.hooks(f))
	f.jsonFlag(c)
	return c
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
	fitted, err := summaries.FitFiles(ctx, p, paths, summaries.Options{RobotGiven: opt.robotGiven, Force: opt.force, Progress: bar.report})
	if err != nil {
		return nil, "", err
	}
	bar.end()
	return fitted.Outcome, folder, s.during("writing the result and its report", func() error {
		return project.WriteResult(ctx, filepath.Clean(folder), fitted.Outcome, fitted.Source, opt.drawing)
	})
}
