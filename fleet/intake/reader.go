package intake

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"ident/doctor"
	"ident/estimate/summary"
	"ident/identify"
	"ident/identify/project"
)

// Options are those of every log.
type Options struct {
	Settings string // the text of ident.yaml
	Refuse   Least  // findings that refuse a log although they are warnings
	Attempts int    // how often to try a file system that fails; 0 means 3
	// Fail, if not nil, is called before each attempt; its error counts as a temporary failure. For tests.
	Fail func(e Entry, attempt int) error
}

// Least are ids of findings, each with the value from which it refuses a log.
type Least map[string]float64

// DefaultRefuse lists findings which show that a log belongs to another robot, or a channel holds something else than
// its name says. The doctor calls them warnings, because the owner of a single log can check them. A load of a
// twentieth of the arm's mass that is not in the robot file leaves a third of the torque of the bodies
// (robot-mismatch): a fleet is watched to find such loads, so they are no reason to refuse. A gear ratio is a warning
// from a tenth on, with a standard deviation of a twelfth: about one of ten thousand good logs shows it by chance.
func DefaultRefuse() Least {
	return Least{doctor.Sign: 0, doctor.Units: 0, doctor.Stuck: 0, doctor.ClockRate: 0, doctor.JointOrder: 0,
		doctor.RobotMismatch: 0.6,  // of the torques of bodies
		doctor.LagVelocity:   0.4,  // of the velocity that positions do not explain, or s
		doctor.GearRatio:     1.25} // the factor, or its inverse
}

// A Reader reads and reduces logs. It may be used by several goroutines.
type Reader struct {
	opt    Options
	folder string // for copies and settings

	mu     sync.Mutex
	robots map[string]string // paths of the robots' files on disk
}

// NewReader makes a reader with a temporary folder, which Close removes.
func NewReader(opt Options) (*Reader, error) {
	folder, err := os.MkdirTemp("", "ident-fleet-")
	if err != nil {
		return nil, err
	}
	if opt.Attempts == 0 {
		opt.Attempts = 3
	}
	r := &Reader{opt: opt, folder: folder, robots: map[string]string{}}
	if err := os.WriteFile(filepath.Join(folder, project.File), []byte(opt.Settings), 0o666); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if _, err := r.Settings(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close removes the reader's files.
func (r *Reader) Close() error { return os.RemoveAll(r.folder) }

// Settings reads the settings anew: a fit writes into its own.
func (r *Reader) Settings() (*project.Settings, error) {
	return project.Read(filepath.Join(r.folder, project.File))
}

// robot returns the path of a robot's file on disk.
func (r *Reader) robot(ctx context.Context, name string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, ok := r.robots[name]; ok {
		return at, nil
	}
	folder, err := os.MkdirTemp(r.folder, "robot-")
	if err != nil {
		return "", err
	}
	at, err := onDisk(ctx, name, folder)
	if err == nil {
		r.robots[name] = at
	}
	return at, err
}

// transient is an error that may pass.
type transient struct{ error }

func (e transient) Unwrap() error { return e.error }

// Reduced is the summary of a log.
type Reduced struct {
	Summary  []byte  // summary in the format of package summary
	Start    float64 // start of its first run, s
	Absolute bool    // Start counts from 1970-01-01 UTC
}

// Take makes the summary of a log, or its refusal. The error is that of ctx alone.
func (r *Reader) Take(ctx context.Context, e Entry) (*Reduced, *Refusal, error) {
	for attempt := 1; ; attempt++ {
		out, refused, err := r.attempt(ctx, e, attempt)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			return out, refused, nil
		}
		if attempt >= r.opt.Attempts {
			return nil, e.refuse(Storage, fmt.Errorf("%d attempts: %w", attempt, err)), nil
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(time.Duration(attempt*attempt) * 50 * time.Millisecond):
		}
	}
}

// attempt is one of Take's; its error is one that may pass.
func (r *Reader) attempt(ctx context.Context, e Entry, attempt int) (out *Reduced, refused *Refusal, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			out, refused, err = nil, e.refuse(Panic, fmt.Errorf("%v", fault)), nil
		}
	}()
	if r.opt.Fail != nil {
		if err := r.opt.Fail(e, attempt); err != nil {
			return nil, nil, err
		}
	}
	out, err = r.reduce(ctx, e)
	var passes transient
	switch {
	case err == nil:
		return out, nil, nil
	case errors.As(err, &passes):
		return nil, nil, err
	case errors.As(err, &refused):
		return nil, refused, nil
	}
	return nil, e.refuse(Unreadable, err), nil
}

// opened tells an absent file from a file system that fails.
func opened(e Entry, reason string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return e.refuse(reason, err)
	}
	return transient{err}
}

// reduce returns the work.
func (r *Reader) reduce(ctx context.Context, e Entry) (*Reduced, error) {
	robot, err := r.robot(ctx, e.File)
	if err != nil {
		return nil, opened(e, RobotFile, err)
	}
	folder := ""
	if !local(e.Log) {
		if folder, err = os.MkdirTemp(r.folder, "log-"); err != nil {
			return nil, transient{err}
		}
		defer os.RemoveAll(folder)
	}
	path, err := onDisk(ctx, e.Log, folder)
	if err != nil {
		return nil, opened(e, NoFile, err)
	}
	s, err := r.Settings()
	if err != nil {
		return nil, err
	}
	s.Robot = robot
	if _, err := project.FindRobot(s, true); err != nil {
		return nil, e.refuse(RobotFile, err)
	}
	logs, err := project.OpenLogs(ctx, s, []string{path})
	if err != nil {
		return nil, e.refuse(Unreadable, err)
	}
	project.CloseLogs(logs)
	var stage string // what the reduction is at, as long as it is neither refused nor done
	sum, err := identify.New(s, true, path).Reduce(ctx, identify.ReduceOptions{
		Inspect: func(job *project.Job) error { stage = Unreadable; return e.channels(s, job) },
		Refuse:  func(found []project.Finding) error { stage = Reduction; return r.refusal(e, found) },
	})
	var refused *Refusal
	switch {
	case errors.As(err, &refused):
		return nil, refused
	case err != nil:
		return nil, e.refuse(cmp.Or(stage, Channels), err)
	}
	for i := range sum.Runs {
		run := &sum.Runs[i]
		run.Name = e.Log // the runs of a robot are told apart by their whole paths
		if !run.Absolute && e.Start != 0 {
			run.Start, run.Absolute = run.Start+float64(e.Start)/1000, true
		}
	}
	sum.Robot.Name = e.File
	var out bytes.Buffer
	if err := summary.Encode(&out, sum); err != nil {
		return nil, e.refuse(Reduction, err)
	}
	return &Reduced{out.Bytes(), sum.Runs[0].Start, sum.Runs[0].Absolute}, nil
}

// channels refuses a log that lacks the channels of a joint, or has those of more joints than the robot.
func (e Entry) channels(s *project.Settings, job *project.Job) error {
	for joint := range job.Session.Locked {
		if _, meant := s.Lock[joint]; !meant {
			return e.refuse(Channels, fmt.Errorf("joint %q has no channels in the log; lock it in the settings if that is meant", joint))
		}
	}
	joints := len(project.JointNames(job.Session.Source))
	if name := surplus(job.Session.Runs[0].Log.Names(), joints); name != "" {
		return e.refuse(Channels, fmt.Errorf("the log has the channel %s, the robot %d joints", name, joints))
	}
	return nil
}

// refusal refuses a log for its worst finding.
func (r *Reader) refusal(e Entry, found []project.Finding) error {
	f := r.worst(found)
	if f == nil {
		return nil
	}
	refusal := e.refuse(f.ID, errors.New(strings.TrimPrefix(f.Line(), f.Log+": ")))
	refusal.Row = firstRow(f.Where)
	return refusal
}

// worst returns the finding for which a log is refused: the first error, or else the first of those to refuse.
func (r *Reader) worst(found []project.Finding) *project.Finding {
	for i, f := range found {
		if f.Severity == doctor.Error {
			return &found[i]
		}
	}
	for i, f := range found {
		value := math.Abs(f.Value)
		if f.ID == doctor.GearRatio && value < 1 {
			value = 1 / value
		}
		if least, named := r.opt.Refuse[f.ID]; named && f.Severity == doctor.Warning && value >= least {
			return &found[i]
		}
	}
	return nil
}

var numbered = regexp.MustCompile(`^(?:q|tau)_?(\d+)$`)

// surplus returns a channel of positions or torques that is numbered beyond the robot's joints, "" where there is none.
func surplus(channels []string, joints int) string {
	for _, name := range channels {
		if m := numbered.FindStringSubmatch(name); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n > joints {
				return name
			}
		}
	}
	return ""
}

var rowNumber = regexp.MustCompile(`\brows? (\d+)`)

// firstRow returns the first row that a finding names, 0 where it names none.
func firstRow(where string) int {
	m := rowNumber.FindStringSubmatch(where)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}
