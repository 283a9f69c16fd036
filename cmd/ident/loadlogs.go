package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/identify"
	"ident/robot"
)

// openLogs opens log files with the project's units and topics. A file that
// holds several runs gives as many logs.
func openLogs(p *project, paths []string) ([]*datasets.Log, error) {
	var logs []*datasets.Log
	for _, path := range paths {
		opt := datasets.Options{Units: p.Units, Topics: p.Topics}
		if p.OnBad == "drop" {
			opt.BadRows = datasets.Drop
		}
		l, err := datasets.Open(path, opt)
		if err != nil {
			closeLogs(logs)
			return nil, repair(err)
		}
		runs, err := l.Runs()
		if err != nil {
			closeLogs(append(logs, l))
			return nil, err
		}
		logs = append(logs, runs...)
	}
	return logs, nil
}

// repair adds to the error of a log that cannot be read what can be done.
func repair(err error) error {
	is := func(kind error) bool { return errors.Is(err, kind) }
	switch {
	case strings.Contains(err.Error(), "--on-bad"):
		return err
	case is(datasets.ErrNumber) || is(datasets.ErrFields):
		return fmt.Errorf("%w; --on-bad drop leaves such rows out and counts them", err)
	case is(datasets.ErrDamaged) || is(datasets.ErrTruncated):
		return fmt.Errorf("%w; copy it again from where it was recorded", err)
	}
	return err
}

func closeLogs(logs []*datasets.Log) {
	for _, l := range logs {
		l.Close()
	}
}

// logUse is what logs are prepared for.
type logUse int

const (
	toFit   logUse = iota // torques are needed
	toCheck               // currents will do
)

// session is a robot and the runs that are to be used with it: joints that the
// logs do not hold are locked.
type session struct {
	robot  *robot.Robot
	source *robot.Robot // before locking
	locked map[string]float64
	runs   []identify.Run
	warn   []string
	notes  []string
}

// prepare maps the logs' channels to the robot's joints, locks the joints that
// are missing from the logs, and cuts the rows asked for. Currents without gains
// can be looked at, but not fitted.
func prepare(p *project, r *robot.Robot, logs []*datasets.Log, use logUse) (*session, error) {
	if err := requireNumeric(r); err != nil {
		return nil, err
	}
	s := &session{source: r, locked: map[string]float64{}}
	for name, v := range p.Lock {
		s.locked[name] = v
	}
	joints := independentNames(r)
	if len(p.Joints) > 0 {
		held := map[string]bool{}
		for _, j := range p.Joints {
			if _, ok := jointIndex(r, j); !ok {
				return nil, usagef("--joints: the robot has no moving joint %q; it has %s", j, strings.Join(joints, ", "))
			}
			held[j] = true
		}
		for _, j := range joints {
			if _, given := s.locked[j]; !held[j] && !given {
				s.locked[j] = 0
				s.warn = append(s.warn, fmt.Sprintf("joint %q is not among --joints: it is taken as locked at 0", j))
			}
		}
	}
	// The names as the log numbers them: those of --joints, or all that are not
	// locked by hand.
	names := p.Joints
	if len(names) == 0 {
		names = joints
	}
	for i := range logs {
		var note string
		var err error
		if logs[i], note, err = standIn(p, r, logs[i], names); err != nil {
			return nil, err
		}
		if note != "" {
			s.notes = append(s.notes, note)
		}
	}
	missing, err := absent(p, r, logs, names, s.locked)
	if err != nil {
		return nil, err
	}
	for _, j := range missing {
		s.locked[j] = 0
		s.warn = append(s.warn, fmt.Sprintf("the log holds no position or torque of joint %q: it is taken as locked at 0 (--lock %s=VALUE says where)", j, j))
	}
	if s.robot, err = lockJoints(r, s.locked); err != nil {
		return nil, err
	}
	kept := independentNames(s.robot)
	for _, l := range logs {
		run, notes, err := mapRun(p, r, s.robot, l, names, kept, use)
		if err != nil {
			return nil, err
		}
		s.runs = append(s.runs, run)
		s.notes = append(s.notes, notes...)
	}
	return s, s.assemble(p)
}

// absent lists the joints that some log has no position or no torque of.
func absent(p *project, r *robot.Robot, logs []*datasets.Log, names []string, locked map[string]float64) ([]string, error) {
	gone := map[string]bool{}
	for _, l := range logs {
		roles, _, _, err := mapJoints(p, r, l, names)
		if err != nil {
			return nil, err
		}
		any := false
		for k, name := range names {
			if roles.Q[k] == "" || roles.Tau[k] == "" && roles.Current[k] == "" {
				gone[name] = true
			} else {
				any = true
			}
		}
		if !any {
			return nil, fmt.Errorf("%s: no joint has both a position and a torque (or current) channel; the log has %s; map them with --map q1=CHANNEL --map tau1=CHANNEL", l.Name(), strings.Join(l.Names(), ", "))
		}
	}
	var out []string
	for _, name := range names {
		if _, already := locked[name]; gone[name] && !already {
			out = append(out, name)
		}
	}
	return out, nil
}

// mapRun makes a run of a log for the joints that are kept.
func mapRun(p *project, source, r *robot.Robot, l *datasets.Log, names, kept []string, use logUse) (identify.Run, []string, error) {
	run := identify.Run{Name: l.Name(), Log: l, First: 0, Last: l.Rows()}
	var notes []string
	roles, passive, mapped, err := mapJoints(p, source, l, names)
	if err != nil {
		return run, nil, err
	}
	for _, n := range mapped {
		notes = append(notes, l.Name()+": "+n.String())
	}
	pick := map[string]int{}
	for k, name := range names {
		pick[name] = k
	}
	run.Roles.T, run.Passive, run.Redundant = roles.T, passive.q, passive.torque
	torques, currents := true, true
	var gains []float64
	for i, name := range kept {
		k, ok := pick[name]
		if !ok {
			return run, nil, fmt.Errorf("%s: joint %q is not among --joints and not locked", l.Name(), name)
		}
		run.Roles.Q = append(run.Roles.Q, roles.Q[k])
		run.Roles.DQ = append(run.Roles.DQ, roles.DQ[k])
		run.Roles.DDQ = append(run.Roles.DDQ, roles.DDQ[k])
		run.Roles.Tau = append(run.Roles.Tau, roles.Tau[k])
		run.Roles.Current = append(run.Roles.Current, roles.Current[k])
		torques = torques && roles.Tau[k] != ""
		currents = currents && roles.Current[k] != ""
		gain := r.Links[r.Independent()[i]].Joint.Gain
		switch {
		case len(p.Gains) == len(names):
			gain = p.Gains[k]
		case len(p.Gains) == len(kept):
			gain = p.Gains[i]
		case len(p.Gains) > 0:
			return run, nil, usagef("--gains has %d numbers for %d joints", len(p.Gains), len(names))
		}
		gains = append(gains, gain)
	}
	switch {
	case len(p.Gains) > 0 && currents, !torques && currents:
		for i, g := range gains {
			if g == 0 && use == toCheck {
				gains = nil
				break
			}
			if g == 0 {
				return run, nil, usagef("%s: joint %q has motor current only, and no drive gain is known: give --gains (joint torque a current, one number a joint) or a gain in the robot file", l.Name(), kept[i])
			}
		}
		run.Gains = gains
	case torques && len(p.Gains) > 0:
		return run, nil, usagef("%s: --gains was given, but the log has no current channels for some joints", l.Name())
	case !torques:
		return run, nil, fmt.Errorf("%s: some joints have torque and others only current; map one kind with --map", l.Name())
	}
	return run, notes, cutRows(p, &run)
}

// cutRows applies --rows to a run.
func cutRows(p *project, run *identify.Run) error {
	for _, name := range slices.Sorted(maps.Keys(p.Rows)) {
		if !namesLog(name, run) {
			continue
		}
		a, b, ok := strings.Cut(p.Rows[name], "-")
		first, err1 := strconv.Atoi(a)
		last, err2 := strconv.Atoi(b)
		if !ok || err1 != nil || err2 != nil || first < 1 || last < first {
			return usagef("--rows %s:%s: want FIRST-LAST, counted from 1", name, p.Rows[name])
		}
		if last > run.Log.Rows() {
			return usagef("--rows %s:%s: the log has %d rows", name, p.Rows[name], run.Log.Rows())
		}
		run.Log = run.Log.Slice(first-1, last)
		run.First, run.Last = first-1, last
	}
	return nil
}

// split cuts every run in two: the first part trains, the rest validates.
func split(runs []identify.Run, fraction float64) (train, validate []identify.Run) {
	for _, r := range runs {
		n := r.Log.Rows()
		cut := int(fraction * float64(n))
		a, b := r, r
		a.Log, a.Last = r.Log.Slice(0, cut), r.First+cut
		b.Log, b.First = r.Log.Slice(cut, n), r.First+cut
		train, validate = append(train, a), append(validate, b)
	}
	return train, validate
}

// checkRowsUsed refuses --rows that no log answers to.
func checkRowsUsed(p *project, runs []identify.Run) error {
	for _, name := range slices.Sorted(maps.Keys(p.Rows)) {
		used := false
		for _, r := range runs {
			used = used || namesLog(name, &r)
		}
		if !used {
			return usagef("--rows %s: no log of that name is used", name)
		}
	}
	return nil
}

// namesLog tells whether --rows means a log by this name: its path, its file
// name, or its file name without the endings. A run of several in one file has
// a name of its own, FILE/RUN.
func namesLog(name string, run *identify.Run) bool {
	if strings.Contains(run.Name, "/") {
		return name == run.Name // one of several in a file
	}
	path := run.Log.Path()
	return name == run.Name || name == path || filepath.Base(name) == filepath.Base(path)
}
