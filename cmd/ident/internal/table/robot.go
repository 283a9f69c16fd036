package table

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"ident/identify/description"
	"ident/internal/rowlist"
)

// Robot writes a description as text.
func Robot(w io.Writer, doc description.Robot) error {
	n := "joints"
	if doc.DOF == 1 {
		n = "joint"
	}
	fmt.Fprintf(w, "%s (%s), %d moving %s on %s, gravity %g %g %g m/s²\n", doc.Name, doc.Format, doc.DOF, n, doc.Base, doc.Gravity[0], doc.Gravity[1], doc.Gravity[2])
	if len(doc.Symbols) > 0 {
		var set []string
		for _, k := range slices.Sorted(maps.Keys(doc.Symbols)) {
			set = append(set, fmt.Sprintf("%s = %g", k, doc.Symbols[k]))
		}
		fmt.Fprintf(w, "symbols: %s\n", strings.Join(set, ", "))
	}
	if len(doc.Unset) > 0 {
		fmt.Fprintf(w, "symbols without a value: %s (give them with --set %s=VALUE; until then the inertials are not judged)\n", strings.Join(doc.Unset, ", "), doc.Unset[0])
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	jointTable(t, doc)
	lumps := slices.ContainsFunc(doc.Links, func(l description.Link) bool { return l.Mass != nil && number(l.Mass) != number(l.WithLumped) })
	fmt.Fprint(t, "\nlink\tparent\tmass kg\tcentre of mass m")
	if lumps {
		fmt.Fprint(t, "\twith lumped kg")
	}
	fmt.Fprintln(t)
	for _, l := range doc.Links {
		mass, com, withLumped := "-", "-", "-"
		if l.Mass != nil {
			mass, withLumped = number(l.Mass), number(l.WithLumped)
		}
		if l.COM != nil {
			com = fmt.Sprintf("%.4g %.4g %.4g", l.COM[0]+0, l.COM[1]+0, l.COM[2]+0)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s", l.Name, l.Parent, mass, com)
		if lumps {
			fmt.Fprintf(t, "\t%s", withLumped)
		}
		fmt.Fprintln(t)
	}
	if len(doc.Lumped) > 0 {
		fmt.Fprint(t, "\nlumped\tinto\tby joint\tmass kg\n")
	}
	for _, l := range doc.Lumped {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", l.Name, l.Into, l.Joint, number(l.Mass))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the robot: %w", err)
	}
	for i, m := range doc.Mimics {
		head(w, i, "\ncouplings\n")
		fmt.Fprintf(w, "  %s = %g·%s%+g\n", m.Joint, m.Multiplier, m.Of, m.Offset)
	}
	for i, d := range doc.Drives {
		head(w, i, "\nshared drives\n")
		var of []string
		for _, k := range slices.Sorted(maps.Keys(d.Of)) {
			of = append(of, fmt.Sprintf("%+g·%s", d.Of[k], k))
		}
		fmt.Fprintf(w, "  the one at %s turns with %s\n", d.Drive, strings.Join(of, " "))
	}
	printMechanism(w, doc)
	if doc.Inertias != nil {
		if err := inertias(w, doc.Inertias); err != nil {
			return err
		}
	}
	for i, n := range doc.Notes {
		head(w, i, "\nnotes\n")
		fmt.Fprintf(w, "  %s: %s\n", n.Where, n.Text)
	}
	count := map[string]int{}
	for i, f := range doc.Findings {
		head(w, i, "\nfindings\n")
		count[f.Severity]++
		fmt.Fprintf(w, "  %-8s %s\n", f.Severity, f.Line())
	}
	_, err := fmt.Fprintf(w, "\n%s, %s, %s\n", rowlist.Plural(count["error"], "error"), rowlist.Plural(count["warning"], "warning"), rowlist.Plural(count["note"], "remark"))
	return err
}

// head prints a heading before the first of several lines.
func head(w io.Writer, i int, text string) {
	if i == 0 {
		fmt.Fprint(w, text)
	}
}

// jointTable prints the joints with the columns that the file fills.
func jointTable(w io.Writer, doc description.Robot) {
	cols := []struct {
		head string
		of   func(description.Joint) *float64
	}{
		{"lower", func(j description.Joint) *float64 { return j.Lower }}, {"upper", func(j description.Joint) *float64 { return j.Upper }},
		{"velocity", func(j description.Joint) *float64 { return j.Velocity }}, {"acceleration", func(j description.Joint) *float64 { return j.Acceleration }},
		{"jerk", func(j description.Joint) *float64 { return j.Jerk }}, {"effort", func(j description.Joint) *float64 { return j.Effort }},
		{"Ia", func(j description.Joint) *float64 { return j.Ia }}, {"Fv", func(j description.Joint) *float64 { return j.Fv }},
		{"Fs", func(j description.Joint) *float64 { return j.Fs }}, {"Fo", func(j description.Joint) *float64 { return j.Fo }},
		{"gear ratio", func(j description.Joint) *float64 { return j.GearRatio }}, {"gain", func(j description.Joint) *float64 { return j.Gain }},
	}
	cols = slices.DeleteFunc(cols, func(c struct {
		head string
		of   func(description.Joint) *float64
	}) bool {
		return !slices.ContainsFunc(doc.Joints, func(j description.Joint) bool { return c.of(j) != nil })
	})
	fmt.Fprint(w, "\njoint\tkind")
	for _, c := range cols {
		fmt.Fprintf(w, "\t%s", c.head)
	}
	fmt.Fprintln(w)
	for _, j := range doc.Joints {
		kind := j.Kind
		if j.Passive {
			kind += ", passive"
		}
		fmt.Fprintf(w, "%s\t%s", j.Name, kind)
		for _, c := range cols {
			fmt.Fprintf(w, "\t%s", number(c.of(j)))
		}
		fmt.Fprintln(w)
	}
}

// number returns a number in a table, "-" where there is none.
func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *v)
}

// nearlySingular is the margin below which a state is reported as nearly singular: errors of the driven joints' motion
// are then enlarged a hundred times in that of the passive joints.
const nearlySingular = 0.01

func printMechanism(w io.Writer, doc description.Robot) {
	d := doc.Closed
	if d == nil {
		return
	}
	fmt.Fprint(w, "\nclosed loops\n")
	for _, l := range d.Loops {
		fmt.Fprintf(w, "  %s\n", l)
	}
	fmt.Fprintf(w, "  driven: %s\n", strings.Join(d.Driven, ", "))
	if d.Fault != "" {
		why := ": " + d.Fault
		if slices.ContainsFunc(doc.Findings, func(f description.Finding) bool { return f.Text == d.Fault }) {
			why = ""
		}
		fmt.Fprintf(w, "  not put together%s\n", why)
		return
	}
	text := fmt.Sprintf("mobility %d: %d coordinates less %d independent constraints", d.Mobility, d.Coordinates, d.Constraints)
	if spare := d.Equations - d.Constraints; spare > 0 {
		text += fmt.Sprintf(" (of %d equations, %d of which say nothing new)", d.Equations, spare)
	}
	switch spare := len(d.Driven) - d.Mobility; {
	case spare == 1:
		text += "; one drive more than motions"
	case spare > 1:
		text += fmt.Sprintf("; %d drives more than motions", spare)
	}
	fmt.Fprintf(w, "  %s\n", text)
	if d.Margin < nearlySingular {
		fmt.Fprintf(w, "  nearly singular where it was assembled: the smallest singular value of the constraints is %.2g of the largest\n", d.Margin)
	}
}

// inertias writes the inertials from shapes as a table.
func inertias(w io.Writer, in *description.Inertias) error {
	if len(in.Filled) == 0 && len(in.Left) == 0 {
		_, err := fmt.Fprint(w, "\ninertials from shapes: none is missing\n")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(in.Filled) > 0 {
		fmt.Fprint(t, "\ninertial from shapes\tin the file\tshapes\tmass kg\tcentre of mass m\tmoments about it kg·m²\n")
	}
	for _, b := range in.Filled {
		fmt.Fprintf(t, "%s\t%s\t%s\t%.4g\t%.4g %.4g %.4g\t%.4g %.4g %.4g\n", b.Name, b.Was, strings.Join(b.Shapes, " + "), b.Mass,
			b.COM[0]+0, b.COM[1]+0, b.COM[2]+0, b.Inertia[0][0], b.Inertia[1][1], b.Inertia[2][2])
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the inertials from shapes: %w", err)
	}
	for i, l := range in.Left {
		head(w, i, "\nwithout an inertial\n")
		fmt.Fprintf(w, "  %s: %s\n", l.Name, l.Why)
	}
	return nil
}
