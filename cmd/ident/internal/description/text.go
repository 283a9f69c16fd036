package description

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"ident/internal/rowlist"
)

// Print writes a description as text.
func Print(w io.Writer, doc Robot) error {
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
	lumps := slices.ContainsFunc(doc.Links, func(l Link) bool { return l.Mass != nil && number(l.Mass) != number(l.WithLumped) })
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
	printMechanism(w, doc.Closed)
	if doc.Inertias != nil {
		if err := doc.Inertias.print(w); err != nil {
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
func jointTable(w io.Writer, doc Robot) {
	cols := []struct {
		head string
		of   func(Joint) *float64
	}{
		{"lower", func(j Joint) *float64 { return j.Lower }}, {"upper", func(j Joint) *float64 { return j.Upper }},
		{"velocity", func(j Joint) *float64 { return j.Velocity }}, {"acceleration", func(j Joint) *float64 { return j.Acceleration }},
		{"jerk", func(j Joint) *float64 { return j.Jerk }}, {"effort", func(j Joint) *float64 { return j.Effort }},
		{"Ia", func(j Joint) *float64 { return j.Ia }}, {"Fv", func(j Joint) *float64 { return j.Fv }},
		{"Fs", func(j Joint) *float64 { return j.Fs }}, {"Fo", func(j Joint) *float64 { return j.Fo }},
		{"gear ratio", func(j Joint) *float64 { return j.GearRatio }}, {"gain", func(j Joint) *float64 { return j.Gain }},
	}
	cols = slices.DeleteFunc(cols, func(c struct {
		head string
		of   func(Joint) *float64
	}) bool {
		return !slices.ContainsFunc(doc.Joints, func(j Joint) bool { return c.of(j) != nil })
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
