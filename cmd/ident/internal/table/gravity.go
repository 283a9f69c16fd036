package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"ident/identify/gravity"
)

// Gravity writes the table of an estimate.
func Gravity(w io.Writer, d *gravity.Document) error {
	var logs []string
	for _, l := range d.Logs {
		logs = append(logs, fmt.Sprintf("%s (%d pairs)", l.Log, l.Pairs))
	}
	fmt.Fprintf(w, "robot      %s, terms %s\n", d.Robot, strings.Join(d.Terms, ","))
	fmt.Fprintf(w, "logs       %s\n", strings.Join(logs, ", "))
	fmt.Fprintf(w, "condition  %.3g (columns of unit norm)\n\n", d.Condition)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "parameter\tvalue\tsigma\tunit\texpression")
	for _, p := range d.Parameters {
		expression := p.Expression
		for _, q := range p.Regrouped {
			expression += fmt.Sprintf(" %+.4g·%s", q.Coefficient, q.Parameter)
		}
		fmt.Fprintf(t, "%s\t%.6g\t%.2g\t%s\t%s\n", p.Name, p.Value, p.Sigma, p.Unit, expression)
	}
	fmt.Fprintln(t, "\njoint\tsigma of a pair's torque")
	for _, j := range d.Joints {
		fmt.Fprintf(t, "%s\t%.3g\n", j.Joint, j.Sigma)
	}
	return t.Flush()
}
