package urdf

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"

	"ident/internal/xmltree"
	"ident/robot"
)

// ReplaceFriction returns a URDF text with the viscous and Coulomb friction of the named joints, Fv and Fs, as <dynamics damping
// friction>, with 17 digits and every other byte kept. Numbers that the text says already stay as they are written; a joint without
// friction gets no new element. Joints that the text does not hold, or holds twice, and friction that is not finite are errors; the
// latter match robot.ErrNotWritable.
func ReplaceFriction(text []byte, byJoint map[string]robot.Joint) ([]byte, error) {
	plain, latin1, err := xmltree.ToUTF8(text)
	if err != nil {
		return nil, err
	}
	root, err := xmltree.Parse(plain)
	if err != nil {
		return nil, err
	}
	w := xmltree.NewEditor(plain)
	found := map[string]bool{}
	for _, n := range root.All("joint") {
		name, _ := n.Attr("name")
		j, ok := byJoint[name]
		if !ok {
			continue
		}
		if found[name] {
			return nil, &robot.FileError{Line: n.Line, Text: fmt.Sprintf("joint %q is defined twice; rename one", name)}
		}
		found[name] = true
		if s := j.Fv + j.Fs; math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("joint %q: its friction is not finite: %w", name, robot.ErrNotWritable)
		}
		damping, dry := xmltree.Is("damping", j.Fv), xmltree.Is("friction", j.Fs)
		if d, _ := n.Last("dynamics"); d != nil {
			w.Attribute(d, damping)
			w.Attribute(d, dry)
		} else if j.Fv != 0 || j.Fs != 0 {
			pad := w.Indent(n)
			w.Insert(n, pad+w.Step(n), pad, xmltree.Element{Name: "dynamics", Attrs: []xmltree.Value{damping, dry}}.String())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byJoint)) {
		if !found[name] {
			return nil, &robot.FileError{Text: fmt.Sprintf("the URDF has no joint %q", name)}
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
