package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/excite"
	"ident/internal/output"
	"ident/project"
)

// document states a design as JSON.
func (j *designJob) document(opt *designOptions, res *excite.Result) *designDoc {
	q := &j.problem
	doc := &designDoc{Schema: "ident.design/1", Robot: identityOf(j.Robot), Output: opt.out[0], Outputs: opt.out,
		Condition: conditionDoc{finite(res.ConditionScaled), finite(res.ConditionRaw)},
		Criterion: res.Criterion.Text(), Value: finite(res.Value), Violations: res.Violations, Margins: res.Margins,
		Defaults: append(slices.Clone(j.notes), res.Defaults...), Unexcited: res.Unexcited, Notes: res.Notes, Parameters: j.Set.Count() - len(res.Unexcited),
		Shape: opt.shape, Pieces: q.Pieces, Segments: opt.segments, Period: q.Period, Stopped: res.Stopped, Evals: res.Evaluations, Seconds: res.Seconds}
	if doc.Defaults == nil {
		doc.Defaults = []string{}
	}
	if opt.shape == "fourier" {
		doc.Harmonics = opt.harmonics
	}
	for _, t := range j.Terms {
		doc.Terms = append(doc.Terms, string(t))
	}
	for _, path := range opt.out {
		if low := strings.ToLower(path); !strings.HasSuffix(low, ".md") && !strings.HasSuffix(low, ".svg") && !strings.HasSuffix(low, ".html") && (!project.IsJSON(path) || strings.HasSuffix(low, ".ros.json")) {
			doc.Rate = opt.rate
		}
	}
	for _, x := range res.Distances {
		doc.Distances = append(doc.Distances, distanceDoc{x.Constraint, x.Of, x.Value, x.Limit, x.Unit, x.At})
	}
	for k, sigma := range res.Deviations {
		col := j.Set.Columns[j.Set.Base[k]]
		x := predictedDoc{Name: j.Set.Name(k), Expression: j.Set.Relation(k).Expression, Unit: col.Unit, Sigma: finite(sigma)}
		if q.Values != nil {
			x.Value = finite(q.Values[k])
		}
		if j.before != nil {
			x.Before = finite(j.before[k])
		}
		doc.Predicted = append(doc.Predicted, x)
	}
	for _, d := range res.Weak {
		doc.Weakest = append(doc.Weakest, j.weak(d))
	}
	return doc
}

// weak names a direction and the motion that shows it.
func (j *designJob) weak(d excite.Direction) weakDoc {
	w := weakDoc{Deviation: d.Deviation, Before: finite(d.Before)}
	var terms []string
	for _, p := range d.Parts {
		w.Parameters = append(w.Parameters, weightDoc{j.Set.Name(p.Column), p.Weight})
		terms = append(terms, fmt.Sprintf("%+.2g·%s", p.Weight, j.Set.Name(p.Column)))
	}
	names := project.JointNames(j.Robot)
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Share[b], d.Share[a]) })
	var show []string
	for _, i := range order {
		// A joint that contributes less than a tenth is not worth naming.
		if d.Share[i] < 0.1 {
			break
		}
		w.Joints = append(w.Joints, shareDoc{names[i], d.Share[i]})
		show = append(show, fmt.Sprintf("%s (%.0f %%)", names[i], 100*d.Share[i]))
	}
	w.Text = strings.TrimPrefix(strings.Join(terms, " "), "+")
	if len(show) > 0 {
		w.Text += ": shown by the torque of " + strings.Join(show, ", ")
	}
	if w.Before != nil {
		w.Text += fmt.Sprintf("; deviation %.3g of before", d.Deviation/d.Before)
	}
	return w
}

// write writes one output, as its extension says.
func (j *designJob) write(path string, opt *designOptions, doc *designDoc, res *excite.Result) error {
	low := strings.ToLower(path)
	m := res.Trajectory
	switch {
	case strings.HasSuffix(low, ".ros.yaml"), strings.HasSuffix(low, ".ros.json"):
		return output.Write(path, func(w io.Writer) error { return excite.WriteROS(w, m, opt.rate, project.IsJSON(path)) })
	case strings.HasSuffix(low, ".film.svg"):
		var bodies []excite.Capsule
		if j.problem.SelfCollision || len(j.problem.KeepOuts) > 0 {
			bodies = j.problem.Capsules
		}
		const frames = 10
		return output.Write(path, func(w io.Writer) error { return excite.Filmstrip(w, m, j.Robot, bodies, res.KeepOuts, frames) })
	case strings.HasSuffix(low, ".svg"):
		return output.Write(path, func(w io.Writer) error { return excite.Preview(w, m, res.Limits) })
	case strings.HasSuffix(low, ".html"):
		page := project.TrajectoryPage{Robot: j.Robot, Result: res, Tip: j.problem.Tip, Search: j.search, Command: j.command}
		return output.Write(path, page.Write)
	case strings.HasSuffix(low, ".md"):
		return output.Write(path, func(w io.Writer) error { return designReport(w, doc) })
	}
	return project.WriteTrajectory(path, m, j.Robot, opt.rate)
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

// designReport writes the report as Markdown.
func designReport(w io.Writer, doc *designDoc) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Exciting trajectory for %s\n", doc.Robot.Name)
	line("- robot file SHA-256 `%s`, %d joints", doc.Robot.SHA256, doc.Robot.DOF)
	line("- %d base parameters of %s", doc.Parameters, strings.Join(doc.Terms, ", "))
	line("- %s, from rest to rest", doc.motion())
	line("- criterion: %s = %s", doc.Criterion, four(doc.Value))
	line("- condition number %s with unit columns, %s without scaling", four(doc.Condition.Scaled), four(doc.Condition.Raw))
	line("- %d evaluations in %.1f s, seed %d", doc.Evals, doc.Seconds, doc.Seed)
	line("- files: %s", strings.Join(doc.Outputs, ", "))
	line("\n## Limits\n")
	if doc.Violations > 0 {
		line("**%d limits are exceeded.**\n", doc.Violations)
	} else {
		line("No limit is exceeded, between the samples of the 10 kHz check either.\n")
	}
	line("Free at the worst moment, in %% of the limit:\n")
	line("| joint | position | velocity | acceleration | jerk | torque | power |\n|---|---:|---:|---:|---:|---:|---:|")
	for _, m := range doc.Margins {
		line("| %s | %.1f | %.1f | %.1f | %s | %s | %s |", m.Joint, 100*m.Position, 100*m.Velocity, 100*m.Acceleration, percent(m.Jerk), percent(m.Torque), percent(m.Power))
	}
	if len(doc.Distances) > 0 {
		line("\n| what | worst | limit | at |\n|---|---:|---:|---:|")
		for _, x := range doc.Distances {
			line("| %s of %s | %.4g %s | %.4g %s | %.2f s |", x.Constraint, x.Of, x.Value, x.Unit, x.Limit, x.Unit, x.At)
		}
	}
	if len(doc.Predicted) > 0 {
		line("\n## Predicted standard deviations\n")
		line("| parameter | unit | deviation | before | value |\n|---|---|---:|---:|---:|")
		for _, x := range doc.Predicted {
			line("| %s = %s | %s | %s | %s | %s |", x.Name, strings.ReplaceAll(x.Expression, "|", "\\|"), x.Unit, four(x.Sigma), four(x.Before), four(x.Value))
		}
	}
	if len(doc.Weakest) > 0 {
		line("\n## Least determined\n")
		for _, x := range doc.Weakest {
			line("- %s", x.Text)
		}
	}
	if len(doc.Unexcited) > 0 {
		line("\nNot seen, as no motion that the limits allow shows them: %s", strings.Join(doc.Unexcited, ", "))
	}
	if len(doc.Defaults) > 0 {
		line("\n## Assumed\n")
		for _, d := range doc.Defaults {
			line("- %s", d)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// motion describes the shape of the motion.
func (d *designDoc) motion() string {
	text := fmt.Sprintf("%g s a period, %d harmonics", d.Period, d.Harmonics)
	switch d.Shape {
	case "spline":
		text = fmt.Sprintf("%g s, quintic splines", d.Period)
	case "points":
		text = fmt.Sprintf("%g s, from point to point", d.Period)
	}
	if d.Segments > 1 {
		text = fmt.Sprintf("%d segments of %s", d.Segments, text)
	}
	return text
}

func printDesign(s streams, doc *designDoc, res *excite.Result) {
	if doc.Stopped {
		s.note("stopped early: this is the best motion so far")
	}
	for _, n := range doc.Notes {
		s.note("%s", n)
	}
	line := func(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }
	line("robot      %s, %d joints, %d base parameters of %s", doc.Robot.Name, doc.Robot.DOF, doc.Parameters, strings.Join(doc.Terms, ", "))
	line("motion     %s, from rest to rest", doc.motion())
	line("condition  %.4g with unit columns, %.4g without scaling", res.ConditionScaled, res.ConditionRaw)
	if res.Criterion != excite.ConditionNumber {
		line("criterion  %.4g, %s", res.Value, doc.Criterion)
	}
	line("search     %d evaluations in %.1f s, seed %d", doc.Evals, doc.Seconds, doc.Seed)
	if len(doc.Unexcited) > 0 {
		line("not seen   %s: no motion that the limits allow shows them", strings.Join(doc.Unexcited, ", "))
	}
	line("\n%-20s %s\n%-20s %9s %9s %12s %7s %7s %7s", "joint", "free at the worst moment, %", "", "position", "velocity", "acceleration", "jerk", "torque", "power")
	for _, m := range doc.Margins {
		line("%-20s %9.1f %9.1f %12.1f %7s %7s %7s", m.Joint, 100*m.Position, 100*m.Velocity, 100*m.Acceleration, percent(m.Jerk), percent(m.Torque), percent(m.Power))
	}
	nearest := slices.Clone(doc.Distances)
	slices.SortStableFunc(nearest, func(a, b distanceDoc) int {
		return cmp.Compare(math.Abs(a.Value-a.Limit)/max(a.Limit, 1e-3), math.Abs(b.Value-b.Limit)/max(b.Limit, 1e-3))
	})
	for _, x := range nearest[:min(len(nearest), 3)] {
		line("%s of %s: %.4g %s at its worst, allowed %.4g %s", x.Constraint, x.Of, x.Value, x.Unit, x.Limit, x.Unit)
	}
	if doc.Violations > 0 {
		line("%d limits are exceeded", doc.Violations)
	} else {
		line("no limit is exceeded, between the samples either")
	}
	if len(doc.Predicted) > 0 {
		line("\npredicted deviations, the least certain first")
		order := slices.Clone(doc.Predicted)
		doubt := func(x predictedDoc) float64 {
			switch {
			case x.Sigma == nil:
				return math.Inf(1)
			case x.Value == nil || math.Abs(*x.Value) < 1e-12: // rounding of a zero

				return *x.Sigma
			}
			return *x.Sigma / math.Abs(*x.Value)
		}
		slices.SortStableFunc(order, func(a, b predictedDoc) int { return cmp.Compare(doubt(b), doubt(a)) })
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
