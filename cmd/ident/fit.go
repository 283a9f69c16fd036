package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/regressor"
	"ident/robot"
)

func newFit(s streams) *cobra.Command {
	f := new(flags)
	var out string
	var force bool
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
  ident fit log.parquet --train-fraction 0.6 --cutoff 10 -o result`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.resolve(c, append(args, f.p.Robot)...)
			if err != nil {
				return err
			}
			outcome, folder, err := fit(c.Context(), s, p, args, fitOptions{out: out, force: force, robotGiven: f.p.Robot != ""})
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
	f.robotFile(c)
	f.robotFlags(c)
	f.termFlags(c, "links,Ia,Fv,Fs,Fo")
	f.logFlags(c)
	f.processingFlags(c)
	f.seedFlag(c)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringArrayVar(&f.p.Validate, "validate", nil, "log to validate on (repeatable)")
	fl.Float64Var(&f.p.TrainFraction, "train-fraction", 0, "train on the first part of every log, validate on the rest")
	f.estimatorFlags(c)
	fl.StringVar(&f.p.Model, "model", "", "identification model: dynamic")
	fl.BoolVar(&f.p.MinimumNorm, "minimum-norm", false, "accept logs that do not determine all parameters, with the smallest solution")
	f.body.add(c)
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
func fit(ctx context.Context, s streams, p *project, paths []string, opt fitOptions) (*identify.Outcome, string, error) {
	if p.Model != "" && p.Model != "dynamic" {
		return nil, "", usagef("--model %q: this version has the dynamic model", p.Model)
	}
	if err := checkEstimator(p); err != nil {
		return nil, "", err
	}
	if p.TrainFraction < 0 || p.TrainFraction >= 1 {
		return nil, "", usagef("--train-fraction %g: it lies between 0 and 1", p.TrainFraction)
	}
	if err := p.physical.check(p.Estimator == "map"); err != nil {
		return nil, "", err
	}
	seen := map[string]bool{}
	for _, path := range append(append([]string(nil), paths...), p.Validate...) {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, "", err
		}
		if seen[abs] {
			return nil, "", usagef("%s is given twice: the same samples cannot count twice, nor train and validate", path)
		}
		seen[abs] = true
	}
	folder, err := resultFolder(s, opt.out, paths[0])
	if err != nil {
		return nil, "", err
	}
	logs, err := openLogs(p, paths)
	if err != nil {
		return nil, "", err
	}
	defer closeLogs(logs)
	unseen, err := openLogs(p, p.Validate)
	if err != nil {
		return nil, "", err
	}
	defer closeLogs(unseen)
	trained := len(logs)
	logs = append(logs, unseen...)
	r, err := findRobot(p, opt.robotGiven, logs...)
	if err != nil {
		return nil, "", err
	}
	terms, err := parseTerms(p, regressor.AllTerms())
	if err != nil {
		return nil, "", err
	}
	ses, err := prepare(p, r, logs, toFit)
	if err != nil {
		return nil, "", err
	}
	consistent, prior, err := p.physicalOptions(ses)
	if err != nil {
		return nil, "", err
	}
	if err := checkRowsUsed(p, ses.runs); err != nil {
		return nil, "", err
	}
	train, validate := ses.runs[:trained], ses.runs[trained:]
	if p.TrainFraction > 0 {
		var rest []identify.Run
		train, rest = split(train, p.TrainFraction)
		validate = append(rest, validate...)
	}
	bar := &progress{s: s}
	defer bar.end()
	warnings := ses.warn
	found, err := checkRuns(p, ses.robot, append(append([]identify.Run(nil), train...), validate...), bar, len(train))
	if err != nil {
		return nil, "", err
	}
	bar.end()
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
		return nil, "", fmt.Errorf("the check found errors, which a fit would turn into wrong parameters:\n  %s\nmend them as said, or fit in spite of them with --force", strings.Join(refused, "\n  "))
	}
	for _, w := range warnings {
		s.warn("%s", w)
	}
	if p.OnBad == "drop" {
		for _, runs := range [][]identify.Run{train, validate} {
			for i := range runs {
				runs[i].Bounds = doctor.Bounds(ses.robot, runs[i].Roles)
			}
		}
	}
	cfg := configOf(p, train[0].Log, train[0].Roles.T)
	cfg.Progress = bar.report
	cfg.Consistent, cfg.Prior = consistent, prior
	setEstimator(&cfg, p, rateOf(train[0].Log, train[0].Roles.T), prior)
	outcome, err := identify.Fit(ctx, ses.robot, terms, train, validate, cfg)
	if err != nil {
		return nil, "", err
	}
	bar.end()
	res := &outcome.Result
	res.Version = Version
	res.Warnings = append(warnings, res.Warnings...)
	res.Notes = append(append(ses.notes, noteTexts(ses.source)...), res.Notes...)
	if outcome.Dropped > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d rows could not be used and were left out", outcome.Dropped))
	}
	res.Locked = append(res.Locked, sortedKeys(ses.locked)...)
	if len(ses.locked) > 0 {
		res.Processing.Lock = ses.locked
	}
	kept := *p
	kept.Lock = ses.locked
	for _, t := range terms {
		if len(p.Terms) == 0 {
			kept.Terms = append(kept.Terms, string(t))
		}
	}
	res.Configuration = kept.record()
	return outcome, folder, writeResult(folder, outcome, ses.source)
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
func resultFolder(s streams, out, log string) (string, error) {
	if out != "" {
		return out, writable(out)
	}
	folder := defaultFolder(log)
	if writable(folder) == nil {
		return folder, nil
	}
	here := filepath.Base(folder)
	if err := writable(here); err != nil {
		return "", err
	}
	s.note("nothing can be written beside %s: the result goes to %s", log, here)
	return here, nil
}

// defaultFolder is log.ident for log.parquet and log.csv.gz alike.
func defaultFolder(path string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Clean(path), ".gz"), ".zst")
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".ident"
}

// configOf turns the project's settings into those of an identification.
func configOf(p *project, l *datasets.Log, clock string) identify.Config {
	cfg := identify.Config{Trim: p.trim(), Order: p.FilterOrder, Decimate: p.Decimate, Velocity: p.Velocity, Acceleration: p.Acceleration,
		DropBad: p.OnBad == "drop", MinimumNorm: p.MinimumNorm, Seed: p.Seed}
	switch {
	case p.Cutoff != nil:
		cfg.Cutoff = *p.Cutoff
	case p.Decimate > 1:
	default:
		cfg.Cutoff = identify.DefaultCutoff(rateOf(l, clock))
	}
	cfg.MotionAuto = p.MotionCutoff == nil
	if p.MotionCutoff != nil {
		cfg.MotionCutoff = *p.MotionCutoff
	}
	return cfg
}

// rateOf is the rate of the first rows of a log, in hertz.
func rateOf(l *datasets.Log, clock string) float64 {
	rate := 0.0
	part := l.Slice(0, min(l.Rows(), 4096))
	t, err := part.Column(clock)
	if err == nil && len(t) > 1 && t[len(t)-1] > t[0] {
		rate = float64(len(t)-1) / (t[len(t)-1] - t[0])
	}
	return rate
}

func noteTexts(r *robot.Robot) []string {
	var out []string
	for _, n := range r.Notes {
		out = append(out, n.Where+": "+n.Text)
	}
	return out
}
