package robot

import (
	"fmt"
	"math"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/internal/xmltree"
)

// readURDF fills r from a URDF text.
func readURDF(r *Robot, text []byte, opt ReadOptions) error {
	root, err := xmlRoot(text)
	if err != nil {
		return err
	}
	if root.Name != "robot" {
		return fault(root.Line, "", "the top element is <%s>, a URDF has <robot>", root.Name)
	}
	if name, _ := root.Attr("name"); name != "" {
		r.Name = name
	}
	u := urdfReader{opt: opt}
	var bodies []body
	for _, n := range root.All("link") {
		b, err := u.link(n)
		if err != nil {
			return err
		}
		bodies = append(bodies, b)
	}
	var edges []edge
	for _, n := range root.All("joint") {
		e, kind, err := u.joint(n)
		if err != nil {
			return err
		}
		if kind == "" {
			edges = append(edges, e)
			continue
		}
		between, chain := u.chain(e, kind, e.axis)
		bodies, edges = append(bodies, between...), append(edges, chain...)
	}
	if len(bodies) == 0 {
		return fault(root.Line, "", "the file holds no <link>%s", u.xacroAdvice(root))
	}
	r.Notes = append(r.Notes, u.notes...)
	return assemble(r, bodies, edges, opt)
}

type urdfReader struct {
	opt   ReadOptions
	notes []Note
}

func (u *urdfReader) note(where, format string, args ...any) {
	u.notes = append(u.notes, Note{where, fmt.Sprintf(format, args...)})
}

func (u *urdfReader) xacroAdvice(root *xmltree.Node) string {
	for _, c := range root.Children {
		if c.Space != root.Space && strings.Contains(c.Space, "xacro") {
			return "; it is still xacro, expand it first (xacro robot.xacro > robot.urdf)"
		}
	}
	return ""
}

// only returns the last child of a name and notes that earlier ones lost.
func (u *urdfReader) only(n *xmltree.Node, owner, name string) *xmltree.Node {
	c, count := n.Last(name)
	if count > 1 {
		u.note(owner, "%d <%s> elements; the last, in line %d, is taken", count, name, c.Line)
	}
	return c
}

// origin reads an <origin> child: position, roll-pitch-yaw.
func (u *urdfReader) origin(n *xmltree.Node, owner string) (xyz, rpy [3]float64, err error) {
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

func (u *urdfReader) link(n *xmltree.Node) (body, error) {
	name, _ := n.Attr("name")
	if name == "" {
		return body{}, fault(n.Line, "", "<link> without a name")
	}
	b := body{name: name, line: n.Line}
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
	about := InertialFromCentral(mass, [3]float64{}, symmetric(j))
	b.inertial = about.InFrame(Transform{R: angles.RPYRotation(rpy), P: xyz})
	b.has = true
	return b, nil
}

// symmetric builds the inertia matrix from xx, xy, xz, yy, yz, zz.
func symmetric(j [6]float64) [3][3]float64 {
	return [3][3]float64{{j[0], j[1], j[2]}, {j[1], j[3], j[4]}, {j[2], j[4], j[5]}}
}

// noLimits returns a joint without limits: all are NaN.
func noLimits(name string, kind Kind) Joint {
	nan := math.NaN()
	return Joint{Name: name, Kind: kind, Lower: nan, Upper: nan, Velocity: nan, Accel: nan, Jerk: nan, Effort: nan}
}

// joint reads a joint. compound is its type where it has several freedoms.
func (u *urdfReader) joint(n *xmltree.Node) (e edge, compound string, err error) {
	name, _ := n.Attr("name")
	if name == "" {
		return edge{}, "", fault(n.Line, "", "<joint> without a name")
	}
	owner := jointWhere(name)
	e = edge{line: n.Line, multiplier: 1}
	typ, _ := n.Attr("type")
	switch typ {
	case "revolute":
		e.joint = noLimits(name, Revolute)
	case "continuous":
		e.joint = noLimits(name, Revolute)
		e.joint.Continuous = true
	case "prismatic":
		e.joint = noLimits(name, Prismatic)
	case "fixed":
		e.joint = noLimits(name, Fixed)
	case "floating", "planar", "spherical":
		e.joint, compound = noLimits(name, Revolute), typ
	case "":
		return e, "", fault(n.Line, owner, "no type; give revolute, continuous, prismatic or fixed")
	default:
		return e, "", fault(n.Line, owner, "type %q is not known%s", typ,
			didYouMean(typ, []string{"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"}))
	}
	for _, end := range []struct {
		name string
		to   *string
	}{{"parent", &e.parent}, {"child", &e.child}} {
		c := u.only(n, owner, end.name)
		if c != nil {
			*end.to, _ = c.Attr("link")
		}
		if *end.to == "" {
			return e, "", fault(n.Line, owner, "no <%s link=\"…\"/>", end.name)
		}
	}
	return e, compound, u.geometry(n, owner, &e)
}

// geometry reads a joint's placement, axis, limits, friction and mimic.
func (u *urdfReader) geometry(n *xmltree.Node, owner string, e *edge) error {
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
		snapped = snapOrigin(&xyz, &rpy)
	}
	e.origin = Transform{R: angles.RPYRotation(rpy), P: xyz}
	if e.joint.Kind != Fixed {
		var said string
		if e.axis, said, err = unitAxis(axis, !u.opt.NoSnap); err != nil {
			return fault(n.Line, owner, "<axis xyz=\"%g %g %g\">: %v", axis[0], axis[1], axis[2], err)
		}
		if said != "" {
			snapped = append(snapped, said)
		}
		if err := u.limits(n, owner, &e.joint); err != nil {
			return err
		}
	}
	if len(snapped) > 0 {
		u.note(owner, "read %s", strings.Join(snapped, ", "))
	}
	if m := u.only(n, owner, "mimic"); m != nil {
		if e.mimic, _ = m.Attr("joint"); e.mimic == "" {
			return fault(m.Line, owner, "<mimic> does not say which joint it follows")
		}
		if e.multiplier, err = m.Number(owner, "multiplier", 1); err != nil {
			return err
		}
		if e.offset, err = m.Number(owner, "offset", 0); err != nil {
			return err
		}
	}
	return nil
}

// snapOrigin snaps the angles and offsets of a joint's origin, with a note for
// each change.
func snapOrigin(xyz, rpy *[3]float64) []string {
	var said []string
	for i, name := range [3]string{"roll", "pitch", "yaw"} {
		v, text := angles.Snap(rpy[i])
		rpy[i] = v
		if text != "" {
			said = append(said, name+" "+text)
		}
	}
	for i, name := range [3]string{"x", "y", "z"} {
		if p := xyz[i]; p != 0 && math.Abs(p) < snapLength {
			said = append(said, fmt.Sprintf("%s %g m as 0", name, p))
			xyz[i] = 0
		}
	}
	return said
}

type axisError string

func (e axisError) Error() string { return string(e) }

// unitAxis normalises a joint's axis and, where snap is set, turns one that is
// within the snap tolerance of a coordinate axis onto it.
func unitAxis(axis [3]float64, snap bool) ([3]float64, string, error) {
	big := math.Max(math.Abs(axis[0]), math.Max(math.Abs(axis[1]), math.Abs(axis[2])))
	if big == 0 {
		return axis, "", axisError("the axis is zero; give a direction")
	}
	a := spatial.Scale(1/big, axis)
	if math.IsInf(1/big, 0) {
		return axis, "", axisError("the axis is too short to have a direction")
	}
	a = spatial.Scale(1/spatial.Norm(a), a)
	if !snap {
		return a, "", nil
	}
	for i := range 3 {
		if math.Abs(a[i]) < 1-1e-9 {
			continue
		}
		var s [3]float64
		s[i] = math.Copysign(1, a[i])
		if d := spatial.Norm(spatial.Sub(a, s)); d > 0 && d <= angles.SnapTolerance {
			return s, fmt.Sprintf("axis (%g %g %g) as (%g %g %g)", axis[0], axis[1], axis[2], s[0], s[1], s[2]), nil
		}
	}
	return a, "", nil
}

// limits reads <limit> and <dynamics>. URDF writers put zeros where they know
// nothing, so a zero, or a range of no width at zero, is no limit.
func (u *urdfReader) limits(n *xmltree.Node, owner string, j *Joint) error {
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
			return fault(l.Line, owner, "lower limit %g is above upper limit %g", v[0], v[1])
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
