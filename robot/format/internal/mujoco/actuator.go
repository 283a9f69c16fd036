package mujoco

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/spatial"
	"ident/internal/xmltree"
)

// actuators gives joints the torque that their drives can have.
func (r *reader) actuators(n *xmltree.Node) error {
	for _, a := range n.Children {
		if !slices.Contains(actuators, a.Name) {
			continue
		}
		name, _ := a.Attr("joint")
		if name == "" {
			continue // of a tendon, a site or a body
		}
		where := fmt.Sprintf("actuator of joint %q", name)
		j, ok := r.joints[name]
		if !ok {
			return fault(a, where, "there is no such joint")
		}
		j.Driven, r.model.Driven = true, true
		a, err := r.defaults.of(a, "")
		if err != nil {
			return err
		}
		gear := 1.0
		if v, err := a.Numbers(where, "gear"); err != nil {
			return err
		} else if len(v) > 0 {
			gear = v[0]
		}
		force, err := a.Numbers(where, "forcerange")
		if err != nil {
			return err
		}
		control, err := a.Numbers(where, "ctrlrange")
		if err != nil {
			return err
		}
		limit := force
		if len(limit) != 2 && a.Name == "motor" {
			limit = control
		}
		if len(limit) == 2 {
			// Of both limits the smaller.
			if e := math.Abs(gear) * math.Max(math.Abs(limit[0]), math.Abs(limit[1])); !(j.Effort <= e) {
				j.Effort = e
			}
		}
		if gear != 1 {
			r.note(where, "its gear %g scales the torque limit; armature, damping and friction are the joint's as they stand", gear)
		}
		if kp, err := a.Number(where, "kp", 0); err == nil && kp != 0 && a.Name == "position" {
			kv, _ := a.Number(where, "kv", 0)
			r.note(where, "a position controller, kp %g, kv %g, by which the log's torque may be known", kp*gear*gear, kv*gear*gear)
		}
	}
	return nil
}

// equalities reads joints that follow others and points that stay together.
func (r *reader) equalities(n *xmltree.Node) error {
	for _, e := range n.Children {
		if v, _ := e.Attr("active"); v == "false" {
			continue
		}
		e, err := r.defaults.of(e, "")
		if err != nil {
			return err
		}
		switch e.Name {
		case "joint":
			if err := r.tie(e); err != nil {
				return err
			}
		case "connect":
			if err := r.connect(e); err != nil {
				return err
			}
		case "weld":
			if err := r.weld(e); err != nil {
				return err
			}
		default:
			r.note("equality", "<%s> in line %d is not read", e.Name, e.Line)
		}
	}
	return nil
}

func (r *reader) tie(e *xmltree.Node) error {
	first, _ := e.Attr("joint1")
	second, _ := e.Attr("joint2")
	where := fmt.Sprintf("equality of joint %q", first)
	if r.joints[first] == nil {
		return fault(e, where, "there is no such joint")
	}
	if second == "" {
		return fault(e, where, "it holds the joint still: give its value as a locked joint")
	}
	if r.joints[second] == nil {
		return fault(e, where, "there is no joint %q", second)
	}
	p, err := e.Numbers(where, "polycoef")
	if err != nil {
		return err
	}
	if p == nil {
		p = []float64{0, 1}
	}
	p = append(p, 0, 0)
	if slices.ContainsFunc(p[2:], func(v float64) bool { return v != 0 }) {
		return fault(e, where, "polycoef %v is no line: joints that follow others do so in proportion", p)
	}
	// Both sides are off the reference positions.
	r.model.Ties = append(r.model.Ties, Tie{Joint: first, Of: second, Multiplier: p[1], Offset: p[0] + r.joints[first].Reference - p[1]*r.joints[second].Reference, Line: e.Line})
	return nil
}

func (r *reader) connect(e *xmltree.Node) error {
	c := Connect{Line: e.Line, On: -1}
	c.Name, _ = e.Attr("name")
	body, _ := e.Attr("body1")
	where := "equality connect"
	if c.Name != "" {
		where += " " + c.Name
	}
	if first, _ := e.Attr("site1"); first != "" {
		second, _ := e.Attr("site2")
		a, ok := r.sites[first]
		b, also := r.sites[second]
		if !ok || !also || a.body < 0 && b.body < 0 {
			return fault(e, where, "sites %q and %q: there are no such two, one of them on a body", first, second)
		}
		if a.body < 0 {
			a, b = b, a
		}
		c.Body, c.At, c.On, c.OnAt = a.body, a.at.P, b.body, b.at.P
		r.model.Connects = append(r.model.Connects, c)
		return nil
	}
	var ok bool
	if c.Body, ok = r.bodies[body]; !ok {
		return fault(e, where, "there is no body %q (body1)", body)
	}
	if other, _ := e.Attr("body2"); other != "" && other != "world" {
		if c.On, ok = r.bodies[other]; !ok {
			return fault(e, where, "there is no body %q", other)
		}
	}
	var err error
	if c.At, err = e.Vector(where, "anchor", c.At); err != nil {
		return err
	}
	// The point that both have at the reference configuration.
	world := product(r.frames[c.Body], Pose{R: spatial.Eye(), P: c.At}).P
	c.OnAt = world
	if c.On >= 0 {
		f := r.frames[c.On]
		c.OnAt = spatial.MulTVec(f.R, spatial.Sub(world, f.P))
	}
	r.model.Connects = append(r.model.Connects, c)
	return nil
}
