package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"ident/identify/code"
)

// Code writes the programs with their numbers of operations, files and notes.
func Code(w io.Writer, d *code.Document) error {
	kind := "standard"
	if d.Base {
		kind = "base"
	}
	if n := len(d.Parameters); n > 0 {
		fmt.Fprintf(w, "%s: %d %s parameters\n\n", d.Robot, n, kind)
	} else {
		fmt.Fprintf(w, "%s\n\n", d.Robot)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "multiplications\tadditions\tdivisions\tsin, cos\t  model\t")
	for _, m := range d.Models {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t  %s(%s)\t\n", m.Counts.Mul, m.Counts.Add, m.Counts.Div, m.Counts.Trig, m.Function, strings.Join(m.Arguments, ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, f := range d.Files {
		fmt.Fprintln(w, f)
	}
	for _, n := range d.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	return nil
}
