package yaml

import (
	"fmt"
	"maps"
	"slices"

	"ident/internal/angles"
	"ident/robot"
	"ident/robot/internal/assembly"
	"ident/robot/internal/words"
)

// ties writes loops, couplings and the assembly.
func (y *writer) ties() error {
	r, b := y.r, &y.b
	if len(r.Loops) > 0 {
		b.WriteString("loops:\n")
	}
	for i, l := range r.Loops {
		kind, frame, err := cutKind(r, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "  - joint: {name: %s, kind: %s}\n", quotedName(r.Extra[l.Frame].Name), kind)
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
		fmt.Fprintf(b, "  - {joint: %s, of: {", quotedName(r.Links[c.Joint].Joint.Name))
		for i, name := range slices.Sorted(maps.Keys(of)) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s: %s", quotedName(name), words.Number(of[name]))
		}
		fmt.Fprintf(b, "}, offset: %s}\n", words.Number(c.Offset))
	}
	if len(r.Assembly) > 0 {
		b.WriteString("assembly:\n")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Assembly)) {
		fmt.Fprintf(b, "  %s: %s\n", quotedName(name), words.Number(r.Assembly[name]))
	}
	return nil
}

// cutKind returns the kind of the joint that a loop is cut at, and its first frame.
func cutKind(r *robot.Robot, i int) (string, int, error) {
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
	case first.Kind == robot.Fixed:
	case first.Kind == robot.Revolute && f.Kind == robot.Prismatic && f.MDH == nil && f.Placement == robot.Identity():
		return "cylindrical", k, nil
	case first.Kind == robot.Revolute && f.Kind == robot.Revolute && f.MDH == nil && f.Placement == (robot.Transform{R: angles.AlignZ([3]float64{0, 1, 0})}):
		return "universal", k, nil
	}
	return "", 0, assembly.NotWritable("robot "+r.Name, "the joints at the cut of %s are a chain of frames", r.LoopName(i))
}

func (y *writer) cutFrame(i int, key string, k int) error {
	r, b := y.r, &y.b
	f := r.Extra[k]
	if f.Antecedent < -1 {
		return assembly.NotWritable("robot "+r.Name, "frame %s of %s hangs on another frame", f.Name, r.LoopName(i))
	}
	parent, from := y.base, robot.Identity()
	if f.Antecedent >= 0 {
		parent, from = r.Links[f.Antecedent].Name, y.users[f.Antecedent]
	}
	name := ""
	if key == "meets" {
		name = "name: " + quotedName(f.Name) + ", "
	}
	fmt.Fprintf(b, "    %s: {%sparent: %s, ", key, name, quotedName(parent))
	if f.MDH != nil {
		b.WriteString("mdh: {")
		for n, text := range f.MDH.Text {
			if text == "" {
				text = words.Number(f.MDH.Values()[n])
			}
			if n > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s: %s", robot.MDHNames[n], yamlQuote(text))
		}
		b.WriteString("}}\n")
		return nil
	}
	at := from.Inv().Mul(f.Placement)
	fmt.Fprintf(b, "origin: {xyz: %s, rpy: %s}}\n", yamlVector(at.P), yamlVector(angles.RotationRPY(at.R)))
	return nil
}
