package sdf

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"ident/internal/spatial"
	"ident/robot"
)

// escaped returns a text as the content of an element.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // memory does not fail
	return b.String()
}

// quoted returns the value of an attribute.
func quoted(s string) string { return `"` + escaped(s) + `"` }

// Write writes the robot as SDFormat 1.9, or 1.11 where joints follow others, fixed in the world; gravity other than the standard one is that of
// a world around the model. Unset symbols, closed loops, couplings of several joints, joints of several freedoms, moving links without
// mass, and names that the format reserves or that a link and a joint share are errors that match robot.ErrNotWritable.
func Write(w io.Writer, r *robot.Robot) error {
	x := writer{r: r, taken: map[string]string{}, pad: "  "}
	if err := x.refuse(); err != nil {
		return err
	}
	version := "1.9"
	if len(r.Mimics) > 0 {
		version = "1.11"
	}
	fmt.Fprintf(&x.b, "<?xml version=\"1.0\"?>\n<sdf version=%q>\n", version)
	around := r.Gravity != robot.StandardGravity
	if around {
		x.line("<world name=\"world\">")
		x.pad += "  "
		x.line("<gravity>%s</gravity>", spaced(r.Gravity[:]...))
	}
	x.line("<model name=%s>", quoted(r.Name))
	x.pad += "  "
	x.base = "world"
	if r.BaseName != "" && r.BaseName != "world" {
		x.base = r.BaseName
		if err := x.name("link", x.base); err != nil {
			return err
		}
		x.line("<link name=%s/>", quoted(x.base))
		weld := x.base + "_weld"
		for x.used(weld) {
			weld += "_"
		}
		if err := x.fixedJoint(weld, "world", x.base); err != nil {
			return err
		}
	}
	if err := x.lumped(-1); err != nil {
		return err
	}
	for i := range r.Links {
		if err := x.link(i); err != nil {
			return err
		}
	}
	x.pad = x.pad[2:]
	x.line("</model>")
	if around {
		x.pad = x.pad[2:]
		x.line("</world>")
	}
	x.b.WriteString("</sdf>\n")
	_, err := x.b.WriteTo(w)
	return err
}

type writer struct {
	r     *robot.Robot
	b     bytes.Buffer
	pad   string
	base  string            // the link that carries the first, or "world"
	taken map[string]string // kind of the element, by name
}

func (x *writer) line(format string, args ...any) {
	x.b.WriteString(x.pad)
	fmt.Fprintf(&x.b, format, args...)
	x.b.WriteByte('\n')
}

// refuse names the parts of a robot that the format, or this writer, has no place for.
func (x *writer) refuse() error {
	r := x.r
	switch {
	case len(r.Unset) > 0:
		return notWritable("robot "+r.Name, "symbols %s have no values", strings.Join(r.Unset, ", "))
	case len(r.Loops) > 0:
		return notWritable(r.LoopName(0), "closed loops are not written as SDFormat; MuJoCo's XML and YAML have them")
	case len(r.Couplings) > 0:
		return notWritable(r.CouplingName(0), "SDFormat ties a joint to one other")
	}
	for i := range r.Links {
		if l := &r.Links[i]; l.Massless || l.Joint.Virtual {
			return notWritable(fmt.Sprintf("joint %q", l.Joint.Name), "joints of several freedoms and links without mass are not written as SDFormat")
		}
	}
	return nil
}

// name claims a name: links, joints and frames of a model share one list.
func (x *writer) name(kind, name string) error {
	where := fmt.Sprintf("%s %q", kind, name)
	switch other := x.taken[name]; {
	case name == "" || name == "world" || strings.Contains(name, "::") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__"):
		return notWritable(where, "SDFormat reserves the name; rename it")
	case other != "":
		return notWritable(where, "a %s has the same name, and SDFormat has one list of names; rename one", other)
	}
	x.taken[name] = kind
	return nil
}

// used reports whether a part of the robot has a name.
func (x *writer) used(name string) bool {
	for i := range x.r.Links {
		if x.r.Links[i].Name == name || x.r.Links[i].Joint.Name == name {
			return true
		}
	}
	for _, l := range x.r.Lumped {
		if l.Name == name || l.Joint == name {
			return true
		}
	}
	return false
}

// carrier returns the name of a link that carries others, and its frame in frame j.
func (x *writer) carrier(i int) (string, robot.Transform) {
	if i < 0 {
		return x.base, robot.Identity()
	}
	return x.r.Links[i].Name, x.r.Links[i].UserFrame
}

// relative returns a placement relative to a link; that to the world is one in the model's frame, which lies on it.
func relative(t robot.Transform, link string) string {
	if link == "world" {
		link = ""
	}
	return poseElement(t, link)
}

func (x *writer) link(i int) error {
	l := &x.r.Links[i]
	if err := x.name("link", l.Name); err != nil {
		return err
	}
	parent, frame := x.carrier(l.Antecedent)
	own, whole := l.Own, false
	if own.Mass() == 0 {
		own, whole = l.Inertial, true
	}
	x.line("<link name=%s>", quoted(l.Name))
	x.line("  %s", relative(frame.Inv().Mul(l.Placement).Mul(l.UserFrame), parent))
	if err := x.inertial(l.Name, own.InFrame(l.UserFrame.Inv())); err != nil {
		return err
	}
	x.line("</link>")
	if err := x.joint(i, parent); err != nil {
		return err
	}
	if whole {
		return nil // the bodies lumped into it are in it
	}
	return x.lumped(i)
}

func (x *writer) inertial(name string, p robot.Inertial) error {
	n, err := inertiaOf(name, p)
	if err != nil {
		return err
	}
	x.line("  <inertial>")
	for _, s := range n.lines() {
		x.line("    %s", s)
	}
	x.line("  </inertial>")
	return nil
}

func (x *writer) fixedJoint(name, parent, child string) error {
	if err := x.name("joint", name); err != nil {
		return err
	}
	x.line("<joint name=%s type=\"fixed\"><parent>%s</parent><child>%s</child></joint>", quoted(name), escaped(parent), escaped(child))
	return nil
}

// joint writes the joint of link i, whose frame j has a place in the link's own.
func (x *writer) joint(i int, parent string) error {
	l := &x.r.Links[i]
	j := &l.Joint
	if j.Kind == robot.Fixed {
		return x.fixedJoint(j.Name, parent, l.Name)
	}
	if err := x.name("joint", j.Name); err != nil {
		return err
	}
	kind := "revolute"
	switch {
	case j.Kind == robot.Prismatic:
		kind = "prismatic"
	case j.Continuous:
		kind = "continuous"
	}
	x.line("<joint name=%s type=%q>", quoted(j.Name), kind)
	x.line("  <parent>%s</parent>", escaped(parent))
	x.line("  <child>%s</child>", escaped(l.Name))
	at := l.UserFrame.Inv()
	if at.P != [3]float64{} {
		x.line("  %s", poseElement(robot.Transform{R: spatial.Eye(), P: at.P}, ""))
	}
	x.line("  <axis>")
	x.line("    <xyz>%s</xyz>", spaced(at.R[0][2], at.R[1][2], at.R[2][2]))
	x.line("    <limit>%s</limit>", limits(j))
	if j.Fv != 0 || j.Fs != 0 {
		x.line("    <dynamics><damping>%s</damping><friction>%s</friction></dynamics>", number(j.Fv), number(j.Fs))
	}
	for _, m := range x.r.Mimics {
		if m.Joint == i {
			x.line("    <mimic joint=%s><multiplier>%s</multiplier><offset>%s</offset><reference>0</reference></mimic>",
				quoted(x.r.Links[m.Of].Joint.Name), number(m.Multiplier), number(m.Offset))
		}
	}
	x.line("  </axis>")
	x.line("</joint>")
	return nil
}

// limits returns those that the robot has; positions without one are -inf and inf by default.
func limits(j *robot.Joint) string {
	var b strings.Builder
	for _, f := range []struct {
		name  string
		value float64
	}{{"lower", j.Lower}, {"upper", j.Upper}, {"effort", j.Effort}, {"velocity", j.Velocity}} {
		if !math.IsNaN(f.value) {
			fmt.Fprintf(&b, "<%s>%s</%s>", f.name, number(f.value), f.name)
		}
	}
	return b.String()
}

// lumped writes the bodies that fixed joints hang on a link.
func (x *writer) lumped(i int) error {
	parent, frame := x.carrier(i)
	for _, m := range x.r.Lumped {
		if m.Into != i {
			continue
		}
		at := frame.Inv().Mul(m.InLink)
		massless := !m.HasInertial || m.Inertial.Mass() == 0
		if massless && parent != "world" {
			if err := x.name("frame", m.Name); err != nil {
				return err
			}
			x.line("<frame name=%s attached_to=%s>%s</frame>", quoted(m.Name), quoted(parent), poseElement(at, ""))
			continue
		}
		if err := x.name("link", m.Name); err != nil {
			return err
		}
		x.line("<link name=%s>", quoted(m.Name))
		x.line("  %s", relative(at, parent))
		if !massless {
			if err := x.inertial(m.Name, m.Inertial.InFrame(m.InLink.Inv())); err != nil {
				return err
			}
		}
		x.line("</link>")
		if err := x.fixedJoint(m.Joint, parent, m.Name); err != nil {
			return err
		}
	}
	return nil
}
