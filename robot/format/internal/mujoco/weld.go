package mujoco

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/internal/xmltree"
)

// Weld holds two bodies together.
type Weld struct {
	Name          string
	Line          int
	First, Second int  // indices of bodies, -1 the world
	At            Pose // the second body's frame in the first's
}

// Cut is the joint at which a chain that a weld closes is cut: Body, a part of another body now, was on Parent by this joint.
type Cut struct {
	Joint        Joint
	Parent, Body int  // indices of bodies, -1 the world
	At           Pose // Body's frame in Parent's, at the joint's reference
}

// weld reads bodies that stay together.
func (r *reader) weld(e *xmltree.Node) error {
	w := Weld{Line: e.Line, First: -1, Second: -1}
	w.Name, _ = e.Attr("name")
	where := "equality weld"
	if w.Name != "" {
		where += " " + w.Name
	}
	if first, _ := e.Attr("site1"); first != "" {
		second, _ := e.Attr("site2")
		a, ok := r.sites[first]
		b, also := r.sites[second]
		if !ok || !also {
			return fault(e, where, "sites %q and %q: there are no such two", first, second)
		}
		w.First, w.Second, w.At = a.body, b.body, product(a.at, inverse(b.at))
		r.model.Welds = append(r.model.Welds, w)
		return nil
	}
	for _, end := range []struct {
		attribute string
		to        *int
	}{{"body1", &w.First}, {"body2", &w.Second}} {
		name, _ := e.Attr(end.attribute)
		if name == "" || name == "world" {
			continue
		}
		i, ok := r.bodies[name]
		if !ok {
			return fault(e, where, "there is no body %q (%s)", name, end.attribute)
		}
		if v, _ := r.model.Bodies[i].Node.Attr("mocap"); v == "true" {
			r.note(where, "body %q is moved by the simulation's user (mocap), and holds nothing here", name)
			return nil
		}
		*end.to = i
	}
	given, err := e.Numbers(where, "relpose")
	if err != nil {
		return err
	}
	if len(given) != 0 && len(given) != 7 {
		return fault(e, where, "relpose has %d numbers; give three of the place and the four of a quaternion", len(given))
	}
	frame := func(i int) Pose {
		if i < 0 {
			return identity()
		}
		return r.frames[i]
	}
	w.At = product(inverse(frame(w.First)), frame(w.Second))
	if len(given) == 7 {
		// A quaternion of zeros, the default, asks for the pose at the reference configuration.
		if turn, ok := angles.Rotation([4]float64(given[3:])); ok {
			// Its place is that of the anchor, a point of the second body; only here does the anchor place anything.
			anchor, err := e.Vector(where, "anchor", [3]float64{})
			if err != nil {
				return err
			}
			w.At = Pose{R: turn, P: spatial.Sub([3]float64(given[:3]), spatial.MulVec(turn, anchor))}
		}
	}
	r.model.Welds = append(r.model.Welds, w)
	return nil
}

// inverse returns the pose of the parent in the frame that p places.
func inverse(p Pose) Pose {
	t := spatial.Transpose(p.R)
	return Pose{R: t, P: spatial.Scale(-1, spatial.MulVec(t, p.P))}
}

// Welded returns the model with the two bodies of each weld joined. One of them moves, with all that it carries, onto
// the other, and its own joint becomes the cut of the loop (Cuts; for a ball Connects). A free joint is gone. Of two
// joints the cut is at one that has no drive, is in no tie and, where there is a choice, has no friction or armature,
// which a cut joint cannot have.
func (m *Model) Welded() (*Model, error) {
	out := *m
	out.Welds = nil
	out.Bodies, out.Connects, out.Notes = slices.Clone(m.Bodies), slices.Clone(m.Connects), slices.Clone(m.Notes)
	for _, w := range m.Welds {
		if err := out.join(w); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// Order returns the bodies' indices, parents before children.
func (m *Model) Order() []int {
	var order []int
	placed := make([]bool, len(m.Bodies))
	for i := range m.Bodies {
		from := len(order)
		for ; i >= 0 && !placed[i]; i = m.Bodies[i].Parent {
			placed[i] = true
			order = append(order, i)
		}
		slices.Reverse(order[from:])
	}
	return order
}

// moving returns the body, -1 the world, whose motion body i has, and i's frame in that body's.
func (m *Model) moving(i int) (int, Pose) {
	at := identity()
	for i >= 0 && len(m.Bodies[i].Joints) == 0 {
		at = product(m.Bodies[i].At, at)
		i = m.Bodies[i].Parent
	}
	return i, at
}

// called returns a body's name in messages.
func (m *Model) called(i int) string {
	if i < 0 {
		return "the world"
	}
	return fmt.Sprintf("body %q", m.Bodies[i].Name)
}

// bound says why body i cannot leave its joint for body to; "" where it can.
func (m *Model) bound(i, to int) string {
	if i < 0 {
		return "the world has no joint"
	}
	for k := to; k >= 0; k = m.Bodies[k].Parent {
		if k == i {
			return fmt.Sprintf("%s carries %s", m.called(i), m.called(to))
		}
	}
	b := m.Bodies[i]
	if len(b.Joints) > 1 {
		return fmt.Sprintf("%s has %d joints", m.called(i), len(b.Joints))
	}
	j := b.Joints[0]
	if j.Driven {
		return fmt.Sprintf("joint %q of %s has a drive", j.Name, m.called(i))
	}
	for _, t := range m.Ties {
		if t.Joint == j.Name || t.Of == j.Name {
			return fmt.Sprintf("joint %q of %s is tied to another", j.Name, m.called(i))
		}
	}
	return ""
}

// lossy tells of friction or armature, which would be lost at a cut.
func lossy(j Joint) bool { return j.Damping != 0 || j.FrictionLoss != 0 || j.Armature != 0 }

// join takes the bodies of a weld as one.
func (m *Model) join(w Weld) error {
	where := "equality weld"
	if w.Name != "" {
		where += " " + w.Name
	}
	wrong := func(format string, args ...any) error {
		return &xmltree.Error{Line: w.Line, Where: where, Text: fmt.Sprintf(format, args...)}
	}
	first, inFirst := m.moving(w.First)
	second, inSecond := m.moving(w.Second)
	at := product(product(inFirst, w.At), inverse(inSecond))
	if first == second {
		if !near(at, identity()) {
			return wrong("%s and %s are fixed to each other already, in another pose; leave one of the two out", m.called(w.First), m.called(w.Second))
		}
		m.Notes = append(m.Notes, Note{where, fmt.Sprintf("%s and %s are fixed to each other already", m.called(w.First), m.called(w.Second))})
		return nil
	}
	moved, to := second, first
	if why, other := m.bound(second, first), m.bound(first, second); why != "" && other != "" {
		return wrong("the loop that it closes cannot be cut at either body: %s, and %s; close it by <connect>, or put one body into the other", why, other)
	} else if why != "" || other == "" && lossy(m.Bodies[second].Joints[0]) && !lossy(m.Bodies[first].Joints[0]) {
		moved, to, at = first, second, inverse(at)
	}
	b := &m.Bodies[moved]
	cut := Cut{Joint: b.Joints[0], Parent: b.Parent, Body: moved, At: b.At}
	carrier, inCarrier := m.moving(b.Parent)
	b.Joints, b.Parent, b.At = nil, to, at
	said := func(format string, args ...any) {
		m.Notes = append(m.Notes, Note{where, fmt.Sprintf("%s is a part of %s, ", m.called(moved), m.called(to)) + fmt.Sprintf(format, args...)})
	}
	j := cut.Joint
	switch before := product(inCarrier, cut.At); {
	case j.Type == "free":
		said("so its free joint %q is left out", j.Name)
		return nil
	case carrier == to:
		if !holds(j, before, at) {
			return wrong("no position of joint %q holds %s so on %s", j.Name, m.called(moved), m.called(to))
		}
		said("joint %q is held still", j.Name)
		return nil
	case j.Type == "ball":
		m.Connects = append(m.Connects, Connect{Name: w.Name, Line: w.Line, Body: moved, At: j.At, On: cut.Parent, OnAt: product(cut.At, Pose{R: spatial.Eye(), P: j.At}).P})
	default:
		m.Cuts = append(m.Cuts, cut)
	}
	lost := ""
	if lossy(j) {
		lost = "; its damping, friction and armature are not part of the model"
	}
	said("the loop is cut at joint %q%s", j.Name, lost)
	return nil
}

// fileDigits is the largest difference of poses that a file of six digits says in two ways, m and rad.
const fileDigits = 1e-5

func near(a, b Pose) bool {
	off := spatial.Norm(spatial.Sub(a.P, b.P))
	for i := range 3 {
		for k := range 3 {
			off = math.Max(off, math.Abs(a.R[i][k]-b.R[i][k]))
		}
	}
	return off < fileDigits
}

// holds reports whether a position of the joint leads from one pose of its body to another.
func holds(j Joint, from, to Pose) bool {
	step := product(inverse(from), to)
	axis := spatial.Sub(spatial.MulVec(step.R, j.Axis), j.Axis)
	point := spatial.Sub(product(step, Pose{R: spatial.Eye(), P: j.At}).P, j.At)
	switch j.Type {
	case "hinge":
		return spatial.Norm(axis) < fileDigits && spatial.Norm(point) < fileDigits
	case "slide":
		along := spatial.Scale(spatial.Dot(step.P, j.Axis), j.Axis)
		return near(Pose{R: step.R, P: spatial.Sub(step.P, along)}, identity())
	}
	return spatial.Norm(point) < fileDigits // a ball
}
