package order

import (
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/robot"
)

// Engine is a program that defines the order of a vector.
type Engine string

// The engines.
const (
	Pinocchio Engine = "pinocchio"
	MuJoCo    Engine = "mujoco"
	Drake     Engine = "drake"
)

// Engines returns all known engines.
func Engines() []Engine { return []Engine{Pinocchio, MuJoCo, Drake} }

// Layout names the entries of an engine's vectors. It panics for an engine that is not one of Engines.
func Layout(e Engine) []string {
	switch e {
	case Pinocchio:
		return []string{"m", "mcx", "mcy", "mcz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"}
	case MuJoCo:
		return []string{"body_mass", "body_ipos[0]", "body_ipos[1]", "body_ipos[2]", "body_iquat[0]", "body_iquat[1]", "body_iquat[2]", "body_iquat[3]", "body_inertia[0]", "body_inertia[1]", "body_inertia[2]"}
	case Drake:
		return []string{"m", "cx", "cy", "cz", "Gxx", "Gyy", "Gzz", "Gxy", "Gxz", "Gyz"}
	}
	panic(fmt.Sprintf("order: %q is not one of %v", e, Engines()))
}

// Vector writes parameters about the origin of the body's own frame, along its axes. A body without mass has no centre
// of mass: for MuJoCo and Drake that is an error that matches robot.ErrNotWritable, unless all ten parameters are zero.
// It panics for an engine that is not one of Engines.
func Vector(e Engine, p robot.Inertial) ([]float64, error) {
	n := len(Layout(e))
	i := p.Origin()
	if e == Pinocchio {
		mc := p.FirstMoments()
		return []float64{p.Mass(), mc[0], mc[1], mc[2], i[0][0], i[0][1], i[1][1], i[0][2], i[1][2], i[2][2]}, nil
	}
	c, ok := p.CentreOfMass()
	switch {
	case p == robot.Inertial{}:
		out := make([]float64, n)
		if e == MuJoCo {
			out[4] = 1
		}
		return out, nil
	case !ok:
		return nil, fmt.Errorf("%s: a body of %g kg with moments has no centre of mass: %w", e, p.Mass(), robot.ErrNotWritable)
	}
	m := p.Mass()
	if e == Drake {
		return []float64{m, c[0], c[1], c[2], i[0][0] / m, i[1][1] / m, i[2][2] / m, i[0][1] / m, i[0][2] / m, i[1][2] / m}, nil
	}
	central, _ := p.Central()
	moments, axes, err := Principal(central)
	if err != nil {
		return nil, err
	}
	q := angles.Quaternion(axes)
	return []float64{m, c[0], c[1], c[2], q[0], q[1], q[2], q[3], moments[0], moments[1], moments[2]}, nil
}

// Body is a body with its vector.
type Body struct {
	Name   string    `json:"body"`
	Joint  string    `json:"joint"` // joint that moves the body, or the fixed joint that holds it on its carrier
	Values []float64 `json:"values"`
}

// Bodies returns the bodies of a robot in the order of its links: of Pinocchio each moving link with all that fixed joints
// hang on it, of MuJoCo and Drake each body by itself. Engines number them in ways of their own: names say which is
// which. Bodies on the base, which never move, are left out.
func Bodies(e Engine, r *robot.Robot) ([]Body, error) {
	out := []Body{}
	add := func(name, joint string, p robot.Inertial) error {
		v, err := Vector(e, p)
		if err != nil {
			return fmt.Errorf("body %q: %w", name, err)
		}
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("body %q: its inertial is not finite: %w", name, robot.ErrNotWritable)
			}
		}
		out = append(out, Body{name, joint, v})
		return nil
	}
	for i := range r.Links {
		l := &r.Links[i]
		p := l.Own
		if e == Pinocchio {
			p = l.Inertial
		}
		if err := add(l.Name, l.Joint.Name, r.UserInertial(i, p)); err != nil {
			return nil, err
		}
		for _, m := range r.Lumped {
			if m.Into != i || e == Pinocchio {
				continue
			}
			if err := add(m.Name, m.Joint, m.Inertial.InFrame(m.InLink.Inv())); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
