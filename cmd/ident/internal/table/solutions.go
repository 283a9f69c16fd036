package table

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"ident/identify/description"
)

// Solutions writes the states as a table.
func Solutions(w io.Writer, doc description.Solutions) error {
	missing := "others may exist (" + doc.Method + ")"
	if doc.Complete {
		missing = "none is missing (" + doc.Method + ")"
	}
	states := "states bring"
	if len(doc.Solutions) == 1 {
		states = "state brings"
	}
	fmt.Fprintf(w, "%s: %d %s %s to the pose; %s\n", doc.Robot, len(doc.Solutions), states, doc.Link, missing)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(first string, q []float64, last string) {
		fmt.Fprintf(t, "%s\t", first)
		for _, v := range q {
			fmt.Fprintf(t, "%.6f\t", v+0)
		}
		fmt.Fprintf(t, "  %s\n", last)
	}
	fmt.Fprint(t, "\n\t")
	for i, name := range doc.Joints {
		fmt.Fprintf(t, "%s %s\t", name, doc.Units[i])
	}
	fmt.Fprintln(t)
	if n := doc.Nearest; n != nil {
		row("nearest", n.Q, "")
	}
	for i, s := range doc.Solutions {
		note := ""
		if len(s.Outside) > 0 {
			note = "beyond limits: " + strings.Join(s.Outside, ", ")
		}
		if s.OtherAssembly {
			note = strings.TrimPrefix(note+"; another assembly, or beyond a singular state", "; ")
		}
		if len(s.Idle) > 0 {
			note = strings.TrimPrefix(note+"; singular or redundant: "+idleJoints(doc, s.Idle), "; ")
		}
		row(strconv.Itoa(i+1), s.Q, note)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the states: %w", err)
	}
	if n := doc.Nearest; n != nil {
		fmt.Fprintf(w, "\nno state reaches the pose: the nearest stays %.4g m and %.4g rad away\n", n.Distance, n.Angle)
	}
	return nil
}

// idleJoints names the joints that move together without moving the link.
func idleJoints(doc description.Solutions, idle [][]float64) string {
	var out []string
	for k, name := range doc.Joints {
		if slices.ContainsFunc(idle, func(v []float64) bool { return math.Abs(v[k]) > 1e-3 }) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ") + " can move"
}
