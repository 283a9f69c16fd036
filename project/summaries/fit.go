package summaries

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ident/identify"
	"ident/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/summary"
)

// Fitted is a fit of a summary.
type Fitted struct {
	*identify.Outcome
	Source *robot.Robot // as the file says, with settings, before locks
	Robot  *robot.Robot // as fitted
}

// model is the robot and the model of a summary.
type model struct {
	settings *project.Settings // those of the fit, with those of the model
	session  *project.Session
	terms    []regressor.Term
}

// open rebuilds the robot and the model of a summary under the settings of a fit.
func open(s *summary.Summary, given *project.Settings) (*model, error) {
	m := &model{settings: new(project.Settings)}
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
		return nil, fmt.Errorf("robot %s in the summary has the hash %.12s; %.12s is stated: the file was changed", s.Robot.Name, source.Source.SHA256, s.Robot.SHA256)
	}
	m.session = &project.Session{Source: source, Locked: to.Lock}
	if m.session.Robot, err = project.Lock(source, to.Lock); err != nil {
		return nil, err
	}
	for _, t := range s.Model.Terms {
		m.terms = append(m.terms, regressor.Term(t))
	}
	return m, nil
}

// settingsOf writes the settings that a summary's robot and model were made with over others.
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

// config is the configuration of a fit.
func (m *model) config(s *summary.Summary) (identify.Config, error) {
	set := m.settings
	cfg := identify.Config{Model: identify.Kind(s.Processing.Model), Known: set.Known, MinimumNorm: set.MinimumNorm, Seed: set.Seed, Plain: set.Plain,
		Immobile: project.LinksOf(m.session.Robot, set.Immobile), Unactuated: project.LinksOf(m.session.Robot, set.Unactuated)}
	var err error
	if cfg.Consistent, cfg.Prior, err = set.Bodies(m.session); err != nil {
		return cfg, err
	}
	project.SetEstimator(&cfg, set, s.Runs[0].Rate, cfg.Prior)
	cfg.Choices = project.Choices(set)
	return cfg, nil
}

// Fit identifies from a summary: see the package. Settings of robot, model and signal path are the summary's.
func Fit(ctx context.Context, s *summary.Summary, settings *project.Settings) (*Fitted, error) {
	if err := project.CheckFit(settings); err != nil {
		return nil, err
	}
	if err := refuse(settings); err != nil {
		return nil, err
	}
	m, err := open(s, settings)
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
	outcome, err := identify.FitSummary(ctx, m.session.Robot, m.terms, s, cfg)
	if err != nil {
		return nil, err
	}
	m.complete(&outcome.Result, s)
	return &Fitted{Outcome: outcome, Source: m.session.Source, Robot: m.session.Robot}, nil
}

// refuse names the settings that need the rows of logs.
func refuse(s *project.Settings) error {
	for _, o := range []struct {
		key   string
		given bool
		why   string
	}{
		{"controller", s.Controller != "", "its motion is simulated beside the rows"},
		{"periodic", s.Periodic != "", "periods are averaged before the rows are made"},
		{"train-fraction", s.TrainFraction > 0, "the rows that validate are apart by their times"},
		{"validate", len(s.Validate) > 0, "errors on a log are those of its rows; ident validate has them"},
		{"torque", s.Torque == project.NoTorque, "commands take the place of torques before the rows are made"},
	} {
		if o.given {
			return &identify.RowsError{What: "the setting " + o.key, Why: o.why}
		}
	}
	return nil
}

// complete states where a result comes from.
func (m *model) complete(res *result.Result, s *summary.Summary) {
	res.Version = project.Version
	if !m.settings.Plain {
		res.Selection = result.CompleteSelection(res, false, m.settings.Estimator == "" || m.settings.Estimator == string(identify.Auto), false)
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
	used := *m.settings
	used.Model, used.Terms = res.Model, res.Terms
	res.NameSettings(func(key string) string {
		if m.settings.Naming == nil {
			return key
		}
		return m.settings.Naming(key)
	})
	res.Configuration = used.Record()
}
