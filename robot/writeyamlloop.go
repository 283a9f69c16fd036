package robot

import (
	"fmt"

	"ident/internal/angles"
)

// ties writes loops, couplings and the assembly.
func (y *yamlWriter) ties() error {
	r, b := y.r, &y.b
	if len(r.Loops) > 0 {
		b.WriteString("loops:\n")
	}
	for i, l := range r.Loops {
		kind, frame, err := cutKind(r, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "  - joint: {name: %s, kind: %s}\n", yamlQuote(r.Extra[l.Frame].Name), kind)
		if err := y.cutFrame(i, "frame", frame); err != nil {
			return err
		}
		if err := y.cutFrame(i, "meets", l.Meets); err != nil {
			return err
		}
	}
	if len(r.Couplings) > 0 {
		b.WriteString("couplings:\n")
	}
	for _, c := range r.Couplings {
		of := map[string]float64{}
		for i, w := range c.Of {
			of[r.Links[i].Joint.Name] = w
		}
		fmt.Fprintf(b, "  - {joint: %s, of: {", yamlQuote(r.Links[c.Joint].Joint.Name))
		for i, name := range sortedKeys(of) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s: %s", yamlQuote(name), formatNumber(of[name]))
		}
		fmt.Fprintf(b, "}, offset: %s}\n", formatNumber(c.Offset))
	}
	if len(r.Assembly) > 0 {
		b.WriteString("assembly:\n")
	}
	for _, name := range sortedKeys(r.Assembly) {
		fmt.Fprintf(b, "  %s: %s\n", yamlQuote(name), formatNumber(r.Assembly[name]))
	}
	return nil
}

// cutKind returns the kind of the joint that a loop is cut at, and its first frame.
func cutKind(r *Robot, i int) (string, int, error) {
	l := r.Loops[i]
	f := r.Extra[l.Frame]
	if l.Spherical {
		return "spherical", l.Frame, nil
	}
	if f.Antecedent >= -1 {
		return f.Kind.String(), l.Frame, nil
	}
	k := -2 - f.Antecedent
	switch first := r.Extra[k]; {
	case first.Kind == Fixed:
	case first.Kind == Revolute && f.Kind == Prismatic && f.MDH == nil && f.Placement == Identity():
		return "cylindrical", k, nil
	case first.Kind == Revolute && f.Kind == Revolute && f.MDH == nil && f.Placement == (Transform{R: angles.AlignZ([3]float64{0, 1, 0})}):
		return "universal", k, nil
	}
	return "", 0, notWritable("robot "+r.Name, "the joints at the cut of %s are a chain of frames", r.LoopName(i))
}

func (y *yamlWriter) cutFrame(i int, key string, k int) error {
	r, b := y.r, &y.b
	f := r.Extra[k]
	if f.Antecedent < -1 {
		return notWritable("robot "+r.Name, "frame %s of %s hangs on another frame", f.Name, r.LoopName(i))
	}
	parent, from := y.base, Identity()
	if f.Antecedent >= 0 {
		parent, from = r.Links[f.Antecedent].Name, y.users[f.Antecedent]
	}
	name := ""
	if key == "meets" {
		name = "name: " + yamlQuote(f.Name) + ", "
	}
	fmt.Fprintf(b, "    %s: {%sparent: %s, ", key, name, yamlQuote(parent))
	if f.MDH != nil {
		b.WriteString("mdh: {")
		for n, text := range f.MDH.Text {
			if text == "" {
				text = formatNumber(f.MDH.values()[n])
			}
			if n > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s: %s", mdhNames[n], yamlQuote(text))
		}
		b.WriteString("}}\n")
		return nil
	}
	at := from.Inv().Mul(f.Placement)
	fmt.Fprintf(b, "origin: {xyz: %s, rpy: %s}}\n", yamlVector(at.P), yamlVector(angles.RotationRPY(at.R)))
	return nil
}
