package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/baseparams"
	"ident/datasets"
	"ident/doctor"
	"ident/identify"
	"ident/regressor"
	"ident/robot"
	"ident/simulate"
)

// section is a part of the project file that another reader reads: its text.
type section string

// UnmarshalYAML keeps the node's text.
func (s *section) UnmarshalYAML(n *yaml.Node) error {
	text, err := yaml.Marshal(n)
	*s = section(text)
	return err
}

// MarshalYAML writes the text as what it was.
func (s section) MarshalYAML() (any, error) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(s), &n); err != nil || len(n.Content) == 0 {
		return string(s), err
	}
	return n.Content[0], nil
}

// mapJoints maps a log's channels to joints. A robot with closed loops may have
// been logged with all its joints or with the driven ones alone: numbers count
// all joints where every driven one is found that way, else the driven ones.
// passive are the position channels of passive joints, by joint.
func mapJoints(p *project, r *robot.Robot, l *datasets.Log, names []string) (roles datasets.Roles, passive passiveChannels, notes []datasets.Note, err error) {
	if r.Closed() && len(p.Joints) == 0 {
		all, allNotes, err := datasets.MapChannels(l, r.JointNames(), p.Map)
		if err == nil {
			if roles, found, ok := driven(r, all, names); ok {
				return roles, found, allNotes, nil
			}
		}
	}
	roles, notes, err = datasets.MapChannels(l, names, p.Map)
	return roles, passiveChannels{}, notes, err
}

// passiveChannels are the channels of joints that the loops move: positions by
// joint, and the torques of those with a drive.
type passiveChannels struct {
	q      map[string]string
	torque []string
}

// driven picks the joints named out of the roles of all joints, and the
// positions of the passive ones. ok is false where some joint named has no
// position or effort.
func driven(r *robot.Robot, all datasets.Roles, names []string) (roles datasets.Roles, passive passiveChannels, ok bool) {
	at := map[string]int{}
	passive.q = map[string]string{}
	for k, i := range r.Moving() {
		j := r.Links[i].Joint
		if at[j.Name] = k; j.Passive && all.Q[k] != "" {
			passive.q[j.Name] = all.Q[k]
		}
		if j.Redundant && all.Tau[k] != "" {
			passive.torque = append(passive.torque, all.Tau[k])
		}
	}
	roles.T = all.T
	for _, name := range names {
		k := at[name]
		if all.Q[k] == "" || all.Tau[k] == "" && all.Current[k] == "" {
			return roles, passive, false
		}
		roles.Q, roles.DQ, roles.DDQ = append(roles.Q, all.Q[k]), append(roles.DQ, all.DQ[k]), append(roles.DDQ, all.DDQ[k])
		roles.Tau, roles.Current = append(roles.Tau, all.Tau[k]), append(roles.Current, all.Current[k])
	}
	return roles, passive, true
}

// assemble finds the way in which the loops of a robot close at the first row
// of its first run, unless the robot or --assembly says it.
func (s *session) assemble(p *project) error {
	if !s.robot.Closed() || len(s.runs) == 0 {
		return nil
	}
	if len(s.robot.Assembly) > 0 {
		return nil
	}
	run := &s.runs[0]
	channels := append([]string(nil), run.Roles.Q...)
	names := independentNames(s.robot)
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
	if complete := len(names) == s.robot.DOF()-len(s.robot.Mimics); complete {
		s.setAssembly(p, at)
		s.notes = append(s.notes, run.Name+": the passive joints that it measures say how the loops close")
		return nil
	}
	for name := range run.Passive {
		delete(at, name)
	}
	r, note, err := assembledAt(p, s.robot, at, "at the first row of "+run.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", run.Name, err)
	}
	s.setAssembly(p, r.Assembly)
	s.notes = append(s.notes, note)
	return nil
}

// assembledAt gives a robot the way in which its loops close with the driven
// joints at the given positions, unless it has one, and says which it is.
func assembledAt(p *project, r *robot.Robot, at map[string]float64, where string) (*robot.Robot, string, error) {
	if !r.Closed() || len(r.Assembly) > 0 {
		return r, "", nil
	}
	a, err := baseparams.Assemble(r, at, baseparams.Options{Seed: p.Seed})
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
		note += fmt.Sprintf("; they also close with %s, which --assembly JOINT=VALUE or measured passive joints would say", strings.Join(others, "; or "))
	}
	return c, note, nil
}

// assembledFor is assembledAt the begin of a motion.
func assembledFor(p *project, r *robot.Robot, motion simulate.Sampler) (*robot.Robot, []string, error) {
	names := independentNames(r)
	q, dq, ddq := make([]float64, len(names)), make([]float64, len(names)), make([]float64, len(names))
	if !r.Closed() || motion.DOF() != len(names) {
		return r, nil, nil
	}
	motion.Eval(0, q, dq, ddq)
	at := map[string]float64{}
	for k, name := range names {
		at[name] = q[k]
	}
	c, note, err := assembledAt(p, r, at, "at the begin of the trajectory")
	if err != nil || note == "" {
		return c, nil, err
	}
	return c, []string{note}, nil
}

// assembledWithin is assembledAt the middle of the driven joints' limits, zero
// where a joint has none. Where the loops do not close there, the choice is left
// to the model.
func assembledWithin(p *project, r *robot.Robot) *robot.Robot {
	at := map[string]float64{}
	for _, i := range r.Independent() {
		j := &r.Links[i].Joint
		if middle := (j.Lower + j.Upper) / 2; !math.IsNaN(middle) {
			at[j.Name] = middle
		}
	}
	c, _, err := assembledAt(p, r, at, "")
	if err != nil {
		return r
	}
	return c
}

func (s *session) setAssembly(p *project, at map[string]float64) {
	for _, r := range []**robot.Robot{&s.robot, &s.source} {
		c := (*r).Clone()
		c.Assembly = at
		*r = c
	}
	p.Assembly = at
}

// firstRow returns the first row of channels that holds only finite values.
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

// checkLoops follows the loops through a run and compares passive joints that
// it measures with where the loops put them.
func checkLoops(r *robot.Robot, run *identify.Run) ([]doctor.Finding, error) {
	if !r.Closed() {
		return nil, nil
	}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia})
	if err != nil {
		return nil, err
	}
	check, err := identify.FollowLoops(context.Background(), m.Loops(), run, run.Passive)
	var lost *identify.LoopError
	if errors.As(err, &lost) {
		return []doctor.Finding{doctor.LoopsLost(lost.Row, lost.Err)}, nil
	}
	if err != nil {
		return nil, err
	}
	var out []doctor.Finding
	for _, d := range check.Deviation {
		p := doctor.Passive{Joint: d.Joint, Channel: d.Channel, RMS: d.RMS, Mean: d.Mean, Worst: d.Worst, Row: d.Row}
		for _, l := range r.Links {
			p.Slides = p.Slides || l.Joint.Name == d.Joint && l.Joint.Kind == robot.Prismatic
		}
		out = append(out, doctor.LoopsHeld(p))
	}
	return out, nil
}
