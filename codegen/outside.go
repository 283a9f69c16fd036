package codegen

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"ident/mechanics/recursion"
	"ident/robot"
	"ident/symbolic"
)

// ErrOutside is wrapped by the errors for models that take neither external wrenches nor a moving base,
// and for base parameters, which hold for a fixed base only.
var ErrOutside = errors.New("no such argument")

// takeOutside declares the wrenches that links exert on their environment, and the motion of the base, as
// inputs, as far as the model depends on them.
func (m *maker) takeOutside(model Model, opt Options) error {
	if len(opt.External) == 0 && !opt.BaseMotion {
		return nil
	}
	switch model {
	case InverseDynamics, ForwardDynamics, Bias, DynamicRegressor, JointWrenches, BaseWrench:
	case InertiaMatrix:
		return nil // depends on neither
	default:
		if model.Kinematic() {
			return nil // relative to the base
		}
		return fmt.Errorf("robot %q: %w: model %s takes no external wrench and no motion of the base; inverse-dynamics, forward-dynamics, bias, dynamic-regressor, joint-wrenches and base-wrench do", m.r.Name, ErrOutside, model)
	}
	if opt.BaseMotion && m.base {
		return fmt.Errorf("robot %q: %w: base parameters hold for a base at rest, and a moving base needs more parameters; take the standard parameters", m.r.Name, ErrOutside)
	}
	m.t.External = map[int]recursion.Wrench{}
	for _, j := range opt.External {
		if j < 0 || j >= len(m.t.Links) {
			panic(fmt.Sprintf("codegen: external wrench on link %d of a robot with %d links", j, len(m.t.Links)))
		}
		if _, twice := m.t.External[j]; twice {
			continue
		}
		group := label("e", j)
		name := m.r.Links[j].Name
		force := m.outsideVector(group, 0, [3]string{"FX", "FY", "FZ"}, label("", j), "N", "force that link "+name+" exerts on its environment")
		moment := m.outsideVector(group, 3, [3]string{"CX", "CY", "CZ"}, label("", j), "N·m", "moment about its joint's origin that link "+name+" exerts on its environment")
		m.t.External[j] = recursion.Wrench{N: moment, F: force}
	}
	if opt.BaseMotion {
		axes := func(what string) [3]string { return [3]string{what + "x", what + "y", what + "z"} }
		m.t.Base = &recursion.BaseMotion{
			W:  m.outsideVector("W0", 0, axes("W0"), "", "rad/s", "angular velocity of the base"),
			DW: m.outsideVector("WP0", 0, axes("WP0"), "", "rad/s²", "angular acceleration of the base"),
			DV: m.outsideVector("VP0", 0, axes("VP0"), "", "m/s²", "acceleration of the origin of the base, without gravity"),
		}
	}
	return nil
}

// outsideVector declares three entries of a group.
func (m *maker) outsideVector(group string, from int, names [3]string, suffix, unit, doc string) (v recursion.Vec) {
	for i, name := range names {
		v[i] = m.g.Input(symbolic.Input{Name: name + suffix, Kind: symbolic.Motion, Group: group, Index: from + i, Unit: unit, Doc: doc})
		m.outside = append(m.outside, v[i])
	}
	return v
}

// needsStandard refuses base parameters: a wrench shows parameters that no torque does.
func (m *maker) needsStandard(model Model) error {
	if m.base && (model == JointWrenches || model == BaseWrench) {
		return fmt.Errorf("robot %q: %w: %s depends on parameters that no torque determines, so it needs more than base parameters; take the standard parameters", m.r.Name, ErrOutside, model)
	}
	return nil
}

// wrenchMaker makes the models of reactions.
type wrenchMaker struct{ *maker }

// vectors returns a result with one row of three components for each link.
func (m wrenchMaker) vectors(name, doc string, v []recursion.Vec, rows []string) symbolic.Result {
	r := symbolic.Result{Name: name, Rows: len(v), Cols: 3, Doc: doc, RowNames: rows, ColNames: []string{"x", "y", "z"}}
	for _, x := range v {
		r.Entries = append(r.Entries, x[:]...)
	}
	return r
}

func (m wrenchMaker) jointWrenches() *symbolic.Program {
	params := m.parameters()
	ms := m.t.Motions(m.moving(), m.t.Gravity)
	var joints []recursion.Wrench
	var names, doc []string
	if m.closed == nil {
		_, joints, _ = m.t.Wrenches(ms, params)
		for j := range m.r.Links {
			names = append(names, m.r.Links[j].Name)
		}
	} else {
		joints, names, doc = m.closedWrenches(ms, params)
	}
	var f, n []recursion.Vec
	for _, w := range joints {
		f, n = append(f, w.F), append(n, w.N)
	}
	p := m.program("joint_wrenches", [][]symbolic.Node{m.q, m.dq, m.ddq},
		m.vectors("f", "force (N) that the antecedent exerts on each link, along the axes of its joint's frame", f, names),
		m.vectors("n", "moment (N·m) about the joint's origin that the antecedent exerts on each link, the drive's torque included", n, names))
	p.Doc = doc
	return p
}

func (m wrenchMaker) baseWrench() *symbolic.Program {
	params := m.parameters()
	_, _, base := m.t.Wrenches(m.t.Motions(m.moving(), m.t.Gravity), params)
	three := func(name, doc string, v recursion.Vec) symbolic.Result {
		return symbolic.Result{Name: name, Rows: 3, Cols: 1, Entries: v[:], Doc: doc, RowNames: []string{"x", "y", "z"}}
	}
	return m.program("base_wrench", [][]symbolic.Node{m.q, m.dq, m.ddq},
		three("f0", "force (N) that the ground exerts on the robot, along the axes of the base", base.F),
		three("n0", "moment (N·m) about the origin of the base that the ground exerts on the robot", base.N))
}

// wrenchFrames says of every external wrench, in the head of a text, along which axes and about which point it is.
func (m *maker) wrenchFrames() []string {
	var lines []string
	for _, j := range slices.Sorted(maps.Keys(m.t.External)) {
		if j >= len(m.r.Links) {
			continue // the frame at which a loop is cut, on which no wrench is measured
		}
		l := &m.r.Links[j]
		line := fmt.Sprintf("%s: wrench that link %s exerts on its environment, along the axes of the frame of joint %s (z is the joint's axis) and about its origin", label("e", j), l.Name, l.Joint.Name)
		if u := l.UserFrame; u != robot.Identity() {
			r := u.R
			line += fmt.Sprintf("; the link's own frame in the robot file has its origin there at (%.6g, %.6g, %.6g) m and its axes along (%.6g, %.6g, %.6g), (%.6g, %.6g, %.6g), (%.6g, %.6g, %.6g)",
				u.P[0], u.P[1], u.P[2], r[0][0], r[1][0], r[2][0], r[0][1], r[1][1], r[2][1], r[0][2], r[1][2], r[2][2])
		} else {
			line += ", which is the link's own frame in the robot file"
		}
		lines = append(lines, line)
	}
	return lines
}
