package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/project"
	"ident/regressor"
)

func newFit(s streams) *cobra.Command {
	f := new(flags)
	var out string
	var force, running bool
	c := &cobra.Command{
		Use:   "fit LOG...",
		Short: "identify the base parameters of a robot from its logs",
		Long: `Identify the base parameters of a robot from its logs.

The logs are checked first (ident check does the same alone); an error there ends
the fit. The result is a folder with result.json, residuals.parquet, the robot as
read, report.html and plots; by default LOG.ident beside the first log, or in the
current folder where nothing can be written there.`,
		Example: `  ident fit log.csv --robot arm.urdf
  ident fit run2.csv run3.csv --robot arm.urdf --validate run1.csv --cutoff 8
  ident fit log.parquet --train-fraction 0.6 --cutoff 10 -o result
  ident fit log.csv --robot arm.urdf --model dynamic,energy,power,filtered,momentum
  logger | ident fit - --robot arm.urdf --follow --memory 60`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			opt := fitOptions{out: out, force: force, robotGiven: f.robot() != ""}
			if running {
				return follow(c.Context(), s, p, args, opt, f.json)
			}
			if several(p.Model) {
				return fitModels(c.Context(), s, p, args, opt, f.json)
			}
			outcome, folder, err := fit(c.Context(), s, p, args, opt)
			if err != nil {
				return err
			}
			if err := present(s, &outcome.Result, f.json, folder); err != nil {
				return err
			}
			if outcome.Result.Failed() {
				return errVerdict
			}
			return nil
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
	completeWith(c, "estimator", project.EstimatorNames()...)
	fl.BoolVar(&running, "follow", false, "read a growing CSV log, or - for standard input, and print the running estimate (with --json one document a line)")
	fl.BoolVar(&force, "force", false, "fit in spite of errors that the check finds")
	fl.StringVarP(&out, "output", "o", "", "folder for the result (default LOG.ident)")
	return c
}

// fitOptions is what a fit needs beside the project.
type fitOptions struct {
	out        string
	force      bool
	robotGiven bool
}

// fit runs the whole of `ident fit` and returns the folder that it wrote.
func fit(ctx context.Context, s streams, p *project.Settings, paths []string, opt fitOptions) (*identify.Outcome, string, error) {
	job, err := loadFit(s, p, paths, opt)
	if err != nil {
		return nil, "", err
	}
	defer job.close()
	outcome, err := identify.Fit(ctx, job.ses.Robot, job.terms, job.train, job.validate, job.cfg)
	if err != nil {
		return nil, "", err
	}
	job.bar.end()
	return outcome, job.folder, job.write(outcome, job.folder)
}

// fitJob is a fit whose logs are open and checked.
type fitJob struct {
	p               *project.Settings
	folder          string
	ses             *project.Session
	terms           []regressor.Term
	train, validate []identify.Run
	cfg             identify.Config
	warnings        []string
	logs            []*datasets.Log
	bar             *progress
}

func (j *fitJob) close() {
	j.bar.end()
	project.CloseLogs(j.logs)
}

// loadFit opens and checks what is to be fitted.
func loadFit(s streams, p *project.Settings, paths []string, opt fitOptions) (_ *fitJob, err error) {
	j := &fitJob{p: p, bar: &progress{s: s}}
	defer func() {
		if err != nil {
			j.close()
		}
	}()
	kinds, err := project.Models(p)
	if err != nil {
		return nil, err
	}
	if err := project.CheckFit(p); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, path := range append(append([]string(nil), paths...), p.Validate...) {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if seen[abs] {
			return nil, usagef("%s is given twice: the same samples cannot count twice, nor train and validate", path)
		}
		seen[abs] = true
	}
	j.folder, err = resultFolder(s, opt.out, paths[0], kinds)
	if err != nil {
		return nil, err
	}
	j.logs, err = project.OpenLogs(p, paths)
	if err != nil {
		return nil, err
	}
	unseen, err := project.OpenLogs(p, p.Validate)
	if err != nil {
		return nil, err
	}
	trained := len(j.logs)
	j.logs = append(j.logs, unseen...)
	r, err := project.FindRobot(p, opt.robotGiven, j.logs...)
	if err != nil {
		return nil, err
	}
	j.terms, err = project.ParseTerms(p, regressor.DefaultTerms())
	if err != nil {
		return nil, err
	}
	ses, err := project.Prepare(p, r, j.logs, project.UseOf(j.terms))
	if err != nil {
		return nil, err
	}
	if j.terms, err = p.CompleteTerms(j.terms, ses.Robot); err != nil {
		return nil, err
	}
	if err := p.Supply(ses.Runs, j.terms); err != nil {
		return nil, err
	}
	consistent, prior, err := p.Bodies(ses)
	if err != nil {
		return nil, err
	}
	if err := project.CheckRows(p, ses.Runs); err != nil {
		return nil, err
	}
	train, validate := ses.Runs[:trained], ses.Runs[trained:]
	if p.TrainFraction > 0 {
		var rest []identify.Run
		train, rest = project.Split(train, p.TrainFraction)
		validate = append(rest, validate...)
	}
	warnings := ses.Warnings
	found, err := project.CheckRuns(p, ses.Robot, append(append([]identify.Run(nil), train...), validate...), j.bar.report, len(train))
	if err != nil {
		return nil, err
	}
	j.bar.end()
	var refused []string
	for _, group := range groupFindings(found) {
		fd := group[0]
		line := groupLine(group)
		switch {
		case fd.Severity == doctor.Error && !opt.force && !(p.OnBad == "drop" && repairable(fd.ID)):
			refused = append(refused, line)
		case fd.Severity != doctor.Info:
			warnings = append(warnings, line)
		}
	}
	if len(refused) > 0 {
		return nil, fmt.Errorf("the check found errors, which a fit would turn into wrong parameters:\n  %s\nmend them as said, or fit in spite of them with --force", strings.Join(refused, "\n  "))
	}
	for _, w := range warnings {
		s.warn("%s", w)
	}
	if p.OnBad == "drop" {
		for _, runs := range [][]identify.Run{train, validate} {
			for i := range runs {
				runs[i].Bounds = doctor.Bounds(ses.Robot, runs[i].Roles)
			}
		}
	}
	adviseCutoff(s, p, found)
	j.cfg = project.ConfigOf(p, train[0].Log, train[0].Roles.T)
	j.cfg.Progress, j.cfg.Model, j.cfg.Known = j.bar.report, kinds[0], p.Known
	j.cfg.Consistent, j.cfg.Prior, j.cfg.Immobile = consistent, prior, project.LinksOf(ses.Robot, p.Immobile)
	j.cfg.Unactuated = project.LinksOf(ses.Robot, p.Unactuated)
	project.SetEstimator(&j.cfg, p, project.RateOf(train[0].Log, train[0].Roles.T), prior)
	if j.cfg.Servo, err = project.Servo(p, len(train[0].Roles.Q)); err != nil {
		return nil, err
	}
	j.ses, j.train, j.validate, j.warnings = ses, train, validate, warnings
	return j, nil
}

// write completes a result with what the job knows, and writes its folder.
func (j *fitJob) write(outcome *identify.Outcome, folder string) error {
	ses := j.ses
	res := &outcome.Result
	res.Version = Version
	res.Warnings = append(slices.Clone(j.warnings), res.Warnings...)
	res.Notes = append(append(slices.Clone(ses.Notes), project.NoteTexts(ses.Source)...), res.Notes...)
	if outcome.Dropped > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d rows could not be used and were left out", outcome.Dropped))
	}
	res.Locked = append(res.Locked, slices.Sorted(maps.Keys(ses.Locked))...)
	if len(ses.Locked) > 0 {
		res.Processing.Lock = ses.Locked
	}
	kept := *j.p
	kept.Lock, kept.Model, kept.Terms = ses.Locked, res.Model, res.Terms
	res.Configuration = kept.Record()
	return project.WriteResult(folder, outcome, ses.Source)
}

// repairable tells which findings --on-bad drop takes care of.
func repairable(id string) bool {
	switch id {
	case "dropout", "spike", "clock-repeat", "clock-backward":
		return true
	}
	return false
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
