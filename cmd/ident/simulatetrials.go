package main

import (
	"context"

	"ident/identify"
	"ident/identify/project"
)

// checkTrials refuses options that do not go with trials.
func (o *simulateOptions) checkTrials() error {
	switch {
	case o.trajectory == "":
		return usagef("no motion: give --trajectory FILE (ident design-trajectory makes one)")
	case o.out != "":
		return usagef("--trials writes no log: leave -o out, and take --json for a document")
	case o.trials < 2 || o.trials > 100_000:
		return usagef("--trials %d: give 2 to 100000", o.trials)
	}
	for _, name := range o.estimators {
		if err := project.Check(&project.Settings{Estimator: name}, "estimator"); err != nil {
			return usagef("--estimators %s: %s", name, project.Describe(err, optionOf))
		}
	}
	return nil
}

// trials returns the branch of ident simulate that fits its own records.
func (s streams) trials(ctx context.Context, f *flags, p *project.Settings, opt simulateOptions, motion string) error {
	var report *identify.TrialsReport
	if err := s.during("trials", func() (err error) {
		report, err = opt.repeated(ctx, p)
		return err
	}); err != nil {
		return err
	}
	report.Motion = motion
	if f.json {
		return project.WriteJSON(s.data, report)
	}
	return report.Text(s.out, opt.verbose)
}

func (opt *simulateOptions) repeated(ctx context.Context, p *project.Settings) (*identify.TrialsReport, error) {
	v, err := opt.virtual(ctx, p)
	if err != nil {
		return nil, err
	}
	return v.Trials(ctx, p, opt.trials, opt.estimators)
}
