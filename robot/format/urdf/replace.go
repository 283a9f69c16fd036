package urdf

import (
	"bytes"
	"maps"
	"slices"

	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// ReplaceInertials returns a URDF text with the inertials of the named links
// replaced and every other byte kept. The parameters are about the origin of
// the URDF link frame, in its axes; they are written as centre of mass, zero
// roll-pitch-yaw, mass and central inertia with 17 digits. An element or
// attribute that is missing is inserted in the text's own indentation. Of several
// origins of a joint, which some parsers refuse, the one that is read stays. Names
// that the text does not hold, and massless bodies with moments, are errors
// (the latter match ErrNotWritable).
func ReplaceInertials(urdf []byte, byLink map[string]robot.Inertial) ([]byte, error) {
	text, latin1, err := xmltree.ToUTF8(urdf)
	if err != nil {
		return nil, assembly.OfXML(err)
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return nil, assembly.OfXML(err)
	}
	w := xmltree.NewEditor(text)
	found := map[string]bool{}
	var names []string
	for _, n := range root.All("link") {
		name, _ := n.Attr("name")
		names = append(names, name)
		p, ok := byLink[name]
		if !ok {
			continue
		}
		if found[name] {
			return nil, robot.Fault(n.Line, "", "link %q is defined twice; rename one", name)
		}
		found[name] = true
		if err := replaceInertial(w, n, name, p); err != nil {
			return nil, err
		}
	}
	for _, j := range root.All("joint") {
		if all := j.All("origin"); len(all) > 1 && len(byLink) > 0 {
			for _, o := range all[:len(all)-1] { // passed over when it was read
				w.Replace(o, "")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byLink)) {
		if !found[name] {
			return nil, robot.Fault(0, "", "the URDF has no link %q%s", name, words.DidYouMean(name, names))
		}
	}
	out := w.Text()
	if latin1 {
		out = xmltree.ToLatin1(out)
	}
	if bytes.HasPrefix(urdf, []byte("\xef\xbb\xbf")) {
		out = append([]byte("\xef\xbb\xbf"), out...)
	}
	return out, nil
}

// replaceInertial rewrites, or inserts, the inertial that the reader takes of a link.
func replaceInertial(w *xmltree.Editor, n *xmltree.Node, name string, p robot.Inertial) error {
	if _, err := urdfNumbers(name, p); err != nil {
		return err
	}
	com, _ := p.CentreOfMass()
	j, _ := p.Central()
	is := xmltree.Is
	elements := []xmltree.Element{
		{Name: "origin", Attrs: []xmltree.Value{is("xyz", com[:]...), is("rpy", 0, 0, 0)}},
		{Name: "mass", Attrs: []xmltree.Value{is("value", p.Mass())}},
		{Name: "inertia", Attrs: []xmltree.Value{is("ixx", j[0][0]), is("ixy", j[0][1]), is("ixz", j[0][2]), is("iyy", j[1][1]), is("iyz", j[1][2]), is("izz", j[2][2])}},
	}
	in, _ := n.Last("inertial")
	if in == nil {
		pad := w.Indent(n)
		deeper := pad + w.Step(n)
		w.Insert(n, deeper, pad, w.Block("inertial", elements, deeper, w.Step(n)))
		return nil
	}
	pad := w.Indent(in)
	step := w.Step(in)
	for _, e := range slices.Backward(elements) {
		c, _ := in.Last(e.Name)
		if c == nil {
			w.Insert(in, pad+step, pad, e.String())
			continue
		}
		for _, a := range e.Attrs {
			w.Attribute(c, a)
		}
	}
	return nil
}
