package project

import (
	"context"
	"fmt"
	"strings"

	"ident/identify/folder"
	"ident/identify/regression"
	"ident/observation"
	"ident/result"
)

// A Prediction holds the errors of a result on logs, the verdicts on them, and warnings, above all about logs that
// trained the result.
type Prediction struct {
	Validation *result.Validation
	Processing result.Processing
	Verdicts   []result.Verdict
	Grade      result.Grade
	Gates      []result.Gate // requirements on the torques
	Warnings   []string
	// Trained lists the logs with samples that trained the result: their errors say nothing about unseen motion.
	Trained []string
	// Residuals holds measured and predicted torques, for plots.
	Residuals []result.ResidualRun
	// Findings on the logs, beside what the result knows of the robot's bodies: reasons why the torques may differ. They make no grade.
	Findings []Finding
}

// Predict predicts the torques of logs. It filters them like the training logs, except where f.Settings say otherwise.
// ownBand must be set if these set the cut-off; the motion cut-off then follows from it too.
func (f *Fitted) Predict(ctx context.Context, paths []string, ownBand bool, report func(stage string, done, total int)) (*Prediction, error) {
	s := f.Settings
	ses, closeLogs, err := f.Sessions(ctx, paths)
	if err != nil {
		return nil, err
	}
	defer closeLogs()
	var trainedLogs []string
	for i := range ses.Runs {
		trained, err := f.trainedBy(ctx, &ses.Runs[i])
		if err != nil {
			return nil, err
		}
		ses.Warnings = append(ses.Warnings, f.changedSince(ctx, &ses.Runs[i])...)
		if len(trained) > 0 {
			trainedLogs = append(trainedLogs, ses.Runs[i].Name)
		}
		for _, name := range trained {
			ses.Warnings = append(ses.Warnings, fmt.Sprintf("%s holds samples of %s, which trained this result: its error says nothing about unseen motion", ses.Runs[i].Name, name))
		}
	}
	cfg := f.config(&ses.Runs[0], ownBand)
	cfg.Progress, cfg.Unactuated = report, LinksOf(ses.Robot, s.Unactuated)
	cfg.Known, _ = s.KnownValues()
	v, processing, residuals, err := regression.PredictSeries(ctx, f.Robot, f.Terms, f.Set, f.X, ses.Runs, cfg)
	if err != nil {
		return nil, err
	}
	ses.Warnings = append(ses.Warnings, slowerLogs(ses.Runs, processing.Cutoff, s.naming)...)
	v.Trained = trainedLogs
	judged := result.Result{Fit: f.Result.Fit, Validation: v, Processing: processing, Condition: f.Result.Condition,
		Joints: f.Result.Joints, JointUnits: f.Result.JointUnits, RatedTorque: f.Result.RatedTorque}
	judged.Judge(result.DefaultLimits())
	p := &Prediction{Validation: v, Processing: judged.Processing, Warnings: ses.Warnings, Trained: trainedLogs, Residuals: residuals}
	for _, vd := range judged.Verdicts {
		if vd.ID == "validation-error" || vd.ID == "generalisation" || vd.ID == "joint-error" {
			p.Verdicts = append(p.Verdicts, vd)
		}
	}
	gates, err := s.Requirements()
	if err != nil {
		return nil, err
	}
	judged.AcceptTorques(gates)
	p.Gates = judged.Gates
	result.NameVerdicts(p.Verdicts, s.naming)
	if f.Result.Commanded == nil { // torques of a law were not measured
		if p.Findings, err = CheckBeside(ctx, s, ses.Robot, ses.Runs, report, f.Known()); err != nil {
			return nil, err
		}
	}
	p.Grade = result.TorqueGradeOf(p.Verdicts)
	return p, nil
}

// slowerLogs warns of logs whose rate is too low for the cut-off of the result, in hertz: what differences make of their motion up to there
// is mostly noise, and their errors say little about the result.
func slowerLogs(runs []regression.Run, cutoff float64, name func(key string) string) (warnings []string) {
	for _, r := range runs {
		rate := observation.Rate(r.Log, r.Roles.T)
		if most := observation.RateShare * rate; rate > 0 && cutoff > rateSlack*most {
			warnings = append(warnings, NameSettings(fmt.Sprintf("%s has %.4g rows a second: the cut-off of %.4g Hz is above a fifth of that rate, the highest for differences of positions; judge it with {cutoff} %.2g", r.Name, rate, cutoff, most), name))
		}
	}
	return warnings
}

// rateSlack is how far a cut-off may exceed the most that a rate bears: clocks of logs differ by a few per cent.
const rateSlack = 1.05

// Sessions opens logs and maps them to the joints of the result. The caller must call closeLogs when done. If the
// result's logs had no torques, those of its controller's law are used.
func (f *Fitted) Sessions(ctx context.Context, paths []string) (_ *Session, closeLogs func(), err error) {
	s := f.Settings
	if err := s.readBeside(paths); err != nil {
		return nil, nil, err
	}
	logs, err := OpenLogs(ctx, s, paths)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			CloseLogs(logs)
		}
	}()
	if c := f.Result.Commanded; c != nil {
		with, _, err := s.withoutTorques(ctx, true, logs, c, nil)
		if err != nil {
			return nil, nil, err
		}
		logs = with
	}
	ses, err := Prepare(ctx, s, f.Source, logs, UseOf(f.Terms))
	if err != nil {
		return nil, nil, err
	}
	ses.Warnings = append(ses.Warnings, s.unlike(ses.Runs)...)
	if err := s.Supply(ses, f.Terms); err != nil {
		return nil, nil, err
	}
	if got, want := JointNames(ses.Robot), f.Result.Joints; strings.Join(got, " ") != strings.Join(want, " ") {
		return nil, nil, fmt.Errorf("the result has the joints %s, the logs %s", strings.Join(want, ", "), strings.Join(got, ", "))
	}
	return ses, func() { CloseLogs(logs) }, nil
}

// changedSince returns a warning if a log has the name of one of the result's but other content.
func (f *Fitted) changedSince(ctx context.Context, run *regression.Run) []string {
	for _, l := range f.Result.Logs {
		if l.Name != run.Name || l.SHA256 == "" {
			continue
		}
		if sum, err := folder.FileSum(ctx, run.Log.Path()); err == nil && sum != "" && sum != l.SHA256 {
			return []string{fmt.Sprintf("%s is not the file of that name which this result was made of: its content has changed, or it is another log", run.Log.Path())}
		}
	}
	return nil
}

// trainedBy returns the training logs of the result that share samples with a run.
func (f *Fitted) trainedBy(ctx context.Context, run *regression.Run) ([]string, error) {
	names, err := regression.Trained(ctx, f.Result.Logs, run)
	if err != nil {
		return nil, err
	}
	for _, l := range f.Result.Logs { // results of versions that kept no fingerprints
		if l.Role == "train" && l.EncodedFingerprints == "" && l.Name == run.Name && l.First < run.Last && run.First < l.Last {
			names = append(names, l.Name)
		}
	}
	return names, nil
}

// config returns the processing by the settings or, where they say nothing, by the result.
func (f *Fitted) config(first *regression.Run, ownBand bool) regression.Config {
	s, done := f.Settings, f.Result.Processing
	cfg := ConfigOf(s, first.Log, first.Roles.T)
	if s.Cutoff == nil {
		cfg.Cutoff = cutoffOf(done.Cutoff)
	}
	if s.MotionCutoff == nil && !ownBand {
		cfg.MotionCutoff, cfg.MotionOrder = cutoffOf(done.MotionCutoff), done.MotionOrder
	}
	if cfg.Velocity == "" {
		// Delay and noise of velocities differ between logs, so they are measured again.
		if cfg.Velocity = done.Velocity; done.Velocity == observation.Measured {
			cfg.Velocity = observation.Auto
		}
	}
	if cfg.Acceleration == "" {
		cfg.Acceleration = done.Acceleration
	}
	if r := done.Rest; r != nil && s.Rest != regression.RestKeep {
		cfg.Rest, cfg.RestRule = regression.RestDrop, &observation.RestRule{Range: r.Range, Seconds: r.Seconds}
	} else if s.Rest != regression.RestDrop {
		cfg.Rest = regression.RestKeep
	}
	return cfg
}
