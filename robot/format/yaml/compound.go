package yaml

import (
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// compound reads a YAML link whose joint has several freedoms, as a chain of
// joints on massless links. The link itself is the last of them.
func (y *reader) compound(m yamlMap, name, kind string, from yamlSeat) error {
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
		return robot.Fault(j.line, words.Joint(joint), "a screw needs its pitch, in metres a turn")
	case kind != "screw" && j.has("pitch"):
		return robot.Fault(j.line, words.Joint(joint), "only a screw has a pitch")
	case m.has("mdh") || m.has("user_frame"):
		return robot.Fault(m.line, m.where, "a %s joint is placed by origin and axis", kind)
	case m.has("zero"):
		return robot.Fault(m.line, m.where, "zero belongs to a link on a joint of one freedom; its joint is %s", kind)
	}
	at, err := y.origin(m, "origin", joint)
	if err != nil {
		return err
	}
	given, err := m.vector("axis", [3]float64{0, 0, 1})
	if err != nil {
		return err
	}
	axis, _, err := assembly.UnitAxis(given, !y.opt.NoSnap)
	if err != nil {
		return robot.Fault(m.line, m.where, "%v", err)
	}
	chain := assembly.Freedoms(kind, axis)
	on, turned := from.link, from.in.Mul(at)
	for i, f := range chain {
		jn := joint + f.Suffix
		if _, dup := y.links[jn]; dup {
			return robot.Fault(j.line, "", "joint %q is defined twice; rename one", jn)
		}
		align := robot.Transform{R: angles.AlignZ(f.Axis)}
		l := robot.Link{Name: name + f.Suffix, Joint: robot.NewJoint(jn, f.Kind), Antecedent: on, Placement: turned.Mul(align),
			UserFrame: robot.Transform{R: spatial.Transpose(align.R)}, Massless: true}
		l.Joint.Passive, l.Joint.Virtual, l.Joint.ExternalForce = passive, assembly.Virtual(kind), kind == "moving"
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
		y.r.Mimics = append(y.r.Mimics, robot.Mimic{Joint: on, Of: on - 1, Multiplier: pitch / (2 * math.Pi)})
	}
	return nil
}
