package project

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/observation"
	"ident/physical"
	"ident/project/commanded"
	"ident/regressor"
	"ident/result"
)

// A Job is an identification whose logs are open and mapped to the joints of their
// robot. Its stages follow each other: [OpenFit], [Job.Examine], [Job.Config], then an
// identification with Session.Robot, Terms, Train, Validate and that configuration,
// then [Job.Complete].
type Job struct {
	Settings        *Settings
	Session         *Session
	Terms           []regressor.Term
	Train, Validate []identify.Run
	Findings        []Finding // of [Job.Examine]

	consistent *physical.Options
	prior      *identify.PriorSource
	logs       []*datasets.Log
	averaged   periodic
	commands   *commanded.Commands // of a fit without torques
	decisions  []result.Decision   // taken before the identification
}

// CheckPaths refuses a log that is given twice.
func CheckPaths(paths ...[]string) error {
	seen := map[string]bool{}
	for _, path := range slices.Concat(paths...) {
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if seen[abs] {
			return wrong("validate", path, "%s is given twice: the same samples cannot count twice, nor train and validate", path)
		}
		seen[abs] = true
	}
	return nil
}

// OpenFit opens the logs that train and those of the settings that validate, finds
// the robot, and reads everything that the fit takes from the settings. robotGiven
// tells that the setting robot wins over a robot in a log.
func OpenFit(ctx context.Context, s *Settings, paths []string, robotGiven bool) (_ *Job, err error) {
	j := &Job{Settings: s}
	defer func() {
		if err != nil {
			j.Close()
		}
	}()
	all := len(paths) + len(s.Validate)
	if j.logs, err = openLogs(ctx, s, paths, all); err != nil {
		return nil, err
	}
	unseen, err := openLogs(ctx, s, s.Validate, all)
	if err != nil {
		return nil, err
	}
	trained := len(j.logs)
	j.logs = append(j.logs, unseen...)
	if s.Torque == NoTorque {
		if err := j.withoutTorques(ctx, robotGiven, trained); err != nil {
			return nil, err
		}
	}
	if j.Session, j.Terms, err = OpenSession(ctx, s, robotGiven, j.logs...); err != nil {
		return nil, err
	}
	if j.consistent, j.prior, err = s.Bodies(j.Session); err != nil {
		return nil, err
	}
	if err := CheckRows(s, j.Session.Runs); err != nil {
		return nil, err
	}
	j.Train, j.Validate = j.Session.Runs[:trained], j.Session.Runs[trained:]
	if s.TrainFraction > 0 {
		var rest []identify.Run
		j.Train, rest = Split(j.Train, s.TrainFraction)
		j.Validate = append(rest, j.Validate...)
	}
	return j, nil
}

// OpenSession finds the robot of logs, maps them to it, and completes the terms of the model
// and the runs with each other's needs.
func OpenSession(ctx context.Context, s *Settings, robotGiven bool, logs ...*datasets.Log) (*Session, []regressor.Term, error) {
	r, err := FindRobot(s, robotGiven, logs...)
	if err != nil {
		return nil, nil, err
	}
	terms, err := ParseTerms(s, regressor.DefaultTerms())
	if err != nil {
		return nil, nil, err
	}
	ses, err := Prepare(ctx, s, r, logs, UseOf(terms))
	if err != nil {
		return nil, nil, err
	}
	if terms, err = s.CompleteTerms(terms, ses.Robot); err != nil {
		return nil, nil, err
	}
	return ses, terms, s.Supply(ses, terms)
}

// Close closes the logs.
func (j *Job) Close() { CloseLogs(j.logs) }

// Examine has the doctor read all runs. Where bad rows are dropped, it also gives the
// runs the bounds that tell bad values, those at which a torque was saturated among them.
func (j *Job) Examine(ctx context.Context, report func(stage string, done, total int)) ([]Finding, error) {
	all := slices.Concat(j.Train, j.Validate)
	observation.Expect(all)
	found, err := CheckRuns(ctx, j.Settings, j.Session.Robot, all, report, len(j.Train))
	copy(j.Validate, all[copy(j.Train, all):])
	j.Findings = found
	if err != nil || j.Settings.OnBad != "drop" {
		return found, err
	}
	for _, runs := range [][]identify.Run{j.Train, j.Validate} {
		for i := range runs {
			runs[i].Bounds = doctor.Bounds(j.Session.Robot, runs[i].Roles)
			for _, f := range found {
				if f.Log == runs[i].Name {
					f.LowerBound(runs[i].Bounds)
				}
			}
		}
	}
	return found, nil
}

// Config is the configuration of the identification by the first of the models asked for.
// The runs of a periodic motion are averaged by it; they are those of the identification from
// then on.
func (j *Job) Config() (identify.Config, error) {
	s, r, first := j.Settings, j.Session.Robot, j.Train[0]
	kinds, err := Models(s)
	if err != nil {
		return identify.Config{}, err
	}
	cfg := ConfigOf(s, first.Log, first.Roles.T)
	cfg.Model, cfg.Known, cfg.Consistent, cfg.Prior = kinds[0], s.Known, j.consistent, j.prior
	cfg.Immobile, cfg.Unactuated = LinksOf(r, s.Immobile), LinksOf(r, s.Unactuated)
	SetEstimator(&cfg, s, observation.Rate(first.Log, first.Roles.T), j.prior)
	cfg.Choices = Choices(s)
	if j.commands != nil {
		j.commands.Configure(&cfg)
		return cfg, nil
	}
	if cfg.Servo, err = Servo(s, len(first.Roles.Q)); err != nil {
		return cfg, err
	}
	return cfg, j.averagePeriods(&cfg)
}

// Complete writes into a result of the job where it comes from: the version of the
// program, warnings and notes that precede its own, locked joints, and the settings
// as they were used. An error is that of ctx.
func (j *Job) Complete(ctx context.Context, outcome *identify.Outcome, version string, warnings []string) error {
	ses, res := j.Session, &outcome.Result
	res.Version = version
	res.Selection = append(slices.Clone(j.decisions), res.Selection...)
	if s := j.Settings; !s.Plain {
		res.Selection = result.CompleteSelection(res, len(s.Couplings) == 0 || automatic(s.Couplings), s.Estimator == "" || s.Estimator == string(identify.Auto), s.Controller != "")
	}
	res.Warnings = append(slices.Clone(warnings), res.Warnings...)
	res.Notes = append(append(slices.Clone(ses.Notes), NoteTexts(ses.Source)...), res.Notes...)
	if outcome.Dropped > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d rows could not be used and were left out", outcome.Dropped))
	}
	res.Locked = append(res.Locked, slices.Sorted(maps.Keys(ses.Locked))...)
	if j.commands != nil {
		j.commands.Describe(res)
	}
	if a := j.averaged.first; a != nil {
		// As a log without an average is to be treated.
		res.Samples.Read = j.averaged.rows
		res.Processing.MotionCutoffHz, res.Processing.TrimS = a.Band, j.Settings.TrimSeconds()
		if !allNamed(j.Session.Runs[0].Roles.DQ) || j.Settings.Velocity != observation.Measured {
			res.Processing.Velocity, res.Processing.Acceleration = observation.FromPosition, observation.FromVelocity
		} else {
			res.Processing.Acceleration = observation.FromVelocity
		}
	}
	if len(ses.Locked) > 0 {
		res.Processing.Lock = ses.Locked
	}
	for _, f := range j.Findings {
		severity := f.Severity
		if severity == doctor.Error && j.Settings.leavesOut(f) {
			severity = doctor.Warning // the rows are not in the fit
		}
		res.Findings = append(res.Findings, result.Finding{ID: f.ID, Severity: string(severity), Log: f.Log, Joint: f.Joint, Why: f.Why, Fix: f.Fix})
	}
	if err := j.sumLogs(ctx, res.Logs); err != nil {
		return err
	}
	res.Judge(result.DefaultLimits())
	res.NameSettings(j.Settings.naming)
	used := *j.Settings
	used.Lock, used.Model, used.Terms = ses.Locked, res.Model, res.Terms
	res.Configuration = used.Record()
	return nil
}

// sumLogs writes the hashes of the logs' files into a result, as far as the files can be read again: a pipe or
// a folder has none.
func (j *Job) sumLogs(ctx context.Context, logs []result.LogInfo) error {
	paths := map[string]string{} // by the name of a run
	for _, run := range slices.Concat(j.Train, j.Validate) {
		paths[run.Name] = run.Log.Path()
	}
	sums := map[string]string{} // by path: a file may hold many runs
	for i := range logs {
		path := paths[logs[i].Name]
		if _, done := sums[path]; !done {
			sums[path], _ = fileSum(ctx, path)
		}
		logs[i].File, logs[i].SHA256 = filepath.Base(path), sums[path]
	}
	return ctx.Err()
}
