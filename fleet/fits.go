package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"ident/estimate/summary"
	"ident/estimate/summary/drift"
	"ident/fleet/intake"
	"ident/identify"
)

// Fitted is a robot's fit.
type Fitted struct {
	Robot, File string
	Logs        []Taken  // logs that the fit holds one by one
	Days        []Day    // days whose logs the fit holds as one run each
	Names       []string // names of the base parameters
	Values      []float64
	Sigmas      []float64
	Error       float64 // relative error over all logs, percent
	Grade       string
	Worst       []LogError // logs with the largest errors, at most three
	Drift       []byte     // document ident.drift/1; nil where there are too few windows
	Changes     []Change
	Windows     int // number of windows that have an estimate
}

// count returns the number of all logs that the fit holds.
func (f *Fitted) count() int64 {
	n := len(f.Logs)
	for _, d := range f.Days {
		n += d.Logs
	}
	return int64(n)
}

// Day is a day of logs that the fit holds as one run.
type Day struct {
	Name string `json:"day"`
	Logs int    `json:"logs"`
}

// LogError is the error of the robot's parameters on a log.
type LogError struct {
	Log     string
	Percent float64
}

// Change is a step of a parameter over time.
type Change struct {
	Parameter              string
	Start                  int64 // start of the first window after the step, ms since 1970-01-01 UTC
	Before, After, Percent float64
	Z, Chance              float64 // Z is the step over its standard deviation, Chance the probability that a robot without change shows such a step anywhere
}

// fit fits robots, and looks for changes over time.
type fit struct {
	Settings string
	Window   float64 // s

	reader *intake.Reader
}

func (f *fit) Setup() (err error) {
	f.reader, err = intake.NewReader(intake.Options{Settings: f.Settings})
	return err
}

func (f *fit) Teardown() error { return f.reader.Close() }

func (f *fit) ProcessElement(ctx context.Context, _ string, p Part, emit func(Fitted), days func(string, DayFate), refuse func(intake.Refusal)) error {
	left := map[string]Member{}
	for _, m := range p.Members {
		left[m.Log.Log] = m
	}
	leave := func(log, reason string, err error) {
		m, is := left[log]
		delete(left, log)
		switch {
		case !is:
		case m.Logs > 1:
			days(p.Robot, DayFate{log, reason, err.Error()})
		default:
			refuse(refusal(p.Robot, m.Log, reason, err))
		}
	}
	out, err := f.robot(ctx, p, leave)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, m := range p.Members {
		name := m.Log.Log
		if _, is := left[name]; !is {
			continue
		}
		switch {
		case err != nil:
			leave(name, intake.Fit, err)
		case m.Logs > 1:
			days(p.Robot, DayFate{Day: name})
			out.Days = append(out.Days, Day{name, m.Logs})
		default:
			out.Logs = append(out.Logs, m.Log)
		}
	}
	if err == nil {
		emit(*out)
	}
	return nil
}

// robot fits the robot; leave is told of members that are left out. A panic is an error.
func (f *fit) robot(ctx context.Context, p Part, leave func(log, reason string, err error)) (out *Fitted, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			out, err = nil, fmt.Errorf("%s: %v", intake.Panic, fault)
		}
	}()
	members, day := map[string]Member{}, map[string]bool{}
	for _, m := range p.Members {
		members[m.Log.Log], day[m.Log.Log] = m, m.Logs > 1
	}
	all, err := together(p, day, leave)
	if err != nil {
		return nil, err
	}
	settings, err := f.reader.Settings()
	if err != nil {
		return nil, err
	}
	solve := func(s *summary.Summary) (*identify.FittedSummary, error) {
		return identify.FitSummary(ctx, s, settings)
	}
	solved, err := solve(all)
	if err != nil {
		return nil, err
	}
	kept := fittingOthers(all, values(solved), func(s *summary.Summary) []float64 {
		one, fault := solve(s)
		if fault != nil { // the other motions need not determine the parameters
			return nil
		}
		return values(one)
	}, leave)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(kept.Runs) < len(all.Runs) {
		all = kept
		if solved, err = solve(all); err != nil {
			return nil, err
		}
	}
	out = &Fitted{Robot: p.Robot, File: p.File, Grade: string(solved.Result.Grade.Value)}
	for _, b := range solved.Result.BaseParameters {
		out.Names, out.Values, out.Sigmas = append(out.Names, b.Name), append(out.Values, b.Value), append(out.Sigmas, b.Sigma)
	}
	var left, whole float64
	for i := range all.Runs {
		r := &all.Runs[i]
		l, w := errorOf(r, all.Model.Masks, out.Values)
		m := members[r.Name]
		left, whole = left+float64(m.Logs)*l, whole+float64(m.Logs)*w
		if day[r.Name] {
			out.Worst = append(out.Worst, m.Worst...)
		} else {
			out.Worst = append(out.Worst, LogError{r.Name, percent(l, w)})
		}
	}
	out.Error, out.Worst = percent(left, whole), largestErrors(out.Worst)
	return out, f.drift(ctx, all, out)
}

// drift looks for changes over time.
func (f *fit) drift(ctx context.Context, s *summary.Summary, out *Fitted) error {
	report, err := drift.Of(ctx, s, f.Window)
	if errors.Is(err, drift.ErrFew) || errors.Is(err, drift.ErrClocks) {
		return nil
	} else if err != nil {
		return err
	}
	if out.Drift, err = json.Marshal(report); err != nil {
		return err
	}
	out.Windows = len(report.Windows)
	for _, c := range report.Changes {
		out.Changes = append(out.Changes, Change{c.Parameter, int64(math.Round(1000 * c.Time)), c.Before, c.After, c.Percent, c.Z, c.Chance})
	}
	return nil
}

// together merges the summaries of a part: those of the signal path that most logs have, without logs whose samples are in another.
func together(p Part, day map[string]bool, leave func(log, reason string, err error)) (*summary.Summary, error) {
	paths, err := kinds(p)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("no summary")
	}
	for _, other := range paths[1:] {
		_, why := summary.Merge(paths[0], other)
		if why == nil {
			why = errors.New("its signal path is not that of most of the robot's logs")
		}
		for _, r := range other.Runs {
			leave(r.Name, reasonOf(why), why)
		}
	}
	return apart(paths[0], day, leave)
}

// reasonOf returns the reason why a log is not with the others of its robot: another file of the robot is no other
// signal path.
func reasonOf(why error) string {
	var differ *summary.DifferenceError
	if errors.As(why, &differ) && differ.Part == "robot" {
		return intake.RobotFile
	}
	return intake.SignalPath
}

// values returns the base parameters of a fit.
func values(s *identify.FittedSummary) []float64 {
	var x []float64
	for _, b := range s.Result.BaseParameters {
		x = append(x, b.Value)
	}
	return x
}

// misfit is the error, in per cent of the torques, from which a log is another robot's: with no model at all it is 100.
const misfit = 50

// misfits returns the logs of larger errors, with these.
func misfits(s *summary.Summary, x []float64) map[string]float64 {
	out := map[string]float64{}
	for i := range s.Runs {
		if l, w := errorOf(&s.Runs[i], s.Model.Masks, x); !(percent(l, w) <= misfit) {
			out[s.Runs[i].Name] = percent(l, w)
		}
	}
	return out
}

// errorOf returns the sum of squares that parameters leave of a run's torques, and that of the torques, each joint's
// over its Σy², so that a strong joint does not hide a weak one: ‖W·x − y‖² = ‖R·x − z‖² + rss.
func errorOf(r *summary.Run, masks [][]int, x []float64) (left, whole float64) {
	for k, mask := range masks {
		var rest, total float64
		for _, b := range r.Blocks {
			f := b.Joints[k]
			rest, total = rest+f.RSS, total+f.YY
			for i := range f.N {
				d := -f.Z[i]
				for j := i; j < f.N && mask[j] < len(x); j++ {
					d += f.R[i*f.N+j] * x[mask[j]]
				}
				rest += d * d
			}
		}
		if total > 0 {
			left, whole = left+rest/total, whole+1
		}
	}
	return left, whole
}

func percent(left, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return 100 * math.Sqrt(left/whole)
}
