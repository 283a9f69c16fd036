package identify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/identify/standing"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// fitStanding fits a robot that stands on its feet.
func (p *Project) fitStanding(ctx context.Context, opt FitOptions) (*Fit, error) {
	s := p.Settings
	if len(s.Feet) == 0 {
		return nil, project.NewSettingError("feet", "", "{base-imu}, {standing} and {mirror} are of a robot that stands: name its feet with {feet} %s", project.FeetForm)
	}
	if opt.Candidates || opt.Loads == project.Yes || len(s.Validate) > 0 || s.TrainFraction > 0 {
		return nil, project.NewSettingError("feet", "", "{feet}: a fit of a robot that stands has neither {validate} nor {train-fraction}, candidates or loads: leave them out")
	}
	logs, err := project.OpenLogs(ctx, s, p.logs)
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(logs)
	r, err := project.FindRobot(s, p.robotGiven, logs...)
	if err != nil {
		return nil, err
	}
	if r, err = project.Afloat(r); err != nil {
		return nil, err
	}
	terms, err := project.ParseTerms(s, standing.DefaultTerms())
	if err != nil {
		return nil, err
	}
	of, settings, bodies, err := standingRobot(s, r, terms)
	if err != nil {
		return nil, err
	}
	var read []standing.Log
	for _, l := range logs {
		one, err := s.StandingLog(r, l)
		if err != nil {
			return nil, err
		}
		read = append(read, one)
	}
	found, err := standing.FitLogs(ctx, of, read, settings)
	var fell *standing.StanceError
	if errors.As(err, &fell) {
		return nil, s.RefusedStance(standing.Findings(fell.Log, fell.Gates))
	}
	if err != nil {
		return nil, err
	}
	out, err := found.Outcome(ctx, read, bodies)
	if err != nil {
		return nil, err
	}
	res := &out.Result
	if slices.ContainsFunc(res.Findings, func(f result.Finding) bool { return f.Severity == "error" }) && !opt.Force {
		return nil, s.RefusedStance(res.Findings)
	}
	res.Version, res.Notes = project.Version, append(project.NoteTexts(r), res.Notes...)
	for i, l := range logs {
		sum, err := folder.FileSum(ctx, l.Path())
		if err == nil {
			res.Logs[i].File, res.Logs[i].SHA256 = filepath.Base(l.Path()), sum
		}
	}
	if err := s.Gate(res); err != nil {
		return nil, fmt.Errorf("gates: %w", err)
	}
	res.NameSettings(s.Called)
	used := *s
	used.Model, used.Terms, used.Stance = res.Model, res.Terms, &found.Stance
	res.Configuration = used.Record()
	return &Fit{Models: []*regression.Outcome{out}, Result: res, Source: r, Warnings: res.Warnings}, nil
}

// standingRobot returns the robot of a fit with its feet and its sensor, the settings of the fit, and the options of its bodies.
func standingRobot(s *project.Settings, r *robot.Robot, terms []regressor.Term) (of standing.Robot, set standing.Settings, bodies physical.BodyOptions, err error) {
	of = standing.Robot{Robot: r, Terms: terms}
	if of.Feet, err = s.FeetOf(r); err != nil {
		return of, set, bodies, err
	}
	if of.Sensor, err = s.SensorOf(r); err != nil {
		return of, set, bodies, err
	}
	if of.Mirrored, err = s.MirroredOf(r); err != nil {
		return of, set, bodies, err
	}
	set = standing.DefaultSettings()
	set.Seed = s.Seed
	if s.Cutoff != nil {
		set.Cutoff, set.MotionCutoff = *s.Cutoff, 2**s.Cutoff
	}
	if s.MotionCutoff != nil {
		set.MotionCutoff = *s.MotionCutoff
	}
	if s.Trim != nil {
		set.Trim = *s.Trim
	}
	if bodies, err = s.WeighedBodies(); err != nil {
		return of, set, bodies, err
	}
	set.Mass, set.MassSigma = bodies.Total, bodies.TotalDeviation
	set.Sensed, set.LeastForce, err = s.SensedStance()
	return of, set, bodies, err
}
