package identify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"ident/estimate/summary"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// A FittedSummary is the fit of a summary.
type FittedSummary struct {
	*regression.Outcome
	Source *robot.Robot // the robot of the file, with the settings applied and no joint locked
	Robot  *robot.Robot // the robot as fitted
}

// summaryModel is the robot and the model of a summary.
type summaryModel struct {
	settings *project.Settings // those of the fit, with those of the model
	session  *project.Session
	terms    []regressor.Term
}

// openSummary rebuilds the robot and the model of a summary under the settings of a fit.
func openSummary(s *summary.Summary, given *project.Settings) (*summaryModel, error) {
	m := &summaryModel{settings: new(project.Settings)}
	*m.settings = *given
	to := m.settings
	if err := settingsOf(s, to); err != nil {
		return nil, err
	}
	source, err := project.RobotOfText(to, s.Robot.Text, s.Robot.Format, s.Robot.Name+" (in a summary)")
	if err != nil {
		return nil, err
	}
	if source.Source.SHA256 != s.Robot.SHA256 {
		return nil, fmt.Errorf("the text of robot %s in the summary has the hash %.12s, and the summary states %.12s: it was changed; reduce the logs again", s.Robot.Name, source.Source.SHA256, s.Robot.SHA256)
	}
	m.session = &project.Session{Source: source, Locked: to.Lock}
	if m.session.Robot, err = project.Lock(source, to.Lock); err != nil {
		return nil, err
	}
	if err := to.CheckGates(m.session.Robot, source); err != nil {
		return nil, err
	}
	for _, t := range s.Model.Terms {
		m.terms = append(m.terms, regressor.Term(t))
	}
	return m, nil
}

// settingsOf overwrites settings with those that define a summary's robot and model.
func settingsOf(s *summary.Summary, to *project.Settings) error {
	of := new(project.Settings)
	if len(s.Settings) > 0 {
		if err := json.Unmarshal(s.Settings, of); err != nil {
			return fmt.Errorf("settings of the summary: %w", err)
		}
	}
	to.JointTerms, to.Gravity, to.Set, to.NoSnap, to.Joints, to.Lock, to.Assembly, to.Loops = of.JointTerms, of.Gravity, of.Set, of.NoSnap, of.Joints, of.Lock, of.Assembly, of.Loops
	to.Immobile, to.Unactuated, to.Couplings, to.Known, to.Seed, to.Wrench, to.Contact = of.Immobile, of.Unactuated, of.Couplings, of.Known, of.Seed, of.Wrench, of.Contact
	return nil
}

// config returns the configuration of a fit.
func (m *summaryModel) config(s *summary.Summary) (regression.Config, error) {
	set := m.settings
	cfg := regression.Config{Model: regression.Kind(s.Processing.Model), MinimumNorm: set.MinimumNorm, Seed: set.Seed, Plain: set.Plain,
		Immobile: project.LinksOf(m.session.Robot, set.Immobile), Unactuated: project.LinksOf(m.session.Robot, set.Unactuated)}
	cfg.Known, _ = set.KnownValues()
	var err error
	if cfg.Consistent, cfg.Prior, err = set.Bodies(m.session); err != nil {
		return cfg, err
	}
	project.SetEstimator(&cfg, set, s.Runs[0].Rate, cfg.Prior)
	cfg.Choices = project.Choices(set)
	return cfg, nil
}

// FitSummary identifies from a summary. For logs in the order of the summary's runs, parameters, covariance and
// decisions equal those of a fit of the logs together, to the last bit. The settings give the estimator, the choice of
// terms, feasible bodies and priors; robot, model and signal path are the summary's. If a setting needs the rows of the
// logs, the error is a [*regression.RowsError]; if only a default would, the result has a note.
func FitSummary(ctx context.Context, s *summary.Summary, settings *project.Settings) (*FittedSummary, error) {
	if err := project.CheckFit(settings); err != nil {
		return nil, err
	}
	if err := refuseRows(settings); err != nil {
		return nil, err
	}
	m, err := openSummary(s, settings)
	if err != nil {
		return nil, err
	}
	if len(s.Runs) == 0 {
		return nil, fmt.Errorf("a summary without runs cannot be fitted")
	}
	cfg, err := m.config(s)
	if err != nil {
		return nil, err
	}
	outcome, err := regression.FitSummary(ctx, m.session.Robot, m.terms, s, cfg)
	if err != nil {
		return nil, err
	}
	if err := m.complete(&outcome.Result, s); err != nil {
		return nil, err
	}
	return &FittedSummary{Outcome: outcome, Source: m.session.Source, Robot: m.session.Robot}, nil
}

// refuseRows returns an error for settings that need the rows of logs.
func refuseRows(s *project.Settings) error {
	for _, o := range []struct {
		key   string
		given bool
		why   string
	}{
		{"controller", s.Controller != "", "it simulates the motion, which summaries do not contain"},
		{"periodic", s.Periodic != "", "periods are averaged before the rows are made"},
		{"train-fraction", s.TrainFraction > 0, "rows for validation are chosen by their times, which summaries do not contain"},
		{"validate", len(s.Validate) > 0, "the errors on another log are computed row by row: ident validate RESULT LOG prints them"},
		{"torque", s.Torque == project.NoTorque, "commands replace torques before the rows are made"},
	} {
		if o.given {
			return &regression.RowsError{What: "the setting " + o.key, Why: o.why}
		}
	}
	return nil
}

// complete records in a result where it comes from.
func (m *summaryModel) complete(res *result.Result, s *summary.Summary) error {
	res.Version = project.Version
	if !m.settings.Plain {
		res.Selection = res.CompleteSelection(false, m.settings.Estimator == "" || m.settings.Estimator == string(regression.Auto), false)
	}
	for i, run := range s.Runs {
		if i < len(res.Logs) {
			res.Logs[i].SHA256 = run.SHA256
		}
		for _, f := range run.Findings {
			res.Findings = append(res.Findings, result.Finding{ID: f.ID, Severity: f.Severity, Log: run.Name, Joint: f.Joint, Why: f.Why, Fix: f.Fix})
		}
	}
	res.Locked = slices.Sorted(maps.Keys(m.session.Locked))
	if len(res.Locked) > 0 {
		res.Processing.Lock = m.session.Locked
	}
	res.Judge(result.DefaultLimits())
	if err := m.settings.Gate(res); err != nil {
		return err
	}
	used := *m.settings
	used.Model, used.Terms = res.Model, res.Terms
	res.NameSettings(func(key string) string {
		if m.settings.Naming == nil {
			return key
		}
		return m.settings.Naming(key)
	})
	res.Configuration = used.Record()
	return nil
}

// fitSummaries fits the summaries and the logs among the files together.
func (p *Project) fitSummaries(ctx context.Context, opt FitOptions) (*Fit, error) {
	if opt.Candidates || opt.Loads == project.Yes {
		return nil, &regression.RowsError{What: "a fit with candidates or loads", Why: "they are made of the logs' motions"}
	}
	all, err := p.gather(ctx, ReduceOptions{Force: opt.Force})
	if err != nil {
		return nil, err
	}
	fitted, err := FitSummary(ctx, all, p.Settings)
	if err != nil {
		return nil, err
	}
	return &Fit{Result: &fitted.Result, Models: []*regression.Outcome{fitted.Outcome}, Source: fitted.Source}, nil
}

// gather merges the summaries among the files with the logs, which it reduces by the signal path of the first summary.
func (p *Project) gather(ctx context.Context, opt ReduceOptions) (*summary.Summary, error) {
	if err := project.CheckPaths(p.logs); err != nil {
		return nil, err
	}
	var parts []*summary.Summary
	var logs []string
	for _, path := range p.logs {
		if !IsSummary(path) {
			logs = append(logs, path)
			continue
		}
		part, err := OpenSummary(path)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("none of the files is a summary")
	}
	if len(logs) > 0 {
		if opt.Like == nil {
			opt.Like = parts[0]
		}
		own, given := *p.Settings, p.robotGiven
		own.Terms = opt.Like.Model.Terms
		if !given { // the summary's own, where no robot was named
			dir, err := os.MkdirTemp("", "ident-robot")
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(dir)
			own.Robot, given = dir+"/robot."+opt.Like.Robot.Format, true
			if err := os.WriteFile(own.Robot, []byte(opt.Like.Robot.Text), 0o600); err != nil {
				return nil, err
			}
			if err := settingsOf(opt.Like, &own); err != nil {
				return nil, err
			}
		}
		logged := New(&own, given, logs...)
		logged.Observer = p.Observer
		part, err := logged.Reduce(ctx, opt)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return summary.Merge(parts...)
}
