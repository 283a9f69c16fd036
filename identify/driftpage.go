package identify

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/estimate/summary"
	"ident/estimate/summary/drift"
	"ident/identify/project"
	"ident/internal/output"
	"ident/report"
	"ident/report/scene"
)

// WriteDriftPage writes an HTML page about a summary's parameters over time to path: the robot, its changes, and the
// course of every parameter, changed ones first. The page shows command unchanged, nothing for "".
func WriteDriftPage(path, command string, s *summary.Summary, r *drift.Report) error {
	p := &report.ScenePage{Title: "Drift of " + cmp.Or(s.Robot.Name, "robot"), Version: project.Version, Command: command}
	m, err := openSummary(s, new(project.Settings))
	if err == nil {
		p.Scene, err = scene.New(m.session.Robot)
	}
	if err != nil {
		p.Scene, p.Missing = nil, "The robot is not drawn: "+err.Error()
	}
	first, last := r.Windows[0].From, r.Windows[len(r.Windows)-1].To
	p.About = fmt.Sprintf("%s to %s · windows of %s", r.Date(first), r.Date(last), r.Length())
	fitted := 0
	for i, w := range r.Windows {
		if w.Why == "" {
			fitted++
		} else {
			p.Findings = append(p.Findings, report.SceneFinding{Severity: "note", Where: "window " + strconv.Itoa(i+1), Text: "left out: " + w.Why})
		}
	}
	changed := map[string][]drift.Change{}
	for i, c := range r.Changes {
		changed[c.Parameter] = append(changed[c.Parameter], c)
		p.Findings = slices.Insert(p.Findings, i, report.SceneFinding{Severity: "warning", Where: c.Parameter,
			Text: fmt.Sprintf("%+.3g %% since %s, %.1f standard deviations", c.Percent, r.Date(c.Time), math.Abs(c.Z))})
	}
	p.Headlines = []report.Headline{
		{Name: "parameters that changed", Value: fmt.Sprintf("%d of %d", len(changed), len(r.Parameters))},
		{Name: "windows with an estimate", Value: fmt.Sprintf("%d of %d", fitted, len(r.Windows))},
		{Name: "a change is beyond", Value: fmt.Sprintf("%.2f standard deviations", r.Limit)},
		{Name: "chance of any false change", Value: fmt.Sprintf("%g %%", 100*r.Chance)},
	}
	p.Sections = driftSections(r, changed)
	return output.Write(path, func(w io.Writer) error { return report.Scene(w, p) })
}

// driftSections returns the courses of the parameters (changed ones open) and the windows.
func driftSections(r *drift.Report, changed map[string][]drift.Change) []report.Section {
	marks := []report.Mark{{Class: "dot", Text: "estimate of a window"}, {Class: "bar", Text: "two standard deviations to either side"}}
	steps := report.Section{Title: "Parameters that changed", Open: true,
		Legend: append(slices.Clip(marks), report.Mark{Class: "level", Text: "mean between changes"}, report.Mark{Class: "step", Text: "change"})}
	rest := report.Section{Title: "Parameters without a change", Legend: marks}
	for i := range r.Parameters {
		q := &r.Parameters[i]
		if len(changed[q.Name]) > 0 {
			steps.Figures = append(steps.Figures, course(r, q, changed[q.Name]))
		} else {
			rest.Figures = append(rest.Figures, course(r, q, nil))
		}
	}
	steps.Gist = fmt.Sprintf("%d of %d", len(steps.Figures), len(r.Parameters))
	rest.Gist = fmt.Sprintf("%d of %d", len(rest.Figures), len(r.Parameters))
	rest.Open = len(steps.Figures) == 0
	table := report.Table{Head: []string{"parameter", "since", "before", "after", "change", "deviations"}, Right: []bool{false, false, true, true, true, true}}
	for _, c := range r.Changes {
		table.Rows = append(table.Rows, []string{c.Parameter, r.Date(c.Time), fmt.Sprintf("%.4g ± %.2g", c.Before, c.BeforeSigma),
			fmt.Sprintf("%.4g ± %.2g", c.After, c.AfterSigma), fmt.Sprintf("%+.3g %%", c.Percent), fmt.Sprintf("%.1f", math.Abs(c.Z))})
	}
	steps.Tables = []report.Table{table}
	windows := report.Table{Head: []string{"window", "from", "runs", "rows", "estimate"}, Right: []bool{true, false, true, true, false}}
	for i, w := range r.Windows {
		windows.Rows = append(windows.Rows, []string{strconv.Itoa(i + 1), r.Date(w.From), strconv.Itoa(w.Runs), strconv.Itoa(w.Rows), cmp.Or(w.Why, "yes")})
	}
	out := []report.Section{rest, {Title: "Windows", Gist: fmt.Sprintf("%d of %s", len(r.Windows), r.Length()), Tables: []report.Table{windows}}}
	if len(steps.Figures) > 0 {
		out = slices.Insert(out, 0, steps)
	}
	if len(rest.Figures) == 0 {
		out = slices.DeleteFunc(out, func(s report.Section) bool { return s.Title == rest.Title })
	}
	return out
}

// course draws a parameter's estimates with two standard deviations on either side, its changes, and its mean between
// changes.
func course(r *drift.Report, p *drift.Parameter, changes []drift.Change) report.Figure {
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range p.Value {
		low, high = min(low, v-2*p.Sigma[i]), max(high, v+2*p.Sigma[i])
	}
	if spare := 0.08 * (high - low); spare > 0 {
		low, high = low-spare, high+spare
	} else {
		low, high = low-1, high+1
	}
	first, last := r.Windows[0].From, r.Windows[len(r.Windows)-1].To
	at := func(t, v float64) string {
		return fmt.Sprintf("%.1f %.1f", report.FigureWidth*(t-first)/(last-first), report.FigureHeight*(high-v)/(high-low))
	}
	f := report.Figure{Title: p.Name, Left: r.Date(first), Right: r.Date(last), Top: fmt.Sprintf("%.3g", high), Bottom: fmt.Sprintf("%.3g", low),
		Words: fmt.Sprintf("%s from %s to %s, between %.3g and %.3g", p.Name, r.Date(first), r.Date(last), low, high)}
	var bars, points, levels, steps strings.Builder
	slices.SortFunc(changes, func(a, b drift.Change) int { return cmp.Compare(a.Time, b.Time) })
	from := first
	for i, c := range changes {
		if i == 0 {
			f.Title += fmt.Sprintf(": %+.3g %% since %s", c.Percent, r.Date(c.Time))
		}
		fmt.Fprintf(&levels, "M%sL%s", at(from, c.Before), at(c.Time, c.Before))
		fmt.Fprintf(&steps, "M%sL%s", at(c.Time, low), at(c.Time, high))
		from = c.Time
	}
	if n := len(changes); n > 0 {
		fmt.Fprintf(&levels, "M%sL%s", at(from, changes[n-1].After), at(last, changes[n-1].After))
	}
	i := 0
	for _, w := range r.Windows {
		if w.Why != "" {
			continue
		}
		t := (w.From + w.To) / 2
		fmt.Fprintf(&bars, "M%sL%s", at(t, p.Value[i]-2*p.Sigma[i]), at(t, p.Value[i]+2*p.Sigma[i]))
		fmt.Fprintf(&points, "M%sh0", at(t, p.Value[i]))
		i++
	}
	for _, l := range []struct {
		class string
		d     *strings.Builder
	}{{"level-line", &levels}, {"step-line", &steps}, {"bar-line", &bars}, {"points", &points}} {
		if l.d.Len() > 0 {
			f.Lines = append(f.Lines, report.Path{Class: l.class, D: template.HTML(l.d.String())})
		}
	}
	return f
}
