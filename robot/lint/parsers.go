package lint

import (
	"fmt"
	"strings"

	"ident/internal/xmltree"
	"ident/robot"
)

// single are the elements that a URDF has once in a joint, a link and an inertial.
var single = map[string][]string{
	"joint":    {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
	"link":     {"inertial"},
	"inertial": {"origin", "mass", "inertia"},
}

// Parsers names the parts of a URDF that its parsers take differently, or some refuse, with their lines: one finding of
// each kind. Robots of other formats have none; lines of xacro files are those of the expansion. What urdfdom, the
// parser of ROS, does was read in its source (urdf_parser/src/joint.cpp and link.cpp); what MuJoCo does was tried with
// 3.14.
func Parsers(r *robot.Robot) []Finding {
	if r.Source.Format != "urdf" {
		return nil
	}
	text, _, err := xmltree.ToUTF8(r.Source.Text)
	if err != nil {
		return nil // it was read before
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return nil
	}
	p := parsers{places: map[string][]string{}}
	names := map[string]int{}
	for _, n := range root.All("link") {
		name, _ := n.Attr("name")
		names[name] = n.Line
		p.once(n, "link", name)
		in, _ := n.Last("inertial")
		if in == nil {
			continue
		}
		p.once(in, "inertial", "of link "+name)
		if m, _ := in.Last("mass"); m != nil && len(n.All("collision")) > 0 {
			if v, err := m.Number("", "value", 0); err == nil && v == 0 {
				p.add("massless-collision", "%q (line %d)", name, m.Line)
			}
		}
		p.inertial(in, name)
	}
	for _, n := range root.All("joint") {
		name, _ := n.Attr("name")
		p.once(n, "joint", name)
		p.joint(n, name)
		if _, both := names[name]; both {
			p.add("shared-name", "%q (line %d)", name, n.Line)
		}
	}
	return p.findings()
}

// parsers collects the places of each kind of finding.
type parsers struct{ places map[string][]string }

func (p *parsers) add(id, format string, args ...any) {
	p.places[id] = append(p.places[id], fmt.Sprintf(format, args...))
}

// once finds elements that are there several times.
func (p *parsers) once(n *xmltree.Node, kind, name string) {
	for _, element := range single[kind] {
		all := n.All(element)
		if len(all) < 2 {
			continue
		}
		var lines []string
		for _, c := range all {
			lines = append(lines, fmt.Sprint(c.Line))
		}
		last := len(lines) - 1
		p.add("doubled", "%s %q: <%s> in lines %s and %s", kind, strings.TrimPrefix(name, "of link "), element, strings.Join(lines[:last], ", "), lines[last])
	}
}

func (p *parsers) inertial(in *xmltree.Node, name string) {
	if o, _ := in.Last("origin"); o == nil {
		p.add("inertial-origin", "%q (line %d)", name, in.Line)
	}
	m, _ := in.Last("mass")
	i, _ := in.Last("inertia")
	missing := ""
	switch {
	case m == nil:
		missing = "mass"
	case i == nil:
		missing = "inertia"
	default:
		for _, a := range []string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
			if _, ok := i.Attr(a); !ok && missing == "" {
				missing = a
			}
		}
	}
	if missing != "" {
		p.add("inertial-parts", "%q without %s (line %d)", name, missing, in.Line)
	}
}

func (p *parsers) joint(n *xmltree.Node, name string) {
	kind, _ := n.Attr("type")
	limit, _ := n.Last("limit")
	number := func(attr string) float64 { v, _ := limit.Number("", attr, 0); return v }
	switch {
	case kind == "revolute" || kind == "prismatic":
		if limit == nil {
			p.add("limits-missing", "%q without <limit> (line %d)", name, n.Line)
			break
		}
		for _, a := range []string{"effort", "velocity"} {
			if _, ok := limit.Attr(a); !ok {
				p.add("limits-missing", "%q without %s (line %d)", name, a, limit.Line)
				break
			}
		}
		if number("lower") == 0 && number("upper") == 0 {
			p.add("limits-zero", "%q (line %d)", name, limit.Line)
		}
	case kind == "continuous" && limit != nil && (number("lower") != 0 || number("upper") != 0):
		p.add("limits-continuous", "%q (line %d)", name, limit.Line)
	}
	if m, _ := n.Last("mimic"); m != nil {
		p.add("mimic", "%q (line %d)", name, m.Line)
	}
}

// kinds are the findings in their order, with the remark behind the places.
var kinds = []struct {
	id       string
	severity Severity
	one, all string // of a place, of several
	text     string
}{
	{"doubled", SeverityWarning, "", "", "here the last one is taken, urdfdom (ROS) takes the first, MuJoCo refuses the file: keep one"},
	{"shared-name", SeverityNote, "joint ", "joints ", "a link has the same name: SDFormat, which has one list of names, refuses it"},
	{"inertial-parts", SeverityNote, "inertial of link ", "inertials of links ", "taken as 0 here, refused by urdfdom (ROS) and MuJoCo"},
	{"inertial-origin", SeverityNote, "inertial of link ", "inertials of links ", "no <origin>: every parser takes the centre of mass at the link's origin, which is seldom meant"},
	{"massless-collision", SeverityWarning, "inertial of link ", "inertials of links ", "the mass is zero, although the link has collision shapes: MuJoCo refuses a moving body without mass; give its mass and moments"},
	{"limits-missing", SeverityNote, "joint ", "joints ", "urdfdom (ROS) refuses the file; here, and by MuJoCo, there is no such limit"},
	{"limits-zero", SeverityNote, "joint ", "joints ", "a range from 0 to 0 means no limit here and to MuJoCo, but holds the joint still elsewhere: make it continuous or fixed, or give its range"},
	{"limits-continuous", SeverityNote, "joint ", "joints ", "a continuous joint has no range: ident and urdfdom (ROS) ignore it, MuJoCo keeps it"},
	{"mimic", SeverityNote, "joint ", "joints ", "programs without couplings (KDL; Pinocchio unless asked) move a joint with <mimic> freely"},
}

// maxPlaces is the number of places that a finding lists.
const maxPlaces = 4

func (p *parsers) findings() []Finding {
	var out []Finding
	for _, k := range kinds {
		at := p.places[k.id]
		if len(at) == 0 {
			continue
		}
		lead := k.one
		if len(at) > 1 {
			lead = k.all
		}
		list := strings.Join(at[:min(len(at), maxPlaces)], ", ")
		if more := len(at) - maxPlaces; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, Finding{ID: k.id, Severity: k.severity, Value: float64(len(at)), Text: lead + list + ": " + k.text})
	}
	return out
}
