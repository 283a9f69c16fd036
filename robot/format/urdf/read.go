package urdf

import (
	"fmt"
	"strings"

	"ident/internal/angles"
	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// Read fills r from a URDF text. Package format calls it, and gives its errors their path.
func Read(r *robot.Robot, text []byte, opt robot.ReadOptions) error {
	root, err := assembly.XMLRoot(text)
	if err != nil {
		return err
	}
	if root.Name != "robot" {
		return robot.Fault(root.Line, "", "the top element is <%s>, a URDF has <robot>", root.Name)
	}
	if name, _ := root.Attr("name"); name != "" {
		r.Name = name
	}
	u := reader{opt: opt}
	var bodies []assembly.Body
	for _, n := range root.All("link") {
		b, err := u.link(n)
		if err != nil {
			return err
		}
		bodies = append(bodies, b)
	}
	var edges []assembly.Edge
	for _, n := range root.All("joint") {
		e, kind, err := u.joint(n)
		if err != nil {
			return err
		}
		if kind == "" {
			edges = append(edges, e)
			continue
		}
		between, row, note := assembly.Chain(e, kind, e.Axis)
		bodies, edges, u.notes = append(bodies, between...), append(edges, row...), append(u.notes, note)
	}
	if len(bodies) == 0 {
		return robot.Fault(root.Line, "", "the file holds no <link>%s", u.xacroAdvice(root))
	}
	r.Notes = append(r.Notes, u.notes...)
	return assembly.Assemble(r, bodies, edges, opt)
}

type reader struct {
	opt   robot.ReadOptions
	notes []robot.Note
}

func (u *reader) note(where, format string, args ...any) {
	u.notes = append(u.notes, robot.Note{Where: where, Text: fmt.Sprintf(format, args...)})
}

func (u *reader) xacroAdvice(root *xmltree.Node) string {
	for _, c := range root.Children {
		if c.Space != root.Space && strings.Contains(c.Space, "xacro") {
			return "; it is still xacro, expand it first (xacro robot.xacro > robot.urdf)"
		}
	}
	return ""
}

// only returns the last child of a name and notes that earlier ones lost.
func (u *reader) only(n *xmltree.Node, owner, name string) *xmltree.Node {
	c, count := n.Last(name)
	if count > 1 {
		u.note(owner, "%d <%s> elements; the last, in line %d, is taken", count, name, c.Line)
	}
	return c
}

// origin reads an <origin> child: position, roll-pitch-yaw.
func (u *reader) origin(n *xmltree.Node, owner string) (xyz, rpy [3]float64, err error) {
	o := u.only(n, owner, "origin")
	if o == nil {
		return xyz, rpy, nil
	}
	if xyz, err = o.Vector(owner, "xyz", xyz); err != nil {
		return xyz, rpy, err
	}
	rpy, err = o.Vector(owner, "rpy", rpy)
	return xyz, rpy, err
}

func (u *reader) link(n *xmltree.Node) (assembly.Body, error) {
	name, _ := n.Attr("name")
	if name == "" {
		return assembly.Body{}, robot.Fault(n.Line, "", "<link> without a name")
	}
	b := assembly.Body{Name: name, Line: n.Line}
	owner := fmt.Sprintf("link %q", name)
	in := u.only(n, owner, "inertial")
	if in == nil {
		return b, nil
	}
	xyz, rpy, err := u.origin(in, owner)
	if err != nil {
		return b, err
	}
	var mass float64
	if m := u.only(in, owner, "mass"); m != nil {
		if mass, err = m.Number(owner, "value", 0); err != nil {
			return b, err
		}
	}
	var j [6]float64
	if i := u.only(in, owner, "inertia"); i != nil {
		for k, a := range [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
			if j[k], err = i.Number(owner, a, 0); err != nil {
				return b, err
			}
		}
	}
	about := robot.InertialFromCentral(mass, [3]float64{}, assembly.Symmetric(j))
	b.Inertial = about.InFrame(robot.Transform{R: angles.RPYRotation(rpy), P: xyz})
	b.Has = true
	return b, nil
}

// joint reads a joint. compound is its type where it has several freedoms.
func (u *reader) joint(n *xmltree.Node) (e assembly.Edge, compound string, err error) {
	name, _ := n.Attr("name")
	if name == "" {
		return assembly.Edge{}, "", robot.Fault(n.Line, "", "<joint> without a name")
	}
	owner := words.Joint(name)
	e = assembly.Edge{Line: n.Line, Multiplier: 1}
	typ, _ := n.Attr("type")
	switch typ {
	case "revolute":
		e.Joint = robot.NewJoint(name, robot.Revolute)
	case "continuous":
		e.Joint = robot.NewJoint(name, robot.Revolute)
		e.Joint.Continuous = true
	case "prismatic":
		e.Joint = robot.NewJoint(name, robot.Prismatic)
	case "fixed":
		e.Joint = robot.NewJoint(name, robot.Fixed)
	case "floating", "planar", "spherical":
		e.Joint, compound = robot.NewJoint(name, robot.Revolute), typ
	case "":
		return e, "", robot.Fault(n.Line, owner, "no type; give revolute, continuous, prismatic or fixed")
	default:
		return e, "", robot.Fault(n.Line, owner, "type %q is not known%s", typ,
			words.DidYouMean(typ, []string{"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"}))
	}
	for _, end := range []struct {
		name string
		to   *string
	}{{"parent", &e.Parent}, {"child", &e.Child}} {
		c := u.only(n, owner, end.name)
		if c != nil {
			*end.to, _ = c.Attr("link")
		}
		if *end.to == "" {
			return e, "", robot.Fault(n.Line, owner, "no <%s link=\"…\"/>", end.name)
		}
	}
	return e, compound, u.geometry(n, owner, &e)
}

// geometry reads a joint's placement, axis, limits, friction and mimic.
func (u *reader) geometry(n *xmltree.Node, owner string, e *assembly.Edge) error {
	xyz, rpy, err := u.origin(n, owner)
	if err != nil {
		return err
	}
	axis := [3]float64{1, 0, 0}
	if a := u.only(n, owner, "axis"); a != nil {
		if axis, err = a.Vector(owner, "xyz", axis); err != nil {
			return err
		}
	}
	var snapped []string
	if !u.opt.NoSnap {
		snapped = assembly.SnapOrigin(&xyz, &rpy)
	}
	e.Origin = robot.Transform{R: angles.RPYRotation(rpy), P: xyz}
	if e.Joint.Kind != robot.Fixed {
		var said string
		if e.Axis, said, err = assembly.UnitAxis(axis, !u.opt.NoSnap); err != nil {
			return robot.Fault(n.Line, owner, "<axis xyz=\"%g %g %g\">: %v", axis[0], axis[1], axis[2], err)
		}
		if said != "" {
			snapped = append(snapped, said)
		}
		if err := u.limits(n, owner, &e.Joint); err != nil {
			return err
		}
	}
	if len(snapped) > 0 {
		u.note(owner, "read %s", strings.Join(snapped, ", "))
	}
	if m := u.only(n, owner, "mimic"); m != nil {
		if e.Mimic, _ = m.Attr("joint"); e.Mimic == "" {
			return robot.Fault(m.Line, owner, "<mimic> does not say which joint it follows")
		}
		if e.Multiplier, err = m.Number(owner, "multiplier", 1); err != nil {
			return err
		}
		if e.Offset, err = m.Number(owner, "offset", 0); err != nil {
			return err
		}
	}
	return nil
}

// limits reads <limit> and <dynamics>. URDF writers put zeros where they know
// nothing, so a zero, or a range of no width at zero, is no limit.
func (u *reader) limits(n *xmltree.Node, owner string, j *robot.Joint) error {
	var err error
	if l := u.only(n, owner, "limit"); l != nil {
		var v [6]float64
		for i, name := range [6]string{"lower", "upper", "velocity", "effort", "acceleration", "jerk"} {
			if v[i], err = l.Number(owner, name, 0); err != nil {
				return err
			}
		}
		switch {
		case j.Continuous || v[0] == 0 && v[1] == 0:
		case v[0] > v[1]:
			return robot.Fault(l.Line, owner, "lower limit %g is above upper limit %g", v[0], v[1])
		default:
			j.Lower, j.Upper = v[0], v[1]
		}
		for i, to := range []*float64{&j.Velocity, &j.Effort, &j.Accel, &j.Jerk} {
			switch x := v[2+i]; {
			case x > 0:
				*to = x
			case x < 0:
				u.note(owner, "a negative limit, %g, is read as none", x)
			}
		}
	}
	if d := u.only(n, owner, "dynamics"); d != nil {
		if j.Fv, err = d.Number(owner, "damping", 0); err != nil {
			return err
		}
		if j.Fs, err = d.Number(owner, "friction", 0); err != nil {
			return err
		}
	}
	return nil
}
