package robot

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/angles"
	"ident/internal/spatial"
)

// freedom is one motion of a joint with several: a step of the chain of joints
// that stands for it.
type freedom struct {
	suffix string // of the names of the joint and of the massless link on it
	kind   Kind
	axis   [3]float64 // in the frame of the joint
}

// compoundKinds are the kinds of joints that become chains.
var compoundKinds = [...]string{"planar", "spherical", "floating", "moving", "screw"}

// freedoms lists the motions of a joint of several freedoms. Angles are those of
// yaw, pitch and roll: about z, then the turned y, then the turned x.
func freedoms(kind string, axis [3]float64) []freedom {
	x, y, z := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, 0, 1}
	turns := []freedom{{".yaw", Revolute, z}, {".pitch", Revolute, y}, {".roll", Revolute, x}}
	slides := []freedom{{".x", Prismatic, x}, {".y", Prismatic, y}, {".z", Prismatic, z}}
	switch kind {
	case "planar":
		a := angles.AlignZ(axis)
		column := func(k int) [3]float64 { return [3]float64{a[0][k], a[1][k], a[2][k]} }
		return []freedom{{".x", Prismatic, column(0)}, {".y", Prismatic, column(1)}, {".turn", Revolute, axis}}
	case "spherical":
		return turns
	case "floating", "moving":
		return slices.Concat(slides, turns)
	case "screw":
		return []freedom{{"", Revolute, axis}, {".slide", Prismatic, axis}}
	}
	return nil
}

// virtual tells whether the joints of a kind are of a body that floats or is
// moved: they have neither drive nor friction.
func virtual(kind string) bool { return kind == "floating" || kind == "moving" }

// compound reads a YAML link whose joint has several freedoms, as a chain of
// joints on massless links. The link itself is the last of them.
func (y *yamlReader) compound(m yamlMap, name, kind string, from yamlSeat) error {
	j, err := m.sub("joint", m.where+": joint", "name", "kind", "passive", "pitch")
	if err != nil {
		return err
	}
	joint, err := j.text("name")
	if err != nil {
		return err
	}
	if joint == "" {
		joint = fmt.Sprintf("J%d", len(y.links)+1)
	}
	passive, err := j.flag("passive")
	if err != nil {
		return err
	}
	pitch, err := j.number("pitch", 0)
	switch {
	case err != nil:
		return err
	case kind == "screw" && pitch == 0:
		return fault(j.line, jointWhere(joint), "a screw needs its pitch, in metres a turn")
	case kind != "screw" && j.has("pitch"):
		return fault(j.line, jointWhere(joint), "only a screw has a pitch")
	case m.has("mdh") || m.has("user_frame"):
		return fault(m.line, m.where, "a %s joint is placed by origin and axis", kind)
	case m.has("zero"):
		return fault(m.line, m.where, "zero belongs to a link on a joint of one freedom; its joint is %s", kind)
	}
	at, err := y.origin(m, "origin", joint)
	if err != nil {
		return err
	}
	given, err := m.vector("axis", [3]float64{0, 0, 1})
	if err != nil {
		return err
	}
	axis, _, err := unitAxis(given, !y.opt.NoSnap)
	if err != nil {
		return fault(m.line, m.where, "%v", err)
	}
	chain := freedoms(kind, axis)
	on, turned := from.link, from.in.Mul(at)
	for i, f := range chain {
		jn := joint + f.suffix
		if _, dup := y.links[jn]; dup {
			return fault(j.line, "", "joint %q is defined twice; rename one", jn)
		}
		align := Transform{R: angles.AlignZ(f.axis)}
		l := Link{Name: name + f.suffix, Joint: noLimits(jn, f.kind), Antecedent: on, Placement: turned.Mul(align),
			UserFrame: Transform{R: spatial.Transpose(align.R)}, Massless: true}
		l.Joint.Passive, l.Joint.Virtual, l.Joint.ExternalForce = passive, virtual(kind), kind == "moving"
		if i == len(chain)-1 {
			l.Name, l.Massless = name, false
			if l.Own, l.HasInertial, err = yamlInertial(m, l.UserFrame); err != nil {
				return err
			}
			l.Inertial = l.Own
			if l.Shapes, l.Section, err = m.parts(); err != nil {
				return err
			}
			y.seats[name] = yamlSeat{link: len(y.r.Links), in: l.UserFrame}
		} else if kind == "screw" {
			l.Name = name + ".turn"
		}
		on, turned = len(y.r.Links), l.UserFrame
		y.links[jn] = on
		y.r.Links = append(y.r.Links, l)
	}
	if kind == "screw" {
		y.r.Mimics = append(y.r.Mimics, Mimic{Joint: on, Of: on - 1, Multiplier: pitch / (2 * math.Pi)})
	}
	return nil
}

// chain replaces a URDF joint of several freedoms by joints in a row, with
// massless bodies between them.
func (u *urdfReader) chain(e edge, kind string, axis [3]float64) ([]body, []edge) {
	var bodies []body
	var edges []edge
	steps := freedoms(kind, axis)
	parent, origin := e.parent, e.origin
	for i, f := range steps {
		s := edge{joint: noLimits(e.joint.Name+f.suffix, f.kind), line: e.line, parent: parent, child: e.child + f.suffix,
			origin: origin, axis: f.axis, multiplier: 1}
		s.joint.Virtual = virtual(kind)
		if i == len(steps)-1 {
			s.child = e.child
		} else {
			bodies = append(bodies, body{name: s.child, line: e.line, massless: true})
		}
		edges = append(edges, s)
		parent, origin = s.child, Identity()
	}
	u.note(jointWhere(e.joint.Name), "%s, read as %d joints in a row on massless links: %s", kind, len(steps), chainNames(edges))
	return bodies, edges
}

func chainNames(edges []edge) string {
	s := ""
	for i, e := range edges {
		if i > 0 {
			s += ", "
		}
		s += e.joint.Name
	}
	return s
}
