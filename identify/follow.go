package identify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/datasets"
	"ident/estimate"
	"ident/filter"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/observation"
	"ident/regressor"
	"ident/watch"
)

// ErrNoRows is the error of a stream that ended without a row.
var ErrNoRows = errors.New("the stream had no row")

// reportSeconds is the time between two reports of a running estimate, in seconds of the log.
const reportSeconds = 5

// A Follower identifies while a log grows. The text is CSV or TSV with channel names first. The caller must pass it to
// [Follower.Take] as it comes, in whole lines, and finally call [Follower.Close].
type Follower struct {
	project *Project
	report  func(Running) error
	stream

	channels []datasets.Channel // of the early rows
	meta     map[string]string
	early    [][]float64      // sound rows that have not been enough to begin with, by channel
	head     *observation.Run // the first rows
	rates    rates
	bounds   watch.Bounds
	before   watch.Columns // the last sound row, for the steps of positions
	online   *regression.Online
	counted  int // early rows that were judged
	every    int // rows between reports
	out      int // rows and lines that were left out
}

// Running is the estimate after some rows.
type Running struct {
	Rows    int // number of rows read so far
	LeftOut int // rows and lines among the log's that are no rows of a robot, or not sound
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
	s = s.OfStream(p.logs[0])
	p.Settings = s
	s.Estimator = "recursive"
	if err := project.CheckFit(s); err != nil {
		return nil, err
	}
	return &Follower{project: p, report: report, stream: stream{settings: s, name: p.logs[0]}}, nil
}

// Take processes lines as they come; final says that there will be no more. Lines that are no rows, and rows that are not sound, are left out.
func (f *Follower) Take(ctx context.Context, text []byte, final bool) error {
	if err := f.sections(text, func(p section) error { return f.section(ctx, p) }); err != nil {
		return err
	}
	if final && f.online == nil && len(f.early) > 0 && len(f.early[0]) > 0 {
		return f.short()
	}
	return nil
}

// Again expects that the next text begins with the names of the channels: the file was rotated.
func (f *Follower) Again() { f.again() }

// section processes lines under one line of names.
func (f *Follower) section(ctx context.Context, p section) error {
	log, lost, err := f.log(p)
	if err != nil {
		return err
	}
	for i := range lost {
		f.leftOut(lost[i].text())
		f.out += lost[i].lines - 1
	}
	if log == nil {
		return nil
	}
	if f.online != nil {
		return f.add(log)
	}
	return f.gather(ctx, log)
}

// toldLeftOut is how many rows and lines that are left out have a warning of their own.
const toldLeftOut = 5

// leftOut counts a row or line that is left out.
func (f *Follower) leftOut(why string) {
	if f.out++; f.out <= toldLeftOut {
		f.project.Warning(f.name + ": left out: " + why)
	}
}

// The bounds of a running fit, which has no quiet rows: its first two seconds may be at rest. Drives turn by less than 1000 rad/s and 100 m/s, and
// give less than 100 kN·m. In other units of a log, currents or counts, the first rows set the scale.
const (
	mostRate   = 1e3
	mostTorque = 1e5
)

// gather adds rows to those that may begin, and begins with the first stretch without a gap that is long enough.
func (f *Follower) gather(ctx context.Context, log *datasets.Log) error {
	cols, err := log.Columns(log.Names()...)
	if err != nil {
		return err
	}
	if !slices.Equal(f.channels, log.Channels()) {
		f.channels, f.meta, f.early, f.counted = log.Channels(), log.Meta(), make([][]float64, len(cols)), 0
	}
	for c := range cols {
		f.early[c] = append(f.early[c], cols[c]...)
	}
	ses, _, err := f.session(ctx, 0, len(f.early[0]))
	if err != nil {
		return err
	}
	head := &ses.Runs[0]
	var r rates
	motion, err := columnsOf(head, head.Log, &r, true)
	if err != nil {
		return err
	}
	step := filter.AnalyseClock(motion.T).Median
	rate := 1.0
	if step > 0 && step <= math.MaxFloat64 {
		rate = 1 / step
	}
	f.bounds = watch.BoundsOf(make([]bool, len(head.Roles.Q)), rate, motion).AtLeast(mostRate, mostTorque, rate)
	from, rows := 0, len(motion.T)
	for k := range rows {
		switch sound := f.bounds.Sound(&motion, k); {
		case sound && (k == from || math.Abs(motion.T[k]-motion.T[k-1]-step) < step/2):
			continue
		case regression.Enough(motion.T[from:k]):
			return f.begin(ctx, from, k)
		case sound:
			from = k
		default:
			if k >= f.counted {
				f.leftOut(fmt.Sprintf("a row near %.6g s is not sound", motion.T[k]))
			}
			from = k + 1
		}
	}
	if regression.Enough(motion.T[from:]) {
		return f.begin(ctx, from, rows)
	}
	for c := range f.early {
		f.early[c] = f.early[c][from:]
	}
	f.counted = rows - from
	return nil
}

// short returns the error of a log without a stretch that is long enough to begin with.
func (f *Follower) short() error {
	return fmt.Errorf("%s: %d rows are too few to begin with", f.name, len(f.early[0]))
}

// session opens some of the early rows.
func (f *Follower) session(ctx context.Context, from, last int) (*project.Session, []regressor.Term, error) {
	cols := make([][]float64, len(f.early))
	for c := range cols {
		cols[c] = slices.Clone(f.early[c][from:last])
	}
	return project.OpenSession(ctx, f.project.Settings, f.project.robotGiven, datasets.FromColumns(f.name, f.channels, cols, f.meta))
}

// begin opens the running estimate with a stretch of the early rows, and passes on the rows behind it.
func (f *Follower) begin(ctx context.Context, from, last int) error {
	p := f.project
	ses, terms, err := f.session(ctx, from, last)
	if err != nil {
		return err
	}
	head := ses.Runs[0]
	log := head.Log
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
	f.head, f.rates.most = &head, f.bounds.Rate
	f.every = max(1, int(math.Round(reportSeconds*observation.Rate(log, head.Roles.T))))
	for _, w := range ses.Warnings {
		p.Warning(w)
	}
	p.Remark(fmt.Sprintf("the estimate is %.2g s behind the newest row", f.online.Delay()))
	if err := f.add(log); err != nil {
		return err
	}
	rest := f.early
	for c := range rest {
		rest[c] = rest[c][last:]
	}
	f.early = nil
	return f.add(datasets.FromColumns(f.name, f.channels, rest, f.meta))
}

// add passes the sound rows on. Where one is left out, or the clock is not that of the row before, another segment begins.
func (f *Follower) add(log *datasets.Log) error {
	cols, err := columnsOf(f.head, log, &f.rates, true)
	if err != nil {
		return fmt.Errorf("%s, after row %d: %w", f.name, f.rows, err)
	}
	from := 0
	for k := 0; k <= len(cols.T); k++ {
		switch {
		case k < len(cols.T) && !f.sound(cols, k):
			f.leftOut(fmt.Sprintf("a row near %.6g s is not sound", cols.T[k]))
			if err := f.pass(log, from, k); err != nil {
				return err
			}
			if err := f.online.Break(); err != nil {
				return err
			}
			from = k + 1
		case k == len(cols.T):
			return f.pass(log, from, k)
		case !f.online.Follows(cols.T[k]) && k == from, k > from && !f.online.Steady(cols.T[k]-cols.T[k-1]):
			if err := f.pass(log, from, k); err != nil {
				return err
			}
			if err := f.online.Break(); err != nil {
				return err
			}
			from = k
		}
	}
	return nil
}

// sound reports whether a row is sound, beside the last sound one.
func (f *Follower) sound(c watch.Columns, k int) bool {
	pair := watch.Columns{T: append(slices.Clone(f.before.T), c.T[k])}
	for j := range c.Q {
		var q, v, tau []float64
		if len(f.before.T) > 0 {
			q, v, tau = f.before.Q[j], f.before.DQ[j], f.before.Tau[j]
		}
		pair.Q, pair.DQ, pair.Tau = append(pair.Q, append(slices.Clone(q), c.Q[j][k])), append(pair.DQ, append(slices.Clone(v), c.DQ[j][k])), append(pair.Tau, append(slices.Clone(tau), c.Tau[j][k]))
	}
	last := len(pair.T) - 1
	if !f.bounds.Sound(&pair, last) {
		f.before = watch.Columns{} // a position that stays where it has jumped to is sound
		return false
	}
	f.before = pair.Slice(last, last+1)
	return true
}

// pass passes rows on and reports when due.
func (f *Follower) pass(log *datasets.Log, at, last int) error {
	for at < last {
		end := min(last, at+f.every-f.rows%f.every)
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
	out := Running{Rows: f.rows, LeftOut: f.out, Set: f.online.Set}
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
		return Running{LeftOut: f.out}, ErrNoRows
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
