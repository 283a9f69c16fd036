package design

import (
	"fmt"
	"io"
	"strings"

	"ident/internal/rowlist"
)

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

// plain returns a name of a robot file as text of Markdown: without its marks, and without the HTML that Markdown
// passes on.
func plain(name string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(name), " ") {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*[]|!#~", r):
			b.WriteRune('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plains(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = plain(n)
	}
	return strings.Join(out, ", ")
}

// writeMarkdown writes the report as Markdown.
func writeMarkdown(w io.Writer, doc *Document) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Exciting trajectory for %s\n", plain(doc.Robot.Name))
	line("- robot file SHA-256 `%s`, %s", doc.Robot.SHA256, rowlist.Plural(doc.Robot.DOF, "joint"))
	line("- %d base parameters of %s", doc.Parameters, plains(doc.Terms))
	line("- %s, from rest to rest", doc.Motion())
	line("- criterion: %s = %s", doc.Criterion, four(doc.Value))
	line("- condition number %s with unit columns, %s without scaling", four(doc.Condition.Scaled), four(doc.Condition.Raw))
	line("- %d evaluations in %.1f s, seed %d", doc.Evals, doc.Seconds, doc.Seed)
	line("- files: %s", plains(doc.Outputs))
	if d := doc.Dither; d != nil {
		line("- multisine on the torques: %d lines from %.3g to %.3g Hz", d.Lines, d.Band[0], d.Band[1])
	}
	line("\n## Limits\n")
	if doc.Violations > 0 {
		line("**%d limits are exceeded.**\n", doc.Violations)
	} else {
		line("No limit is exceeded, between the samples of the 10 kHz check either.\n")
	}
	for _, s := range doc.LimitSources {
		line("- limit of %s", plain(s))
	}
	line("\nFree at the worst moment, in %% of the limit:\n")
	line("| joint | position | velocity | acceleration | jerk | torque | power |\n|---|---:|---:|---:|---:|---:|---:|")
	for _, m := range doc.Margins {
		line("| %s | %.1f | %.1f | %.1f | %s | %s | %s |", plain(m.Joint), 100*m.Position, 100*m.Velocity, 100*m.Acceleration, percent(m.Jerk), percent(m.Torque), percent(m.Power))
	}
	if len(doc.Distances) > 0 {
		line("\n| what | worst | limit | at |\n|---|---:|---:|---:|")
		for _, x := range doc.Distances {
			line("| %s of %s | %.4g %s | %.4g %s | %.2f s |", x.Constraint, plain(x.Of), x.Value, x.Unit, x.Limit, x.Unit, x.At)
		}
	}
	if len(doc.Predicted) > 0 {
		line("\n## Predicted standard deviations\n")
		line("| parameter | unit | deviation | before | value |\n|---|---|---:|---:|---:|")
		for _, x := range doc.Predicted {
			line("| %s = %s | %s | %s | %s | %s |", plain(x.Name), plain(x.Expression), x.Unit, four(x.Sigma), four(x.Before), four(x.Value))
		}
	}
	if len(doc.Weakest) > 0 {
		line("\n## Least determined\n")
		for _, x := range doc.Weakest {
			line("- %s", plain(x.Text))
		}
	}
	if len(doc.Unexcited) > 0 {
		line("\nNot determined, because no motion within the limits excites them: %s", plains(doc.Unexcited))
	}
	if len(doc.Defaults) > 0 {
		line("\n## Assumed\n")
		for _, d := range doc.Defaults {
			line("- %s", plain(d))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Motion describes the shape of the motion.
func (d *Document) Motion() string {
	text := fmt.Sprintf("%g s a period, %d harmonics", d.Period, d.Harmonics)
	switch d.Shape {
	case "given":
		text = fmt.Sprintf("%.6g s, given", d.Period)
	case "sway":
		text = fmt.Sprintf("%g s, a sway on feet that stick", d.Period)
	case "static":
		text = fmt.Sprintf("%.4g s, %d poses passed slowly in both directions", d.Period, len(d.Poses))
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
