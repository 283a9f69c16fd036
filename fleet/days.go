package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"ident/estimate/summary"
	"ident/fleet/intake"
	"ident/identify"
)

// The bounds of a robot's day. Up to dayLogs logs stay as they are. Of more, those of one signal path become one run of dayBlocks time
// blocks at most, with dayPrints fingerprints, and logs of all but dayPaths signal paths are refused.
const (
	dayLogs   = 16
	dayBlocks = 64
	dayPrints = 16384
	dayPaths  = 4
)

// days bounds the days of robots. The checks that need a log for itself, samples in common and another robot's torques, are made
// among the logs of a day before these are merged.
type days struct {
	Settings string
	Folder   string // of summaries; "" where members hold them

	reader *intake.Reader
}

// InDay is a log that is part of a day's summary.
type InDay struct {
	Day string // name of the run that stands for the day in its summary
	Log Taken
}

func (d *days) Setup() (err error) {
	d.reader, err = intake.NewReader(intake.Options{Settings: d.Settings})
	return err
}

func (d *days) Teardown() error { return d.reader.Close() }

func (d *days) ProcessElement(ctx context.Context, key string, p Part, emit func(string, Part), joined func(string, InDay), refuse func(intake.Refusal)) error {
	if len(p.Members) <= dayLogs {
		emit(p.Robot, p)
		return nil
	}
	logs := map[string]Taken{}
	for _, m := range p.Members {
		logs[m.Log.Log] = m.Log
	}
	leave := func(log, reason string, err error) {
		if t, left := logs[log]; left {
			delete(logs, log)
			refuse(refusal(p.Robot, t, reason, err))
		}
	}
	out, of, err := d.bounded(ctx, groupName(key), p, leave)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		for _, m := range p.Members {
			leave(m.Log.Log, intake.Fit, err)
		}
		return nil
	}
	for _, m := range p.Members {
		if day := of[m.Log.Log]; day != "" {
			joined(p.Robot, InDay{day, m.Log})
		}
	}
	if len(out.Members) > 0 {
		emit(p.Robot, out)
	}
	return nil
}

// refusal returns that of a log that was taken.
func refusal(robot string, t Taken, reason string, err error) intake.Refusal {
	return intake.Refusal{Robot: robot, Log: t.Log, Entry: t.Entry, Reason: reason, Message: err.Error(), File: t.Log}
}

// bounded merges the logs of a day, and tells by log which run holds it. A panic is an error.
func (d *days) bounded(ctx context.Context, name string, p Part, leave func(log, reason string, err error)) (out Part, of map[string]string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: %v", intake.Panic, fault)
		}
	}()
	paths, err := kinds(p)
	if err != nil {
		return out, nil, err
	}
	settings, err := d.reader.Settings()
	if err != nil {
		return out, nil, err
	}
	alone := map[string]Member{}
	for _, m := range p.Members {
		alone[m.Log.Log] = m
	}
	out, of = Part{Robot: p.Robot, File: p.File}, map[string]string{}
	for i, s := range paths {
		if i >= dayPaths {
			for _, r := range s.Runs {
				leave(r.Name, intake.SignalPath, fmt.Errorf("it has a rare signal path: each of %d other signal paths has more logs of the same day", dayPaths))
			}
			continue
		}
		if s, err = apart(s, nil, leave); err != nil {
			return out, nil, err
		}
		if len(s.Runs) <= dayLogs {
			for _, r := range s.Runs {
				if m, left := alone[r.Name]; left { // a log's runs are in one summary
					out.Members = append(out.Members, m)
					delete(alone, r.Name)
				}
			}
			continue
		}
		day := Member{Log: Taken{Log: fmt.Sprintf("%s, signal path %d", name, i+1)}}
		one := s.Joined(day.Log.Log, dayBlocks, dayPrints)
		solved, fault := identify.FitSummary(ctx, one, settings)
		if ctx.Err() != nil {
			return out, nil, ctx.Err()
		}
		if fault == nil { // a day's motions need not determine the parameters
			x := values(solved)
			if kept := fitting(s, x, leave); len(kept.Runs) < len(s.Runs) {
				s, one = kept, kept.Joined(day.Log.Log, dayBlocks, dayPrints)
			}
			day.Worst = worst(s, x)
		}
		for _, r := range s.Runs {
			if of[r.Name] == "" {
				of[r.Name], day.Logs = day.Log.Log, day.Logs+1
			}
		}
		var text bytes.Buffer
		if err := summary.Encode(&text, one); err != nil {
			return out, nil, err
		}
		day.Summary = text.Bytes()
		if day, err = day.held(d.Folder, p.Robot+" "+day.Log.Log); err != nil {
			return out, nil, err
		}
		out.Members = append(out.Members, day)
	}
	return out, of, nil
}

// apart leaves out the runs that have samples in common with one before, in the order of their keys; of a log and a day of
// logs the log. Two days with a few samples in common stay, as the logs with these cannot be named.
func apart(s *summary.Summary, day map[string]bool, leave func(log, reason string, err error)) (*summary.Summary, error) {
	for {
		parts := make([]*summary.Summary, len(s.Runs))
		for i := range s.Runs {
			one := *s
			one.Runs = s.Runs[i : i+1]
			parts[i] = &one
		}
		merged, err := summary.Merge(parts...)
		var twice *summary.OverlapError
		if !errors.As(err, &twice) {
			return merged, err
		}
		first, second := runOf(s, twice.First), runOf(s, twice.Second)
		if day[second.Name] && !day[first.Name] {
			second = first
		}
		if day[second.Name] && 2*twice.Prints < len(second.Prints) {
			own := *second
			own.Prints = slices.DeleteFunc(slices.Clone(own.Prints), func(p uint64) bool {
				_, common := slices.BinarySearch(first.Prints, p)
				return common
			})
			s = without(s, func(r *summary.Run) bool { return r.Name == own.Name })
			s.Runs = append(s.Runs, own)
			continue
		}
		name := second.Name
		leave(name, intake.Overlap, err)
		s = without(s, func(r *summary.Run) bool { return r.Name == name })
	}
}

// runOf returns the first run of a name that the summary has.
func runOf(s *summary.Summary, name string) *summary.Run {
	return &s.Runs[slices.IndexFunc(s.Runs, func(r summary.Run) bool { return r.Name == name })]
}

// without returns a summary without some of its runs.
func without(s *summary.Summary, left func(*summary.Run) bool) *summary.Summary {
	kept := *s
	kept.Runs = slices.DeleteFunc(slices.Clone(s.Runs), func(r summary.Run) bool { return left(&r) })
	return &kept
}

// fitting returns a summary without the runs of which parameters leave more than misfit, all where that would be every
// one.
func fitting(s *summary.Summary, x []float64, leave func(log, reason string, err error)) *summary.Summary {
	foreign := misfits(s, x)
	if len(foreign) == 0 || len(foreign) == len(s.Runs) {
		return s
	}
	return without(s, func(r *summary.Run) bool {
		percent, bad := foreign[r.Name]
		if bad {
			leave(r.Name, intake.Misfit, fmt.Errorf("the parameters from all logs of the robot leave %.0f %% of the torques of this log unexplained", percent))
		}
		return bad
	})
}

// worst returns the runs with the largest errors of parameters, at most three.
func worst(s *summary.Summary, x []float64) []LogError {
	var out []LogError
	for i := range s.Runs {
		out = append(out, LogError{s.Runs[i].Name, percent(errorOf(&s.Runs[i], s.Model.Masks, x))})
	}
	return largestErrors(out)
}

func largestErrors(all []LogError) []LogError {
	slices.SortStableFunc(all, func(a, b LogError) int { return cmp.Or(-cmp.Compare(a.Percent, b.Percent), cmp.Compare(a.Log, b.Log)) })
	return all[:min(3, len(all))]
}
