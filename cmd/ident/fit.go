package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/doctor"
	"ident/identify"
	"ident/loads"
	"ident/project"
	"ident/project/candidates"
	"ident/project/summaries"
	"ident/project/workload"
	"ident/result"
)

func newFit(s streams) *cobra.Command {
	f := s.flags()
	var out string
	var force, running, full, quiet, plots, candidates, loaded bool
	var bend elasticFlags
	c := &cobra.Command{
		Use:   "fit LOG...",
		Short: "identify the base parameters of a robot from its logs",
		Long: `Identify the base parameters of a robot from its logs.

The logs are checked first (ident check does the same alone); an error there ends
the fit. The result is a folder with result.json, residuals.parquet, the robot as
read and report.html, with --plots the plots as files too; by default LOG.ident beside
the first log, or in the current folder where nothing can be written there.`,
		Example: `  ident fit log.csv --robot arm.urdf
  ident fit run2.csv run3.csv --robot arm.urdf --validate run1.csv --cutoff 8
  ident fit log.parquet --train-fraction 0.6 --cutoff 10 -o result
  ident fit log.csv --robot arm.urdf --model dynamic,energy,power,filtered,momentum
  ident fit part1.idr other.csv -o both.ident
  cat log.csv | ident fit - --robot arm.urdf --follow --memory 60`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s := s
			if quiet {
				s.out, s.err, s.terminal = io.Discard, io.Discard, false
			}
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			opt := fitOptions{out: out, force: force, drawing: project.Drawing{Plots: plots, Command: s.command}, robotGiven: f.robot() != "", candidates: candidates}
			if c.Flags().Changed("loads") {
				opt.loads = &loaded
			}
			if loaded && (running || several(p.Model)) {
				return usagef("--loads goes with one model, and with logs that end: leave out --follow")
			}
			if running {
				return follow(c.Context(), s, p, args, opt, f.json)
			}
			given := args
			args, done, err := s.input(c.Context(), given)
			if err != nil {
				return err
			}
			defer done()
			if given[0] == "-" && opt.out == "" {
				opt.out = project.DefaultFolder(filepath.Base(args[0])) // of no folder of its own
			}
			if done, err := bend.fit(c, s, p, args, opt, f.json); done {
				return err
			}
			if slices.ContainsFunc(args, summaries.Is) {
				outcome, folder, err := fitSummaries(c.Context(), s, p, args, opt)
				if err != nil {
					return err
				}
				return verdictOf(&outcome.Result, present(s, &outcome.Result, nil, f.json, full, folder))
			}
			if several(p.Model) {
				return fitModels(c.Context(), s, p, args, opt, f.json)
			}
			outcome, demands, folder, err := fit(c.Context(), s, p, args, opt)
			if err != nil {
				return err
			}
			return verdictOf(&outcome.Result, present(s, &outcome.Result, demands, f.json, full, folder))
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
	f.settings(c, project.Estimate, project.TermData, project.BodyRules)
	bend.add(c)
	fl.BoolVar(&running, "follow", false, "read a growing CSV log, or - for standard input, and print the running estimate (with --json one document a line)")
	fl.BoolVar(&force, "force", false, "fit in spite of errors that the check finds")
	fl.BoolVar(&plots, "plots", false, "write the plots as SVG and PNG files too (ident plot does it later)")
	fl.BoolVar(&candidates, "candidates", false, "fit the candidates that were not chosen too, and compare them in the report")
	fl.BoolVar(&loaded, "loads", false, "compute torque, power and bearing loads of the logs' motion for the report (default where the robot file has motors or sections)")
	fl.BoolVarP(&full, "verbose", "v", false, "print all tables: parameters, bodies, statistics, notes and verdicts")
	fl.BoolVarP(&quiet, "quiet", "q", false, "print nothing but errors")
	fl.StringVarP(&out, "output", "o", "", "folder for the result (default LOG.ident)")
	return c
}

// verdictOf is the end of a fit whose result was shown with an error or none.
func verdictOf(res *result.Result, err error) error {
	if err == nil && res.Failed() {
		return errVerdict
	}
	return err
}

// fitOptions are the options of a fit that are no settings of a project.
type fitOptions struct {
	out        string
	force      bool
	drawing    project.Drawing
	robotGiven bool
	candidates bool
	loads      *bool // nil for those of a robot file with motors or sections
}

// fit runs the whole of `ident fit` and returns the loads of its motions and the folder that it wrote.
func fit(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions) (*identify.Outcome, []*loads.Report, string, error) {
	job, err := loadFit(ctx, s, p, paths, opt)
	if err != nil {
		return nil, nil, "", err
	}
	defer job.close()
	outcome, err := identify.Fit(ctx, job.Session.Robot, job.Terms, job.Train, job.Validate, job.cfg)
	if err != nil {
		return nil, nil, "", err
	}
	if err := job.Complete(ctx, outcome, Version, job.warnings); err != nil {
		return nil, nil, "", err
	}
	if opt.candidates {
		if job.drawing.Compared, err = candidates.Compare(ctx, job.Job, outcome, paths, opt.robotGiven, job.bar.report); err != nil {
			return nil, nil, "", err
		}
	}
	if opt.loads == nil && workload.Declares(job.Session.Robot) || opt.loads != nil && *opt.loads {
		var missing []string
		if job.drawing.Loads, missing, err = workload.OfFit(ctx, job.Job, outcome); err != nil {
			return nil, nil, "", err
		}
		for _, m := range missing {
			s.warn("%s", m)
		}
	}
	job.bar.end()
	return outcome, job.drawing.Loads, job.folder, s.during("writing the result and its report", func() error {
		return project.WriteResult(ctx, job.folder, outcome, job.Session.Source, job.drawing)
	})
}

// fitJob is a fit whose logs are open and checked, and where its result goes.
type fitJob struct {
	*project.Job
	folder   string
	drawing  project.Drawing
	cfg      identify.Config
	warnings []string
	bar      *progress
}

func (j *fitJob) close() {
	j.bar.end()
	j.Close()
}

// loadFit opens and checks the logs of a fit, and prints the findings.
func loadFit(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions) (*fitJob, error) {
	boundMemory(len(paths))
	folder, err := checkCall(s, p, paths, opt)
	if err != nil {
		return nil, err
	}
	bar := &progress{s: s}
	p.Progress = bar.report
	open, err := project.OpenFit(ctx, p, paths, opt.robotGiven)
	bar.end()
	if err != nil {
		return nil, err
	}
	j := &fitJob{Job: open, folder: folder, drawing: opt.drawing, bar: bar}
	if err := j.examine(ctx, s, p, opt.force); err != nil {
		j.close()
		return nil, err
	}
	if j.cfg, err = j.Config(); err != nil {
		j.close()
		return nil, err
	}
	j.cfg.Progress = j.bar.report
	if err := j.ChooseCoupling(ctx, j.cfg); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// checkCall refuses a call that cannot be carried out, before any log is read, and
// returns the folder of the result.
func checkCall(s streams, p *project.Settings, paths []string, opt fitOptions) (string, error) {
	kinds, err := project.Models(p)
	if err != nil {
		return "", err
	}
	if err := project.CheckFit(p); err != nil {
		return "", err
	}
	if err := project.CheckPaths(paths, p.Validate); err != nil {
		return "", err
	}
	return resultFolder(s, opt.out, paths[0], kinds)
}

// examine has the doctor read the logs, prints its warnings and refuses errors, unless
// they are repaired on the way or the fit is forced.
func (j *fitJob) examine(ctx context.Context, s streams, p *project.Settings, force bool) error {
	found, err := j.Examine(ctx, j.bar.report)
	if err != nil {
		return err
	}
	j.bar.end()
	j.warnings = j.Session.Warnings
	for _, group := range groupFindings(found) {
		if group[0].Severity != doctor.Info {
			j.warnings = append(j.warnings, groupLine(group))
		}
	}
	if errors := project.Refused(p, found); len(errors) > 0 && !force {
		var refused []string
		for _, group := range groupFindings(errors) {
			refused = append(refused, groupLine(group))
		}
		return fmt.Errorf("the check found errors, which a fit would turn into wrong parameters:\n  %s\nmend them as said, or fit in spite of them with --force", strings.Join(refused, "\n  "))
	}
	for _, w := range j.warnings {
		s.warn("%s", w)
	}
	adviseCutoff(s, p, found)
	return nil
}

// resultFolder is where a fit's result goes, and a place that can be written:
// it is better to hear so before a long fit than after it. Logs often lie where
// nobody may write; without -o the result then goes into the current folder.
func resultFolder(s streams, out, log string, kinds []identify.Kind) (string, error) {
	check := func(folder string) error {
		if len(kinds) == 1 {
			return project.CheckResultFolder(folder)
		}
		for _, k := range kinds {
			if err := project.CheckResultFolder(filepath.Join(folder, string(k))); err != nil {
				return err
			}
		}
		return nil
	}
	if out != "" {
		return out, check(out)
	}
	folder := project.DefaultFolder(log)
	err := check(folder)
	if err == nil || errors.Is(err, project.ErrNotResult) {
		return folder, err
	}
	here := filepath.Base(folder)
	if err := check(here); err != nil {
		return "", err
	}
	s.note("nothing can be written beside %s: the result goes to %s", log, here)
	return here, nil
}
