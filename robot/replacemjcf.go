package robot

import (
	"bytes"
	"fmt"
	"strings"

	"ident/internal/mjcf"
	"ident/internal/xmltree"
)

// ReplaceMJCF returns MuJoCo's XML with the inertials of the named links and the armature, damping and dry friction of the named joints
// replaced, and every other byte kept. The parameters are about the origin of the body's frame; joints take
// Ia, Fv and Fs. Values that the file says already, also by a default, stay as they are written. Names that the text does not
// hold, and massless bodies, are errors (the latter match ErrNotWritable).
func ReplaceMJCF(text []byte, byLink map[string]Inertial, byJoint map[string]Joint) ([]byte, error) {
	plain, latin1, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, ofXML(err)
	}
	root, err := xmltree.Parse(plain)
	if err != nil {
		return nil, ofXML(err)
	}
	m, err := mjcf.Read(root)
	if err != nil {
		return nil, ofXML(err)
	}
	w := xmltree.NewEditor(plain)
	bodies, joints := map[string]bool{}, map[string]bool{}
	for i := range m.Bodies {
		b := &m.Bodies[i]
		if p, ok := byLink[b.Name]; ok {
			bodies[b.Name] = true
			if m.ByGeometry {
				return nil, fault(b.Line, fmt.Sprintf("body %q", b.Name), "the compiler's inertiafromgeom is \"true\", by which MuJoCo would not read an inertial: set it to \"auto\"")
			}
			if err := replaceMJCFInertial(w, b, p); err != nil {
				return nil, err
			}
		}
		for k := range b.Joints {
			j := &b.Joints[k]
			with, ok := byJoint[j.Name]
			if !ok {
				continue
			}
			joints[j.Name] = true
			for _, a := range []struct {
				name     string
				old, new float64
			}{{"armature", j.Armature, with.Ia}, {"damping", j.Damping, with.Fv}, {"frictionloss", j.FrictionLoss, with.Fs}} {
				if a.old != a.new {
					w.Set(j.Node, xmltree.Is(a.name, a.new))
				}
			}
		}
	}
	for _, name := range sortedKeys(byLink) {
		if !bodies[name] {
			return nil, fault(0, "", "the file has no body %q", name)
		}
	}
	for _, name := range sortedKeys(byJoint) {
		if !joints[name] {
			return nil, fault(0, "", "the file has no joint %q", name)
		}
	}
	out := w.Text()
	if latin1 {
		out = xmltree.ToLatin1(out)
	}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		out = append([]byte("\xef\xbb\xbf"), out...)
	}
	return out, nil
}

func replaceMJCFInertial(w *xmltree.Editor, b *mjcf.Body, p Inertial) error {
	if !(p.Mass() > 0) {
		return notWritable(fmt.Sprintf("body %q", b.Name), "its mass is %g kg, and MuJoCo moves no body without one", p.Mass())
	}
	n, err := urdfNumbers(b.Name, p)
	if err != nil {
		return err
	}
	j := n.inertia // xx xy xz yy yz zz
	text := fmt.Sprintf("<inertial pos=%q mass=%q fullinertia=%q/>", n.xyz, n.mass, strings.Join([]string{j[0], j[3], j[5], j[1], j[2], j[4]}, " "))
	if in, _ := b.Node.Last("inertial"); in != nil {
		w.Replace(in, text)
		return nil
	}
	pad := w.Indent(b.Node)
	w.Insert(b.Node, pad+w.Step(b.Node), pad, text)
	return nil
}
