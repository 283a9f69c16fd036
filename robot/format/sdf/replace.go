package sdf

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/internal/xmltree"
	"ident/robot"
)

// Replace returns a text of SDFormat with the inertials of the named links and the damping and friction of the named joints, Fv and Fs,
// replaced, and every other byte kept. The parameters are about the origin of the link's frame. Numbers that the text says already stay as
// they are written. Names that the text does not hold, inertials that are computed from collisions, and bodies without mass are errors (the latter match
// robot.ErrNotWritable).
func Replace(text []byte, byLink map[string]robot.Inertial, byJoint map[string]robot.Joint) ([]byte, error) {
	plain, latin1, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, err
	}
	root, err := xmltree.Parse(plain)
	if err != nil {
		return nil, err
	}
	model, err := modelNode(plain, root)
	if err != nil {
		return nil, err
	}
	e := editor{xmltree.NewEditor(plain), plain}
	links, joints := map[string]bool{}, map[string]bool{}
	for n, name := range parts(model, "", "link") {
		p, ok := byLink[name]
		if !ok {
			continue
		}
		links[name] = true
		values, err := inertiaOf(name, p)
		if err != nil {
			return nil, err
		}
		if err := e.inertial(n, name, values); err != nil {
			return nil, err
		}
	}
	for n, name := range parts(model, "", "joint") {
		if j, ok := byJoint[name]; ok {
			joints[name] = true
			if err := e.friction(n, name, j.Fv, j.Fs); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byLink)) {
		if !links[name] {
			return nil, robot.Fault(0, "", "the model has no link %q", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byJoint)) {
		if !joints[name] {
			return nil, robot.Fault(0, "", "the model has no joint %q", name)
		}
	}
	out := e.Text()
	if latin1 {
		out = xmltree.ToLatin1(out)
	}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		out = append([]byte("\xef\xbb\xbf"), out...)
	}
	return out, nil
}

// parts returns the links or joints of a model and of those in it, with their names.
func parts(m *xmltree.Node, scope, kind string) iter.Seq2[*xmltree.Node, string] {
	return func(yield func(*xmltree.Node, string) bool) {
		for _, n := range m.All(kind) {
			name, _ := n.Attr("name")
			if !yield(n, scope+name) {
				return
			}
		}
		for _, n := range m.All("model") {
			name, _ := n.Attr("name")
			for part, own := range parts(n, scope+name+"::", kind) {
				if !yield(part, own) {
					return
				}
			}
		}
	}
}

type editor struct {
	*xmltree.Editor
	text []byte
}

// inside inserts lines at the beginning of an element.
func (e *editor) inside(n *xmltree.Node, lines ...string) {
	pad := e.Indent(n)
	deeper := pad
	if !strings.HasPrefix(pad, "-") {
		deeper += e.Step(n)
	}
	for _, s := range lines {
		e.Insert(n, deeper, pad, s)
	}
}

// says reports whether an element has these numbers.
func (e *editor) says(n *xmltree.Node, values ...float64) bool {
	fields := strings.Fields(n.Content(e.text))
	if len(fields) != len(values) {
		return false
	}
	for i, f := range fields {
		if v, err := strconv.ParseFloat(f, 64); err != nil || v != values[i] {
			return false
		}
	}
	return true
}

// child sets the number of a child element, which an absent one says by default; it reports the line to insert where there is none.
func (e *editor) child(n *xmltree.Node, name string, value, absent float64) (line string) {
	c, _ := n.Last(name)
	switch {
	case c == nil && value != absent:
		return fmt.Sprintf("<%s>%s</%s>", name, number(value), name)
	case c != nil && !e.says(c, value):
		e.SetContent(c, number(value))
	}
	return ""
}

func (e *editor) inertial(link *xmltree.Node, name string, v inertia) error {
	n, _ := link.Last("inertial")
	if n == nil {
		s := "<inertial>" + strings.Join(v.lines(), "") + "</inertial>"
		e.inside(link, s)
		return nil
	}
	if auto, _ := n.Attr("auto"); auto == "true" || auto == "1" {
		return robot.Fault(n.Line, "", "link %q: its <inertial> is computed from collisions (auto), by which no number would be read: set auto to false", name)
	}
	var missing []string
	lines := v.lines()
	switch p, _ := n.Last("pose"); {
	case p == nil && v.centre != [3]float64{}:
		missing = append(missing, lines[0])
	case p != nil:
		_, degrees := p.Attr("degrees")
		_, format := p.Attr("rotation_format")
		if degrees || format || !e.says(p, v.centre[0], v.centre[1], v.centre[2], 0, 0, 0) {
			e.Editor.Replace(p, lines[0])
		}
	}
	if s := e.child(n, "mass", v.mass, 1); s != "" {
		missing = append(missing, s)
	}
	if j, _ := n.Last("inertia"); j == nil {
		missing = append(missing, lines[2])
	} else {
		var moments []string
		for k, name := range momentNames {
			absent := 0.0 // of a product; moments are 1 by default
			if name[1] == name[2] {
				absent = 1
			}
			if s := e.child(j, name, v.moments[k], absent); s != "" {
				moments = append(moments, s)
			}
		}
		e.inside(j, moments...)
	}
	e.inside(n, missing...)
	return nil
}

func (e *editor) friction(joint *xmltree.Node, name string, fv, fs float64) error {
	where := fmt.Sprintf("joint %q", name)
	if s := fv + fs; math.IsNaN(s) || math.IsInf(s, 0) {
		return notWritable(where, "its friction is not finite")
	}
	axis, _ := joint.Last("axis")
	if axis == nil {
		if fv == 0 && fs == 0 {
			return nil
		}
		return robot.Fault(joint.Line, "", "%s: it has no <axis>, in which its friction is said", where)
	}
	d, _ := axis.Last("dynamics")
	if d == nil {
		if fv != 0 || fs != 0 {
			e.inside(axis, fmt.Sprintf("<dynamics><damping>%s</damping><friction>%s</friction></dynamics>", number(fv), number(fs)))
		}
		return nil
	}
	var missing []string
	for _, f := range []struct {
		name  string
		value float64
	}{{"damping", fv}, {"friction", fs}} {
		if s := e.child(d, f.name, f.value, 0); s != "" {
			missing = append(missing, s)
		}
	}
	e.inside(d, missing...)
	return nil
}
