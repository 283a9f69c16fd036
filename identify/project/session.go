package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify/regression"
	"ident/internal/rowlist"
	"ident/robot"
)

// Use says what logs are prepared for.
type Use int

const (
	ToFit   Use = iota // for a fit: torques are needed
	ToCheck            // for a check: currents are enough
)

// Session is a robot with its runs. Joints that the logs lack are locked.
type Session struct {
	Robot    *robot.Robot
	Source   *robot.Robot // the robot before joints are locked
	Locked   map[string]float64
	Runs     []regression.Run
	Warnings []string
	Notes    []string
}

// unread says how many rows of each file were left out because they could not be read, and shows the first.
func unread(logs []*datasets.Log) (said []string) {
	for i, l := range logs {
		bad, n := l.Dropped(), l.DroppedRows()
		if n == 0 || len(bad) == 0 || i > 0 && logs[i-1].Path() == l.Path() { // another run of the same file
			continue
		}
		said = append(said, fmt.Sprintf("%s: %s left out that could not be read, the first in line %d: %s", l.Name(), rowlist.Plural(n, "row"), bad[0].Line, bad[0].Why))
	}
	return said
}

// ofUnread adds to an error about channels the parts of a file that the reader could not read, which may hold them.
func ofUnread(err error, logs []*datasets.Log) error {
	cure, ok := CureOf(err)
	if !ok || !slices.Contains(readingKeys(), cure.Setting) {
		return err
	}
	for _, l := range logs {
		for _, n := range l.Notes() {
			if n.Channel != "" && strings.Contains(n.Text, "not read") {
				return remedy(cure.Setting, cure.Value, "%w; of the file, %s was %s", err, n.Channel, n.Text)
			}
		}
	}
	return err
}

// Prepare maps the logs' channels to the robot's joints, locks the joints that the logs lack, and cuts the rows asked
// for. Currents without gains may be inspected but not fitted.
func Prepare(ctx context.Context, p *Settings, r *robot.Robot, logs []*datasets.Log, use Use) (_ *Session, err error) {
	defer func() { err = p.asTrained(ofUnread(err, logs)) }()
	if err := RequireNumeric(r); err != nil {
		return nil, err
	}
	if p.Stands() {
		return nil, wrong("feet", strings.Join(p.Feet, ","), "a robot that stands ({feet}) moves its base, and its logs have no channels of that: only a fit reads them; its result is exported and described as any other")
	}
	s := &Session{Source: r, Locked: map[string]float64{}, Warnings: unread(logs)}
	for name, v := range p.Lock {
		s.Locked[name] = v
	}
	joints := JointNames(r)
	if len(p.Joints) > 0 {
		held := map[string]bool{}
		for _, j := range p.Joints {
			if _, ok := JointIndex(r, j); !ok {
				return nil, wrong("joints", "", "{joints}: the robot has no moving joint %q; it has %s%s", j, strings.Join(joints, ", "), didYouMean(j, joints))
			}
			held[j] = true
		}
		for _, j := range joints {
			if _, given := s.Locked[j]; !held[j] && !given {
				s.Locked[j] = 0
				s.Warnings = append(s.Warnings, fmt.Sprintf("joint %q is not among {joints}: it is taken as locked at 0", j))
			}
		}
	}
	// Names in the log's numbering: those of the setting joints, or all joints except those that a setting locks.
	names := p.Joints
	if len(names) == 0 {
		names = joints
	}
	if err := p.checkMapped(logs, names); err != nil {
		return nil, err
	}
	for i := range logs {
		var note string
		var err error
		if logs[i], note, err = standIn(p, r, logs[i], names); err != nil {
			return nil, err
		}
		if note != "" {
			s.Notes = append(s.Notes, note)
		}
	}
	missing, err := absent(p, r, logs, names, s.Locked)
	if err != nil {
		return nil, err
	}
	s.lockAbsent(missing)
	if s.Robot, err = Lock(r, s.Locked); err != nil {
		return nil, err
	}
	if err := CheckFitted(s.Robot); err != nil {
		return nil, err
	}
	kept := JointNames(s.Robot)
	for _, l := range logs {
		run, said, notes, err := mapRun(p, r, s.Robot, l, names, kept, use)
		if err != nil {
			return nil, err
		}
		s.Warnings = append(s.Warnings, said...)
		s.Runs = append(s.Runs, run)
		s.Notes = append(s.Notes, notes...)
	}
	if err := s.addGravity(ctx, p); err != nil {
		return nil, err
	}
	err = s.assemble(ctx, p)
	for _, texts := range [][]string{s.Warnings, s.Notes} {
		for i := range texts {
			texts[i] = NameSettings(texts[i], p.naming)
		}
	}
	return s, err
}
