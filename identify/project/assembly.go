package project

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ident/baseparams"
	"ident/datasets"
	"ident/robot"
	"ident/simulate"
)

// assemble determines how the robot's loops close at the first row of the first run, unless the robot or the setting
// assembly says so.
func (s *Session) assemble(ctx context.Context, p *Settings) error {
	if !s.Robot.Closed() || len(s.Runs) == 0 {
		return nil
	}
	if len(s.Robot.Assembly) > 0 {
		return nil
	}
	run := &s.Runs[0]
	channels := append([]string(nil), run.Roles.Q...)
	names := JointNames(s.Robot)
	for _, name := range slices.Sorted(maps.Keys(run.Passive)) {
		channels, names = append(channels, run.Passive[name]), append(names, name)
	}
	first, err := firstRow(run.Log, channels)
	if err != nil {
		return fmt.Errorf("%s: %w", run.Name, err)
	}
	at := map[string]float64{}
	for k, name := range names {
		at[name] = first[k]
	}
	if complete := len(names) == s.Robot.DOF()-len(s.Robot.Mimics); complete {
		s.setAssembly(p, at)
		s.Notes = append(s.Notes, run.Name+": the passive joints that it measures say how the loops close")
		return nil
	}
	for name := range run.Passive {
		delete(at, name)
	}
	r, note, err := assembledAt(ctx, p, s.Robot, at, "at the first row of "+run.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", run.Name, err)
	}
	s.setAssembly(p, r.Assembly)
	s.Notes = append(s.Notes, note)
	return nil
}

// assembledAt returns the robot with its loops closed for the given positions of the driven joints, and a text that says
// which way. A robot that has an assembly keeps it.
func assembledAt(ctx context.Context, p *Settings, r *robot.Robot, at map[string]float64, where string) (*robot.Robot, string, error) {
	if !r.Closed() || len(r.Assembly) > 0 {
		return r, "", nil
	}
	a, err := baseparams.Assemble(ctx, r, at, baseparams.Options{Seed: p.Seed})
	if err != nil {
		return nil, "", err
	}
	c := r.Clone()
	c.Assembly = a.Joints
	note := fmt.Sprintf("the loops are taken to close with %s %s", a.Passive(r), where)
	if len(a.Others) > 0 {
		var others []string
		for i := range a.Others {
			others = append(others, a.Others[i].Passive(r))
		}
		note += fmt.Sprintf("; they also close with %s, which {assembly} JOINT=VALUE or measured passive joints would say", strings.Join(others, "; or "))
	}
	return c, NameSettings(note, p.naming), nil
}

// AssembledFor returns the robot with its loops closed at the start of a motion, and notes.
func AssembledFor(ctx context.Context, p *Settings, r *robot.Robot, motion simulate.Sampler) (*robot.Robot, []string, error) {
	names := JointNames(r)
	q, dq, ddq := make([]float64, len(names)), make([]float64, len(names)), make([]float64, len(names))
	if !r.Closed() || motion.DOF() != len(names) {
		return r, nil, nil
	}
	motion.Eval(0, q, dq, ddq)
	at := map[string]float64{}
	for k, name := range names {
		at[name] = q[k]
	}
	c, note, err := assembledAt(ctx, p, r, at, "at the begin of the trajectory")
	if err != nil || note == "" {
		return c, nil, err
	}
	return c, []string{note}, nil
}

// AssembledWithin returns the robot with its loops closed at the middle of the driven joints' limits (zero without
// limits). If they do not close there, the model chooses.
func AssembledWithin(ctx context.Context, p *Settings, r *robot.Robot) *robot.Robot {
	at := map[string]float64{}
	for _, i := range r.Independent() {
		j := &r.Links[i].Joint
		if middle := (j.Lower + j.Upper) / 2; !math.IsNaN(middle) {
			at[j.Name] = middle
		}
	}
	c, _, err := assembledAt(ctx, p, r, at, "")
	if err != nil {
		return r
	}
	return c
}

func (s *Session) setAssembly(p *Settings, at map[string]float64) {
	for _, r := range []**robot.Robot{&s.Robot, &s.Source} {
		c := (*r).Clone()
		c.Assembly = at
		*r = c
	}
	p.Assembly = at
}

// firstRow returns the first row whose values are all finite.
func firstRow(l *datasets.Log, channels []string) ([]float64, error) {
	found := errors.New("found")
	var row []float64
	err := l.Scan(channels, 256, func(_ int, cols [][]float64) error {
		for i := range cols[0] {
			row = row[:0]
			for c := range cols {
				if v := cols[c][i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
					row = append(row, v)
				}
			}
			if len(row) == len(cols) {
				return found
			}
		}
		return nil
	})
	if errors.Is(err, found) {
		return row, nil
	}
	if err == nil {
		err = fmt.Errorf("no row has a finite position of every joint")
	}
	return nil, err
}
