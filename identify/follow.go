package identify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/observation"
)

// reportSeconds is the time between two reports of a running estimate, in seconds of the log.
const reportSeconds = 5

// A Follower identifies while a log grows. The text is CSV or TSV with channel names first. The caller must pass it to
// [Follower.Take] as it comes, in whole lines, and finally call [Follower.Close].
type Follower struct {
	project *Project
	report  func(Running) error
	stream

	early  []byte // rows that have not been enough to begin with
	online *regression.Online
	every  int // rows between reports
}

// Running is the estimate after some rows.
type Running struct {
	Rows int // number of rows read so far
	// Estimate is nil as long as the rows do not determine the parameters; Err is the reason.
	Estimate *regression.Now
	Set      *baseparams.Set
	Err      error
}

// Follow starts to follow the only log of the project, "-" for a stream, and calls report every five seconds of the
// log's time. The running estimate has its own estimator, a single model, and no setting that needs the complete log:
// other settings are an error.
func (p *Project) Follow(report func(Running) error) (*Follower, error) {
	s := p.Settings
	kinds, err := p.Models()
	if err != nil {
		return nil, err
	}
	switch {
	case len(p.logs) != 1:
		return nil, project.NewSettingError("follow", "", "{follow} reads one log, or - for standard input")
	case s.Estimator != "" && s.Estimator != "wls" && s.Estimator != "recursive":
		return nil, project.NewSettingError("estimator", s.Estimator, "{follow} has an estimator of its own: leave out {estimator} %s", s.Estimator)
	case len(s.Accept) > 0:
		return nil, project.NewSettingError("accept", "", "{accept} judges a result that is finished: leave out {follow} or {accept}")
	case len(s.Validate) > 0 || s.TrainFraction > 0 || s.Feasible() || len(s.Rows) > 0 || len(kinds) > 1 || s.Periodic != "":
		return nil, project.NewSettingError("follow", "", "{follow} gives a running estimate: {validate}, {train-fraction}, {physically-consistent}, {rows}, {periodic} and several models need the whole log")
	}
	s.Estimator = "recursive"
	if err := project.CheckFit(s); err != nil {
		return nil, err
	}
	return &Follower{project: p, report: report, stream: stream{settings: s, name: p.logs[0]}}, nil
}

// Take processes lines as they come; final says that there will be no more.
func (f *Follower) Take(ctx context.Context, text []byte, final bool) error {
	text, err := f.body(text)
	if err != nil {
		return err
	}
	if f.online == nil {
		f.early = append(f.early, text...)
		if len(f.early) == 0 {
			return nil
		}
		log, err := f.open(f.early)
		if err != nil {
			return err
		}
		if err := f.begin(ctx, log, final); err != nil || f.online == nil {
			return err
		}
		f.early = nil
		return f.add(log)
	}
	if len(text) == 0 {
		return nil
	}
	log, err := f.next(text)
	if err != nil {
		return err
	}
	return f.add(log)
}

// begin opens the running estimate once there are enough rows.
func (f *Follower) begin(ctx context.Context, log *datasets.Log, final bool) error {
	p := f.project
	ses, terms, err := project.OpenSession(ctx, p.Settings, p.robotGiven, log)
	if err != nil {
		return err
	}
	head := ses.Runs[0]
	t, err := log.Column(head.Roles.T)
	if err != nil {
		return err
	}
	if !regression.Enough(t) {
		if final {
			return fmt.Errorf("%s: %d rows are too few to begin with", f.name, len(t))
		}
		return nil
	}
	kinds, err := p.Models()
	if err != nil {
		return err
	}
	cfg := project.ConfigOf(p.Settings, log, head.Roles.T)
	cfg.Model = kinds[0]
	head.Name = f.name
	if f.online, err = regression.NewOnline(ctx, ses.Robot, terms, head, cfg, p.Settings.Memory); err != nil {
		return err
	}
	f.every = max(1, int(math.Round(reportSeconds*observation.Rate(log, head.Roles.T))))
	for _, w := range ses.Warnings {
		p.Warning(w)
	}
	p.Remark(fmt.Sprintf("the estimate is %.2g s behind the newest row", f.online.Delay()))
	return nil
}

// add passes rows on and reports when due.
func (f *Follower) add(log *datasets.Log) error {
	for at := 0; at < log.Rows(); {
		end := min(log.Rows(), at+f.every-f.rows%f.every)
		if err := f.online.Add(log.Slice(at, end)); err != nil {
			return err
		}
		f.rows += end - at
		at = end
		if f.rows%f.every == 0 {
			if err := f.tell(); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell reports the current estimate.
func (f *Follower) tell() error {
	now, err := f.now()
	if err != nil {
		return err
	}
	return f.report(now)
}

func (f *Follower) now() (Running, error) {
	out := Running{Rows: f.rows, Set: f.online.Set}
	now, err := f.online.Estimate()
	var rank *estimate.RankError
	switch {
	case errors.As(err, &rank), errors.Is(err, estimate.ErrNoData):
		out.Err = err
	case err != nil:
		return out, err
	default:
		out.Estimate = now
	}
	return out, nil
}

// End reduces the end of the log, reports, and returns the last estimate.
func (f *Follower) End() (Running, error) {
	if f.online == nil {
		return Running{}, fmt.Errorf("%s: no rows", f.name)
	}
	if err := f.online.Close(); err != nil {
		return Running{}, err
	}
	if err := f.tell(); err != nil {
		return Running{}, err
	}
	last, err := f.now()
	if err == nil && last.Err != nil {
		last.Err = f.explain(last.Err)
	}
	return last, err
}

// Close releases the current rows.
func (f *Follower) Close() { f.close() }

// explain adds the names of the parameters that the rows do not determine to err.
func (f *Follower) explain(err error) error {
	var rank *estimate.RankError
	if !errors.As(err, &rank) {
		return err
	}
	var names []string
	for _, c := range rank.Undetermined {
		names = append(names, f.online.Set.Name(c))
	}
	return fmt.Errorf("%w; not determined alone: %s", err, strings.Join(names, ", "))
}
