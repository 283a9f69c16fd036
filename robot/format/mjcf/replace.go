package mjcf

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/format/internal/mujoco"
)

// Replace returns MuJoCo's XML with the inertials of the named links and the armature, damping and dry friction of the named joints
// replaced, and every other byte kept. The parameters are about the origin of the body's frame; joints take
// Ia, Fv and Fs. Values that the file says already, also by a default, stay as they are written. Names that the text does not
// hold, and massless bodies, are errors (the latter match robot.ErrNotWritable).
func Replace(text []byte, byLink map[string]robot.Inertial, byJoint map[string]robot.Joint) ([]byte, error) {
	plain, latin1, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, err
	}
	root, err := xmltree.Parse(plain)
	if err != nil {
		return nil, err
	}
	m, err := mujoco.Read(root)
	if err != nil {
		return nil, err
	}
	w := xmltree.NewEditor(plain)
	bodies, joints := map[string]bool{}, map[string]bool{}
	for i := range m.Bodies {
		b := &m.Bodies[i]
		if p, ok := byLink[b.Name]; ok {
			bodies[b.Name] = true
			if m.ByGeometry {
				return nil, fault(b.Line, "body %q: the compiler's inertiafromgeom is \"true\", so MuJoCo would ignore an inertial: set it to \"auto\"", b.Name)
			}
			if err := replaceInertial(w, b, p); err != nil {
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
	for _, name := range slices.Sorted(maps.Keys(byLink)) {
		if !bodies[name] {
			return nil, fault(0, "the file has no body %q", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byJoint)) {
		if !joints[name] {
			return nil, fault(0, "the file has no joint %q", name)
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

func replaceInertial(w *xmltree.Editor, b *mujoco.Body, p robot.Inertial) error {
	if !(p.Mass() > 0) {
		return notWritable(fmt.Sprintf("body %q", b.Name), "its mass is %g kg, and MuJoCo moves no body without one", p.Mass())
	}
	text, err := numbers(b.Name, p)
	if err != nil {
		return err
	}
	if in, _ := b.Node.Last("inertial"); in != nil {
		w.Replace(in, text)
		return nil
	}
	pad := w.Indent(b.Node)
	w.Insert(b.Node, pad+w.Step(b.Node), pad, text)
	return nil
}
