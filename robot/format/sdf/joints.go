package sdf

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/spatial"
	"ident/internal/xmltree"
	"ident/robot/format/internal/mujoco"
)

// types maps the types of joints that are read to those of the model.
var types = map[string]string{"revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "fixed": "fixed", "ball": "ball"}

// unlimited is the size from which a limit is none, by the older versions of the format.
const unlimited = 1e16

// joint reads a joint whose child is a link.
func (r *reader) joint(name, child string) (mujoco.Joint, error) {
	nan := math.NaN()
	n := r.frames[name].node
	where := fmt.Sprintf("joint %q", name)
	j := mujoco.Joint{Name: name, Line: n.Line, Node: n, Axis: [3]float64{0, 0, 1}, Lower: nan, Upper: nan, Velocity: nan, Effort: nan}
	kind, _ := n.Attr("type")
	var ok bool
	if j.Type, ok = types[kind]; !ok {
		return j, fault(n, where, "type %q is not read; revolute, continuous, prismatic, ball and fixed are", kind)
	}
	at := r.relativePose(child, name)
	j.At = at.P
	if j.Type == "fixed" || j.Type == "ball" {
		return j, nil
	}
	a, _ := n.Last("axis")
	if a == nil {
		return j, fault(n, where, "it has no <axis>")
	}
	turn, err := r.axisFrame(a, where, r.frames[name].scope, child, at)
	if err != nil {
		return j, err
	}
	if x, _ := a.Last("xyz"); x != nil {
		if j.Axis, err = r.vector(x, where); err != nil {
			return j, err
		}
	}
	size := spatial.Norm(j.Axis)
	if !(size > 1e-10) || math.IsInf(size, 0) {
		return j, fault(a, where, "the axis is zero; give a direction")
	}
	j.Axis = spatial.MulVec(turn, spatial.Scale(1/size, j.Axis))
	if l, _ := a.Last("limit"); l != nil {
		if err := r.limits(l, where, kind, &j); err != nil {
			return j, err
		}
	}
	if d, _ := a.Last("dynamics"); d != nil {
		for _, f := range []struct {
			name string
			to   *float64
		}{{"damping", &j.Damping}, {"friction", &j.FrictionLoss}, {"spring_stiffness", &j.Stiffness}, {"spring_reference", &j.Spring}} {
			if *f.to, err = r.finite(d, where, f.name, 0); err != nil {
				return j, err
			}
		}
	}
	return j, r.mimic(a, where, r.frames[name].scope, name)
}

// axisFrame returns the rotation, in the child link's frame, of the frame that the axis is expressed in.
func (r *reader) axisFrame(a *xmltree.Node, where, scope, child string, joint pose) ([3][3]float64, error) {
	inModel := func() [3][3]float64 { return r.relativePose(child, resolved(scope, modelFrame)).R }
	if !r.since(5) {
		return inModel(), nil
	}
	if s, _ := r.child(a, "use_parent_model_frame"); s == "1" || s == "true" {
		return inModel(), nil
	}
	x, _ := a.Last("xyz")
	if x == nil {
		return joint.R, nil
	}
	switch in, _ := x.Attr("expressed_in"); in {
	case "":
		return joint.R, nil
	case modelFrame:
		return inModel(), nil
	default:
		in = resolved(scope, in)
		if _, err := r.place(x, in); err != nil {
			return joint.R, err
		}
		return r.relativePose(child, in).R, nil
	}
}

func (r *reader) limits(l *xmltree.Node, where, kind string, j *mujoco.Joint) error {
	for _, f := range []struct {
		name string
		to   *float64
		sign float64 // of the limits of the position, which may have either
	}{{"lower", &j.Lower, -1}, {"upper", &j.Upper, 1}, {"velocity", &j.Velocity, 0}, {"effort", &j.Effort, 0}} {
		v, err := r.number(l, where, f.name, math.NaN())
		switch {
		case err != nil:
			return err
		case math.IsNaN(v) || math.Abs(v) >= unlimited || kind == "continuous" && f.sign != 0 || f.sign == 0 && !(v > 0):
			// none: older files have -1 for efforts and velocities without a limit
		default:
			*f.to = v
		}
	}
	if j.Lower > j.Upper {
		return fault(l, where, "lower limit %g is above upper limit %g", j.Lower, j.Upper)
	}
	return nil
}

// mimic reads a joint that follows another: its position less the reference's multiple.
func (r *reader) mimic(a *xmltree.Node, where, scope, name string) error {
	m, _ := a.Last("mimic")
	if m == nil {
		return nil
	}
	t := mujoco.Tie{Joint: name, Line: m.Line}
	t.Of, _ = m.Attr("joint")
	t.Of = resolved(scope, t.Of)
	if f := r.frames[t.Of]; f == nil || f.kind != "joint" {
		return fault(m, where, "<mimic> follows joint %q, which there is not", t.Of)
	}
	reference := 0.0
	for _, f := range []struct {
		name   string
		to     *float64
		absent float64
	}{{"multiplier", &t.Multiplier, 1}, {"offset", &t.Offset, 0}, {"reference", &reference, 0}} {
		var err error
		if *f.to, err = r.finite(m, where, f.name, f.absent); err != nil {
			return err
		}
	}
	t.Offset -= t.Multiplier * reference
	r.out.Ties = append(r.out.Ties, t)
	return nil
}

// bodies orders the links below each other.
func (r *reader) bodies() error {
	above := map[string]string{} // the joint that carries a link
	on := map[string]string{}    // the link that it is on, "" for the world
	below := map[string][]string{}
	var roots []string
	for _, name := range r.names {
		f := r.frames[name]
		if f.kind != "joint" {
			continue
		}
		where := fmt.Sprintf("joint %q", name)
		child, err := r.link(f.node, f.attached)
		if err != nil {
			return err
		}
		if child == "" {
			return fault(f.node, where, "<child> names no link")
		}
		parentName, _ := r.child(f.node, "parent")
		parent := ""
		if parentName != "world" {
			if parent, err = r.link(f.node, resolved(f.scope, parentName)); err != nil {
				return err
			}
			if parent == "" {
				return fault(f.node, where, "<parent> names no link")
			}
		}
		if parent == child {
			return fault(f.node, where, "link %q is its own parent", child)
		}
		if other := above[child]; other != "" {
			return fault(f.node, where, "link %q is the child of joint %q as well: loops are not read from this format; cut one of them and close it with YAML or MuJoCo's XML", child, other)
		}
		above[child], on[child] = name, parent
		if parent == "" {
			roots = append(roots, child)
		} else {
			below[parent] = append(below[parent], child)
		}
	}
	var free []string
	for _, name := range r.names {
		if r.frames[name].kind == "link" && above[name] == "" {
			free = append(free, name)
		}
	}
	if len(free) > 1 || len(free) == 1 && len(roots) > 0 {
		return fault(r.frames[free[0]].node, fmt.Sprintf("link %q", free[0]), "no joint connects it with the other trees of the model: join them by (fixed) joints")
	}
	if len(free) == 1 {
		r.note(fmt.Sprintf("link %q", free[0]), "no joint holds the model in the world: it is taken as fixed where it is")
	}
	index := map[string]int{"": -1}
	var none []string
	var walk func(links []string) error
	walk = func(links []string) error {
		for _, name := range links {
			n := r.frames[name].node
			b := mujoco.Body{Name: name, Line: n.Line, Node: n, Parent: index[on[name]], At: r.relativePose(on[name], name), Meshes: r.meshes(n, name)}
			if b.Parent < 0 {
				b.At = product(r.atWorld, b.At)
			}
			if joint := above[name]; joint != "" {
				j, err := r.joint(joint, name)
				if err != nil {
					return err
				}
				b.Joints = []mujoco.Joint{j}
			}
			var err error
			if b.Inertial, err = r.inertial(n, fmt.Sprintf("link %q", name)); err != nil {
				return err
			}
			if held := b.Parent < 0 && (b.Joints == nil || b.Joints[0].Type == "fixed"); b.Inertial == nil && !held {
				none = append(none, name)
			}
			index[name] = len(r.out.Bodies)
			r.out.Bodies = append(r.out.Bodies, b)
			if err := walk(below[name]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(append(free, roots...)); err != nil {
		return err
	}
	if lost := len(above) + len(free) - len(r.out.Bodies); lost > 0 {
		for _, name := range r.names {
			if _, ok := index[name]; !ok && r.frames[name].kind == "link" {
				return fault(r.frames[name].node, fmt.Sprintf("link %q", name), "it is on a cycle of links that carry each other, which nothing holds in the world")
			}
		}
	}
	if len(none) > 0 {
		r.note("model", "links without an inertial, to which simulators give 1 kg and 1 kg·m² each, have none here: %s", strings.Join(none, ", "))
	}
	r.tools(index)
	return nil
}

// tools makes frames on links bodies without mass, as the links of tools are in a URDF.
func (r *reader) tools(index map[string]int) {
	for _, name := range r.names {
		f := r.frames[name]
		if f.kind != "frame" {
			continue
		}
		on, err := r.link(f.node, name)
		if err != nil || on == "" {
			continue
		}
		at := within(r.frames[on].at, f.at)
		if f.relative == on {
			at = f.own
		}
		r.out.Bodies = append(r.out.Bodies, mujoco.Body{Name: name, Line: f.node.Line, Node: f.node, Parent: index[on], At: at})
	}
}

// inertial reads the inertial of a link; nil where it has none.
func (r *reader) inertial(link *xmltree.Node, where string) (*mujoco.Inertial, error) {
	n, _ := link.Last("inertial")
	if n == nil {
		return nil, nil
	}
	if auto, _ := n.Attr("auto"); auto == "true" || auto == "1" {
		return nil, fault(n, where, "its <inertial> is computed from collisions (auto), which are not read: give its numbers")
	}
	at, relative, err := r.pose(n, where)
	if err != nil {
		return nil, err
	}
	if relative != "" {
		return nil, fault(n, where, "the <pose> of an inertial is that in its link: relative_to has no place there")
	}
	out := &mujoco.Inertial{Centre: at.P}
	if out.Mass, err = r.finite(n, where, "mass", 1); err != nil {
		return nil, err
	}
	var j [6]float64
	names := [6]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}
	given, _ := n.Last("inertia")
	for k, name := range names {
		j[k] = map[bool]float64{true: 1}[slices.Contains([]int{0, 3, 5}, k)]
		if given == nil {
			continue
		}
		if j[k], err = r.finite(given, where, name, j[k]); err != nil {
			return nil, err
		}
	}
	if m, _ := n.Last("mass"); m == nil || given == nil {
		r.note(where, "its inertial leaves mass or inertia out, which are then 1 kg and 1 kg·m²")
	}
	about := [3][3]float64{{j[0], j[1], j[2]}, {j[1], j[3], j[4]}, {j[2], j[4], j[5]}}
	out.Central = spatial.Mul(at.R, spatial.Mul(about, spatial.Transpose(at.R)))
	return out, nil
}
