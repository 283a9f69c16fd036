package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"ident/baseparams"
	"ident/identify/description"
)

// Base writes base parameters with their relations, what is eliminated, and the verdicts of the methods.
func Base(w io.Writer, b *description.Base) error {
	doc := b.Document
	terms := make([]string, len(doc.Terms))
	for i, t := range doc.Terms {
		terms[i] = string(t)
	}
	terms = append(terms, doc.Measured...)
	fmt.Fprintf(w, "%s: %d base parameters of %d (%s)\n\n", doc.Robot, doc.Count, len(doc.Parameters)+len(doc.Eliminated), strings.Join(terms, ", "))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "base\tof\texpression\n")
	lead := 0 // columns before the expressions
	for k, rel := range doc.Relations {
		lead = max(lead, utf8.RuneCountInString(rel.Base)+utf8.RuneCountInString(b.Owners[k])+4)
	}
	for k, rel := range doc.Relations {
		for i, line := range Wrap(rel.Expression, max(Width-lead-2, 40)) {
			if i == 0 {
				fmt.Fprintf(t, "%s\t%s\t%s\n", rel.Base, b.Owners[k], line)
			} else {
				fmt.Fprintf(t, "\t\t  %s\n", line)
			}
		}
	}
	fmt.Fprint(t, "\neliminated\treason\n")
	for _, e := range doc.Eliminated[:len(doc.Eliminated)-len(doc.KnownZero)] {
		for i, line := range Wrap(e.Reason, max(Width-lead-2, 40)) {
			if i == 0 {
				fmt.Fprintf(t, "%s\t%s\n", e.Parameter, line)
			} else {
				fmt.Fprintf(t, "\t  %s\n", line)
			}
		}
	}
	fmt.Fprint(t, "\nmethod\tcount\tverdict\n")
	for _, m := range []struct {
		name string
		v    *baseparams.Verdict
	}{{"null space", doc.Methods.NullSpace}, {"QR", doc.Methods.QR}, {"symbolic rules", doc.Methods.Symbolic}} {
		switch {
		case m.v == nil:
			fmt.Fprintf(t, "%s\t-\tdoes not apply\n", m.name)
		case m.v.Agrees:
			fmt.Fprintf(t, "%s\t%d\tagrees\n", m.name, m.v.Count)
		default:
			fmt.Fprintf(t, "%s\t%d\tDIFFERS\n", m.name, m.v.Count)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the base parameters: %w", err)
	}
	if len(doc.KnownZero) > 0 {
		fmt.Fprintf(w, "\nknown to be zero, by the robot file\n  %s\n", strings.Join(Wrap(strings.Join(doc.KnownZero, ", "), Width-2), "\n  "))
	}
	if len(doc.Massless) > 0 {
		fmt.Fprintf(w, "\nwithout mass, by the robot file\n  %s\n", strings.Join(Wrap(strings.Join(doc.Massless, ", "), Width-2), "\n  "))
	}
	if doc.Effects != nil {
		if err := Effects(w, doc.Effects); err != nil {
			return err
		}
	}
	if len(doc.Notes) > 0 {
		fmt.Fprint(w, "\nnotes\n")
	}
	for _, n := range doc.Notes {
		fmt.Fprintf(w, "  %s\n", strings.Join(Wrap(n, Width-2), "\n    "))
	}
	return nil
}
