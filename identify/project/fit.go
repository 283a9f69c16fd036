package project

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ident/datasets"
	"ident/doctor"
	"ident/identify/folder"
	"ident/identify/regression"
	"ident/internal/rowlist"
	"ident/observation"
	"ident/physical"
	"ident/regressor"
	"ident/result"
)

// A Job is an identification with opened and examined logs, mapped to the joints of their robot. Use Session.Robot,
// Terms, Train, Validate and Config for a pass over the rows; then [Job.Complete] records in the result where it comes
// from. [OpenJob] makes a Job. The caller must close it.
type Job struct {
	Settings        *Settings
	Session         *Session
	Terms           []regressor.Term
	Train, Validate []regression.Run
	Config          regression.Config
	Findings        []Finding
	// Warnings of the session and of the findings, one per line; they precede those of the result.
	Warnings []string

	consistent *physical.BodyOptions
	prior      *regression.PriorSource
	logs       []*datasets.Log
	averaged   periodic
	commands   *lawCommands      // of a fit without torques
	decisions  []result.Decision // taken before the pass
}

// JobOptions say how a [Job] reads its logs. With the zero value a robot in a log takes precedence over the settings'
// robot, and logs with errors are refused.
type JobOptions struct {
	// RobotGiven gives the setting robot precedence over a robot in a log.
	RobotGiven bool
	// Force accepts logs in which the doctor finds errors.
	Force bool
	// Unexamined skips the doctor and the choice of couplings by its findings. Use it for logs that another job has
	// examined, or that are simulated.
	Unexamined bool
	// TellApart adds the folder to the names of runs with the same name: findings and runs are told apart by name.
	TellApart bool
	// LockStanding locks the joints that stand in all logs. Reductions must not: other logs may move them.
	LockStanding bool
	// Logs replace the paths; the caller must close them.
	Logs []*datasets.Log
	// Inspect, if not nil, may refuse the mapped logs before the doctor reads them. Refuse, if not nil, decides on the
	// findings; otherwise errors forbid a fit.
	Inspect func(*Job) error
	Refuse  func([]Finding) error
	Observer
}

// An Observer follows the reading and fitting of logs. Its functions are called from one goroutine at a time; nil
// functions are skipped.
type Observer struct {
	Progress func(stage string, done, total int)
	Warn     func(text string) // called with each doubt about the robot or the logs
	Note     func(text string) // called with each decision
}

// Report passes the progress to o.Progress, if that is set.
func (o *Observer) Report(stage string, done, total int) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}

// Warning passes a warning to o.Warn, if that is set.
func (o *Observer) Warning(text string) {
	if o.Warn != nil {
		o.Warn(text)
	}
}

// Remark passes a note to o.Note, if that is set.
func (o *Observer) Remark(text string) {
	if o.Note != nil {
		o.Note(text)
	}
}

// CheckPaths returns an error if a log is given twice.
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

// OpenJob opens the training logs and those of the setting validate, finds the robot, maps the logs to its joints, has
// the doctor examine them, and reads the settings for a pass over the rows. Every fit, reduction, comparison and trial
// must start here. If logs have errors, the error is a [*FindingsError]. OpenJob may change the settings according to
// what it finds.
func OpenJob(ctx context.Context, s *Settings, paths []string, opt JobOptions) (_ *Job, err error) {
	if err := CheckPaths(paths, s.Validate); err != nil {
		return nil, err
	}
	s.Progress = opt.Progress
	j := &Job{Settings: s}
	defer func() {
		if err != nil {
			j.Close()
		}
	}()
	if err := j.open(ctx, paths, opt); err != nil {
		return nil, err
	}
	if opt.TellApart {
		tellApart(j.Train)
	}
	if opt.Inspect != nil {
		if err := opt.Inspect(j); err != nil {
			return nil, err
		}
	}
	j.Warnings = slices.Clone(j.Session.Warnings)
	if opt.Unexamined {
		if s.OnBad == "drop" {
			j.boundRows()
		}
		return j, j.configure()
	}
	if err := j.examine(ctx, &opt); err != nil {
		return nil, err
	}
	if err := j.configure(); err != nil {
		return nil, err
	}
	j.Config.Progress = opt.Report
	return j, j.chooseCoupling(ctx)
}

// open opens the logs and maps them to the joints of their robot.
func (j *Job) open(ctx context.Context, paths []string, opt JobOptions) (err error) {
	s, logs := j.Settings, slices.Clone(opt.Logs)
	if opt.Logs == nil {
		if err := refuseCopies(s, paths); err != nil {
			return err
		}
		all := len(paths) + len(s.Validate)
		if j.logs, err = openLogs(ctx, s, paths, all); err != nil {
			return err
		}
		logs = j.logs
	}
	trained := len(logs)
	var elsewhere []string
	for _, path := range s.Validate {
		if Beside(path) != Beside(paths...) {
			elsewhere = append(elsewhere, path)
		}
	}
	if err := s.readBeside(elsewhere); err != nil {
		return err
	}
	own := *s
	own.inherited = readingKeys() // declarations in the training logs apply if they fit
	unseen, err := openLogs(ctx, &own, s.Validate, len(paths)+len(s.Validate))
	if err != nil {
		return err
	}
	j.logs, logs = append(j.logs, unseen...), append(logs, unseen...)
	if s.Torque == NoTorque {
		if logs, err = j.withoutTorques(ctx, opt.RobotGiven, logs, trained); err != nil {
			return err
		}
		if opt.Logs == nil {
			j.logs = logs
		}
	}
	var still []string
	if opt.LockStanding {
		r, err := FindRobot(s, opt.RobotGiven, logs...)
		if err != nil {
			return err
		}
		if still, err = lockStanding(s, r, logs); err != nil {
			return err
		}
	}
	if j.Session, j.Terms, err = OpenSession(ctx, s, opt.RobotGiven, logs...); err != nil {
		return err
	}
	j.Session.Warnings = append(j.Session.Warnings, still...)
	if err := s.holdBodies(j.Session.Robot); err != nil {
		return err
	}
	if err := s.CheckGates(j.Session.Robot, j.Session.Source); err != nil {
		return err
	}
	if j.consistent, j.prior, err = s.Bodies(j.Session); err != nil {
		return err
	}
	if err := CheckRows(s, j.Session.Runs); err != nil {
		return err
	}
	j.Train, j.Validate = j.Session.Runs[:trained], j.Session.Runs[trained:]
	if s.TrainFraction > 0 {
		var rest []regression.Run
		j.Train, rest = Split(j.Train, s.TrainFraction)
		j.Validate = append(rest, j.Validate...)
	}
	return nil
}

// OpenSession finds the robot of logs and maps them to it. It completes the terms by what the settings need, and the
// runs by what the terms need.
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

// examine refuses copies of a log, has the doctor read all runs and refuses errors. It gives warnings before the pass, which may be
// long.
func (j *Job) examine(ctx context.Context, opt *JobOptions) error {
	s, all := j.Settings, slices.Concat(j.Train, j.Validate)
	if _, _, err := observation.Leaks(ctx, all, len(j.Train)); err != nil {
		return err
	}
	nameless := s.Plain && opt.Refuse == nil // a caller that decides on findings needs their causes
	found, _, err := checkRuns(ctx, s, j.Session.Robot, all, opt.Report, len(j.Train), nil, nil, nameless)
	copy(j.Validate, all[copy(j.Train, all):])
	j.Findings = found
	if err != nil {
		return err
	}
	if s.OnBad == "drop" {
		j.boundRows()
	}
	refuse := opt.Refuse
	if refuse == nil {
		refuse = func(found []Finding) error {
			if refused := s.refused(found); len(refused) > 0 && !opt.Force {
				return newFindingsError(refused)
			}
			return nil
		}
	}
	if err := refuse(found); err != nil {
		return err
	}
	for _, group := range GroupFindings(found) {
		if group[0].ID == doctor.Coupling && !group[0].Repair.IsZero() && s.choosesCoupling() {
			continue // chooseCoupling decides
		}
		if group[0].Severity != doctor.Info {
			j.Warnings = append(j.Warnings, group.Line())
		}
	}
	for _, w := range j.Warnings {
		opt.Warning(w)
	}
	s.adviseCutoff(found, observation.Rate(j.Train[0].Log, j.Train[0].Roles.T), opt.Remark)
	return nil
}

// boundRows gives the runs the bounds that detect bad values, including those at which the check found a torque
// saturated.
func (j *Job) boundRows() {
	for _, runs := range [][]regression.Run{j.Train, j.Validate} {
		for i := range runs {
			runs[i].Bounds = doctor.Bounds(j.Session.Robot, runs[i].Roles)
			for _, f := range j.Findings {
				if f.Log == runs[i].Name {
					f.LowerBound(runs[i].Bounds)
				}
			}
		}
	}
}

// configure sets the configuration of the pass for the first model asked for. Runs of a periodic motion are replaced by
// their averages.
func (j *Job) configure() error {
	s, r, first := j.Settings, j.Session.Robot, j.Train[0]
	kinds, err := Models(s)
	if err != nil {
		return err
	}
	cfg := ConfigOf(s, first.Log, first.Roles.T)
	cfg.Model, cfg.Consistent, cfg.Prior = kinds[0], j.consistent, j.prior
	cfg.Known, cfg.KnownSigma = s.KnownValues()
	cfg.Immobile, cfg.Unactuated = LinksOf(r, s.Immobile), LinksOf(r, s.Unactuated)
	SetEstimator(&cfg, s, observation.Rate(first.Log, first.Roles.T), j.prior)
	cfg.Choices = Choices(s)
	if j.commands != nil {
		j.commands.Configure(&cfg)
	} else if cfg.Servo, err = Servo(s, len(first.Roles.Q)); err == nil {
		err = j.averagePeriods(&cfg)
	}
	j.Config = cfg
	return err
}

// LeftOut says how many rows of the logs a fit has left out.
func LeftOut(rows int) string {
	return "left out: " + rowlist.Plural(rows, "row") + " that could not be used"
}

// Complete records in a result of the job where it comes from: the program's version, warnings and notes (before its
// own), locked joints, findings, and the settings used. The only error is that of ctx.
func (j *Job) Complete(ctx context.Context, outcome *regression.Outcome) error {
	ses, res := j.Session, &outcome.Result
	res.Version = Version
	res.Selection = append(slices.Clone(j.decisions), res.Selection...)
	if s := j.Settings; !s.Plain {
		res.Selection = res.CompleteSelection(len(s.Couplings) == 0 || automatic(s.Couplings), s.Estimator == "" || s.Estimator == string(regression.Auto), s.Controller != "")
	}
	res.Warnings = append(slices.Clone(j.Warnings), res.Warnings...)
	res.Notes = append(append(slices.Clone(ses.Notes), NoteTexts(ses.Source)...), res.Notes...)
	if outcome.Dropped > 0 {
		res.Warnings = append(res.Warnings, LeftOut(outcome.Dropped))
	}
	res.Locked = append(res.Locked, slices.Sorted(maps.Keys(ses.Locked))...)
	if j.commands != nil {
		j.commands.Describe(res)
	}
	if a := j.averaged.first; a != nil {
		// These are the settings for a log without averaging.
		res.Samples.Read = j.averaged.rows
		res.Processing.MotionCutoff, res.Processing.Trim = a.Band, j.Settings.TrimSeconds()
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
		res.Findings = append(res.Findings, result.Finding{ID: f.ID, Severity: string(severity), Log: f.Log, Joint: f.Joint, Why: f.Why, Fix: f.Advice(), Excess: string(f.Excess)})
	}
	if err := j.sumLogs(ctx, res.Logs); err != nil {
		return err
	}
	res.Judge(result.DefaultLimits())
	if err := j.Settings.Gate(res); err != nil {
		return err
	}
	res.NameSettings(j.Settings.naming)
	used := *j.Settings
	used.Lock, used.Model, used.Terms = ses.Locked, res.Model, res.Terms
	res.Configuration = used.Record()
	return nil
}

// tellApart prefixes logs of the same name with as many of their folders as needed: findings and runs are told apart by
// name.
func tellApart(runs []regression.Run) {
	for depth := 2; ; depth++ {
		paths, deeper := map[string]string{}, map[string]bool{} // path by name; names of several paths
		for i := range runs {
			name, path := runs[i].Name, runs[i].Log.Path()
			if other, taken := paths[name]; taken && other != path {
				deeper[name] = true
			}
			paths[name] = path
		}
		changed := false
		for i := range runs {
			if deeper[runs[i].Name] {
				parts := strings.Split(filepath.ToSlash(filepath.Clean(runs[i].Log.Path())), "/")
				name := strings.Join(parts[max(0, len(parts)-depth):], "/")
				changed, runs[i].Name = changed || name != runs[i].Name, name
			}
		}
		if !changed {
			return
		}
	}
}

// sumLogs writes the hashes of the logs' files into a result. Files that cannot be read again, such as pipes and
// folders, have none.
func (j *Job) sumLogs(ctx context.Context, logs []result.LogInfo) error {
	paths := map[string]string{} // by the name of a run
	for _, run := range slices.Concat(j.Train, j.Validate) {
		paths[run.Name] = run.Log.Path()
	}
	sums := map[string]string{} // by path: a file may hold many runs
	for i := range logs {
		path := paths[logs[i].Name]
		if _, done := sums[path]; !done {
			sums[path], _ = folder.FileSum(ctx, path)
		}
		logs[i].File, logs[i].SHA256 = filepath.Base(path), sums[path]
	}
	return ctx.Err()
}
