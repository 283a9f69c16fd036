package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"ident/identify"
	"ident/tool"
)

// Tool writes the table of a tool that was weighed.
func Tool(w io.Writer, d *identify.ToolDocument) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "tool of %s, %d poses at rest, in the sensor's frame (mounted in %s)\n\n", d.Log, d.Rests, d.Frame)
	row := func(name string, m *tool.Measured, scale float64, unit string) {
		if m != nil {
			fmt.Fprintf(t, "%s\t%.5g\t± %.2g\t%s\t95 %%: %.5g to %.5g\n", name, scale*m.Value, scale*m.Sigma, unit, scale*m.Low95, scale*m.High95)
		}
	}
	row("mass", d.Mass, 1, "kg")
	for i, m := range d.Centre {
		row("centre "+string("xyz"[i]), m, 1000, "mm")
	}
	for k, m := range d.Inertia {
		row([]string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}[k], m, 1e6, "kg·mm²")
	}
	row("rotation in the mount", d.Rotation, 57.29577951308232, "°")
	for n, b := range d.Biases {
		fmt.Fprintf(t, "bias")
		if len(d.Biases) > 1 {
			fmt.Fprintf(t, " %d, of tare %g", n+1, b.Tare)
		}
		for i := range b.Value {
			fmt.Fprintf(t, "\t%s %.4g ± %.1g", d.Channels[i].Name, b.Value[i], b.Sigma[i])
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var text strings.Builder
	for _, o := range d.Undetermined {
		text.WriteString("not determined: " + o.What)
		if o.Direction != nil {
			fmt.Fprintf(&text, " along (%.2f, %.2f, %.2f)", o.Direction[0], o.Direction[1], o.Direction[2])
		}
		text.WriteString(": " + o.Why + "\n")
	}
	for _, f := range d.Findings {
		fmt.Fprintf(&text, "%s %s: %s (%s)\n  fix: %s\n", f.Severity, f.ID, f.What, f.Why, f.Fix)
	}
	if text.Len() > 0 {
		fmt.Fprintln(w)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
