package project

import (
	"fmt"
	"slices"

	"ident/datasets"
	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
)

// standIn adds the channels of a base's virtual joints that a log lacks. If only the motion of the base is logged, it
// floats freely: its forces are zero, unless the robot says that something moves it; then they are unknown. If only its
// forces are logged, it stands on a force and moment sensor: its motion is zero. Without either it is fixed, and its
// joints are locked like any others.
func standIn(p *Settings, r *robot.Robot, l *datasets.Log, names []string) (*datasets.Log, string, error) {
	virtual, carried := map[string]robot.Kind{}, map[string]bool{}
	for _, i := range r.Moving() {
		if j := r.Links[i].Joint; j.Virtual {
			virtual[j.Name], carried[j.Name] = j.Kind, j.ExternalForce
		}
	}
	if len(virtual) == 0 {
		return l, "", nil
	}
	own := p.forLog(l)
	roles, _, err := datasets.MapChannels(l, names, datasets.PresetChannels(own.Preset, own.Map, l))
	if err != nil {
		return nil, "", err
	}
	floats, stands, moved := 0, 0, 0
	add := func(prefix, name, unit string) {
		l = l.WithConstant(datasets.Channel{Name: prefix + name, Unit: unit, Assumed: true}, 0)
	}
	for k, name := range names {
		kind, ok := virtual[name]
		if !ok {
			continue
		}
		length, force := "rad", "N.m"
		if kind == robot.Prismatic {
			length, force = "m", "N"
		}
		moves, pushed := roles.Q[k] != "", roles.Tau[k] != "" || roles.Current[k] != ""
		switch {
		case moves && !pushed:
			add("tau_", name, force)
			if floats++; carried[name] {
				moved++
				if !slices.Contains(p.Unactuated, name) {
					p.Unactuated = append(p.Unactuated, name)
				}
			}
		case pushed && !moves:
			if !slices.Contains(p.Immobile, name) {
				p.Immobile = append(p.Immobile, name)
			}
			add("q_", name, length)
			for _, d := range []struct {
				prefix, unit string
				has          []string
			}{{"dq_", length + "/s", roles.DQ}, {"ddq_", length + "/s^2", roles.DDQ}} {
				if d.has[k] == "" {
					add(d.prefix, name, d.unit)
				}
			}
			stands++
		}
	}
	switch {
	case floats > 0 && stands > 0:
		return nil, "", fmt.Errorf("%s: it has the motion of some virtual joints of the base and the force of others; give the motion of all, or the force of all", l.Name())
	case moved > 0:
		return l, fmt.Sprintf("%s: what moves the base is not known, and its joints have no rows", l.Name()), nil
	case floats > 0:
		return l, fmt.Sprintf("%s: no force acts on the base, which floats", l.Name()), nil
	case stands > 0:
		return l, fmt.Sprintf("%s: the base stands still on a sensor of force and moment", l.Name()), nil
	}
	return l, "", nil
}

// LinksOf returns the link indices of the named joints; locked joints have none.
func LinksOf(r *robot.Robot, joints []string) []int {
	var out []int
	for i := range r.Links {
		if slices.Contains(joints, r.Links[i].Joint.Name) {
			out = append(out, i)
		}
	}
	return out
}

// MeasuredRows returns the rows of a model except those of the joints in carried, which something unknown moves; nil for
// all.
func MeasuredRows(r *robot.Robot, m *regressor.Model, carried []string) []int {
	cfg := regression.Config{Unactuated: LinksOf(r, carried)}
	return cfg.Measured(m.JointLinks())
}
