package identify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/experiment"
	"ident/identify/project"
	"ident/simulate/servo"
)

// SimulateOptions are the options of a virtual experiment.
type SimulateOptions = experiment.Options

// Simulate runs a virtual experiment on the robot of the settings and writes its log to the output of the options.
func Simulate(ctx context.Context, s *project.Settings, opt SimulateOptions) (*experiment.Document, error) {
	return experiment.Run(ctx, s, opt)
}

// TrialsOptions say how often an experiment is repeated, and which estimators fit its records.
type TrialsOptions struct {
	Trials     int      // from 2 to 100,000
	Estimators []string // values of the setting estimator
}

// SimulateTrials repeats a virtual experiment with other draws and fits each record by each estimator, without automatic
// choices. It writes no log.
func SimulateTrials(ctx context.Context, s *project.Settings, opt SimulateOptions, trials TrialsOptions) (*TrialsReport, error) {
	if trials.Trials < 2 || trials.Trials > 100_000 {
		return nil, project.NewOptionError("{trials} %d: give 2 to 100000", trials.Trials)
	}
	for _, name := range trials.Estimators {
		if err := project.Check(&project.Settings{Estimator: name}, "estimator"); err != nil {
			return nil, project.NewOptionError("{estimators} %s: %w", name, err)
		}
	}
	v, err := experiment.Open(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	if v.Elastic() {
		return nil, project.NewOptionError("{trials}: robot %q has elastic joints, which are fitted by a model of their own", v.Robot.Name)
	}
	fits := *s
	fits.Plain = true
	if law, _, _ := strings.Cut(opt.Controller, " "); slices.Contains(servo.JointLaws(), law) {
		// Estimators that simulate the controller are told its law and gains, but not its rate and delay; they cannot
		// take the torques of a model.
		words := strings.Fields(opt.Controller)
		fits.Controller = strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "rate=") || strings.HasPrefix(w, "delay=") }), " ")
		for i := range v.Robot.Independent() {
			fits.Reference = append(fits.Reference, fmt.Sprintf("q_ref%d", i+1))
		}
	}
	report := &TrialsReport{Schema: "ident.trials/1", Robot: v.Robot.Name, Motion: opt.Motion, Trials: trials.Trials, Seed: s.Seed, Experiment: "followed exactly"}
	if opt.Controller != "" {
		report.Experiment = opt.Controller
	}
	if v.Run.Faults != "" {
		report.Experiment += ", " + v.Run.Faults
	}
	report.Estimators, err = RunTrials(ctx, TrialsPlan{Settings: &fits, Estimators: trials.Estimators, Trials: trials.Trials,
		Record: func(ctx context.Context, trial int) (*datasets.Log, error) {
			return v.Record(ctx, fmt.Sprintf("trial %d", trial+1), s.Seed+uint64(trial))
		}})
	return report, err
}
