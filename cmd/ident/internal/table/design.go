package table

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/excite"
	"ident/identify/design"
	"ident/internal/rowlist"
)

// Design writes a design as text, with the predictions and distances that matter most.
func Design(w io.Writer, doc *design.Document) {
	line := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	line("robot      %s, %s, %s of %s", doc.Robot.Name, rowlist.Plural(doc.Robot.DOF, "joint"), rowlist.Plural(doc.Parameters, "base parameter"), strings.Join(doc.Terms, ", "))
	line("motion     %s, from rest to rest", doc.Motion())
	line("condition  %s with unit columns, %s without scaling", four(doc.Condition.Scaled), four(doc.Condition.Raw))
	if doc.Criterion != excite.ConditionNumber.Text() {
		line("criterion  %s, %s", four(doc.Value), doc.Criterion)
	}
	line("search     %d evaluations in %.1f s, seed %d", doc.Evals, doc.Seconds, doc.Seed)
	if len(doc.Unexcited) > 0 {
		line("not seen   %s: no motion that the limits allow shows them", strings.Join(doc.Unexcited, ", "))
	}
	line("\n%-20s %s\n%-20s %9s %9s %12s %7s %7s %7s", "joint", "free at the worst moment, %", "", "position", "velocity", "acceleration", "jerk", "torque", "power")
	for _, m := range doc.Margins {
		line("%-20s %9.1f %9.1f %12.1f %7s %7s %7s", m.Joint, 100*m.Position, 100*m.Velocity, 100*m.Acceleration, percent(m.Jerk), percent(m.Torque), percent(m.Power))
	}
	if len(doc.LimitSources) > 0 {
		line("limits from  %s", strings.Join(doc.LimitSources, ", "))
	}
	nearest := slices.Clone(doc.Distances)
	slices.SortStableFunc(nearest, func(a, b design.Distance) int {
		return cmp.Compare(math.Abs(a.Value-a.Limit)/max(a.Limit, 1e-3), math.Abs(b.Value-b.Limit)/max(b.Limit, 1e-3))
	})
	for _, x := range nearest[:min(len(nearest), 3)] {
		line("%s of %s: %.4g %s at its worst, allowed %.4g %s", x.Constraint, x.Of, x.Value, x.Unit, x.Limit, x.Unit)
	}
	if doc.Violations > 0 {
		line("%d limits are exceeded", doc.Violations)
	} else {
		line("the motion exceeds no limit, between its samples either")
	}
	if d := doc.Dither; d != nil {
		line("\nmultisine  %d lines from %.3g to %.3g Hz on the torques, which shows the stiffness", d.Lines, d.Band[0], d.Band[1])
		for _, j := range d.Joints {
			line("%-20s %9.3g root mean square, %.3g at most", j.Joint, j.RMS, j.Peak)
		}
	}
	if len(doc.Predicted) > 0 {
		line("\npredicted standard deviations, the least certain first")
		order := slices.Clone(doc.Predicted)
		doubt := func(x design.Prediction) float64 {
			switch {
			case x.Sigma == nil:
				return math.Inf(1)
			case x.Value == nil || math.Abs(*x.Value) < 1e-12: // rounding of a zero

				return *x.Sigma
			}
			return *x.Sigma / math.Abs(*x.Value)
		}
		slices.SortStableFunc(order, func(a, b design.Prediction) int { return cmp.Compare(doubt(b), doubt(a)) })
		const most = 8
		for _, x := range order[:min(len(order), most)] {
			text := fmt.Sprintf("%-12s %9s %s", x.Name, four(x.Sigma), x.Unit)
			if x.Value != nil {
				text += fmt.Sprintf(", value %s", four(x.Value))
			}
			if x.Before != nil {
				text += fmt.Sprintf(", %s before", four(x.Before))
			}
			line("  %s", text)
		}
		if n := len(order) - most; n > 0 {
			line("  and %d more (-o report.md or --json)", n)
		}
	}
	if len(doc.Weakest) > 0 {
		line("\nleast determined")
		for _, x := range doc.Weakest {
			line("  %s", x.Text)
		}
	}
	if len(doc.Defaults) > 0 {
		line("\nassumed")
		for _, d := range doc.Defaults {
			line("  %s", d)
		}
	}
	line("\ntrajectory  %s", strings.Join(doc.Outputs, ", "))
}

// percent prints a margin; nil, for a limit that there is not, as a dash.
func percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100**x)
}

// four prints a figure with four digits; nil as a dash.
func four(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g", *x)
}

// Poses writes the poses of a motion that holds them, a line each.
func Poses(w io.Writer, joints []string, doc *design.Document) error {
	text := fmt.Sprintf("%d poses in %.0f s\n\npose  %s\n", len(doc.Poses), doc.Period, strings.Join(joints, "  "))
	for k, q := range doc.Poses {
		text += fmt.Sprintf("%4d", k+1)
		for j, v := range q {
			text += fmt.Sprintf("  %*.3f", len(joints[j]), v)
		}
		text += "\n"
	}
	for _, path := range doc.Outputs {
		text += "\nwrote " + path
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
