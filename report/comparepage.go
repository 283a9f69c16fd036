package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// CompareHTML writes a comparison as a page: significant differences first, parameters with their intervals over
// one another, errors on the same rows side by side. Of the options it takes Date, Version and Command.
func CompareHTML(w io.Writer, c *result.Comparison, opt Options) error {
	page := &ScenePage{Title: orDash(clean(c.Robot)) + ", compared", Date: opt.Date, Version: opt.Version, Command: opt.Command,
		About:     fmt.Sprintf("%s · %s in common with A", count(len(c.Sides), "side"), count(comparable(c), "base parameter")),
		Headlines: compareHeadlines(c), compared: newComparedTable(c), Sections: []Section{comparedErrors(c), comparedSides(c)}}
	for _, s := range c.Warnings {
		page.Findings = append(page.Findings, SceneFinding{Severity: "warning", Text: clean(s)})
	}
	return Scene(w, page)
}

func compareHeadlines(c *result.Comparison) []Headline {
	out := []Headline{{"differences that are significant", fmt.Sprintf("%d of %d", c.Significant, c.Compared)}}
	for _, a := range c.Apart {
		h := Headline{fmt.Sprintf("%s from A, %s together", clean(a.Side), count(a.Parameters, "parameter")), digits.Number(a.Deviations, 3) + " deviations"}
		if a.Why != "" {
			h.Value = clean(a.Why)
		} else {
			h.Value += ", " + digits.Chance(a.P)
		}
		out = append(out, h)
	}
	for _, l := range c.Logs {
		var errors []string
		for i, e := range l.Errors {
			errors = append(errors, letter(i)+" "+comparedError(l, e, -1))
		}
		out = append(out, Headline{"error on " + clean(l.Log) + ", %", strings.Join(errors, " · ")})
	}
	return out
}

// comparedError is the relative error of a side on a log: of a joint, or of all for -1.
func comparedError(l result.ComparedLog, e *result.Errors, joint int) string {
	if e == nil {
		return digits.None
	}
	of := e.RelativeError
	if !l.SameFilter {
		of = e.RelativeErrorRaw
	}
	if joint < 0 {
		return digits.Percent(of.Stacked)
	}
	return digits.Percent(at(of.Joints, joint))
}

// comparedErrors is the table of errors by log and joint.
func comparedErrors(c *result.Comparison) Section {
	s := Section{Title: "Errors", Gist: "no log was held against all of them"}
	for _, l := range c.Logs {
		t := Table{Caption: "Relative errors on " + clean(l.Log) + ", %, both sides through the same filter", Head: []string{"Joint"}, Right: []bool{false}}
		if !l.SameFilter {
			t.Caption = "Relative errors on " + clean(l.Log) + ", %, against the torque as logged: the sides were filtered otherwise"
		}
		for i := range c.Sides {
			t.Head, t.Right = append(t.Head, letter(i)), append(t.Right, true)
		}
		for j := -1; j < len(c.Joints); j++ {
			row := []string{"all joints"}
			if j >= 0 {
				row[0] = clean(c.Joints[j])
			}
			for _, e := range l.Errors {
				row = append(row, comparedError(l, e, j))
			}
			t.Rows = append(t.Rows, row)
		}
		s.Tables = append(s.Tables, t)
		s.Gist = count(len(c.Logs), "log") + ", the same rows of each"
	}
	return s
}

// comparedSides is the table of the sides.
func comparedSides(c *result.Comparison) Section {
	t := Table{Caption: "Sides; differences are those from A", Head: []string{"", "Name", "Grade", "Estimator", "Terms", "Filter", "Training error, %", "Condition number", "Parameters of this side alone"},
		Right: []bool{false, false, false, false, false, false, true, true, false}}
	for i, s := range c.Sides {
		row := []string{letter(i), clean(s.Name), string(s.Grade), s.Estimator, strings.Join(s.Terms, ","), s.Filter, "", "", strings.Join(s.Only, ", ")}
		if s.RobotFile {
			row[2] = "robot file"
		}
		if s.Fit != nil {
			row[6] = digits.Percent(s.Fit.Stacked)
		}
		if s.Condition != nil {
			row[7] = digits.Number(s.Condition.Scaled, 3)
		}
		t.Rows = append(t.Rows, row)
	}
	return Section{Title: "Sides", Gist: count(len(c.Sides), "side"), Tables: []Table{t}}
}

// comparedTable are the parameters of a comparison, those that differ most first.
type comparedTable struct {
	Title   string
	Letters []string
	Rows    []comparedRow
}

type comparedRow struct {
	Name, Expression, Link, Unit string
	Picture                      template.HTML
	Words                        string // of the picture
	Values                       []string
	Apart                        string // the largest difference from A, in deviations
	Mark                         string
	size                         float64
	significant                  bool
}

func newComparedTable(c *result.Comparison) *comparedTable {
	t := &comparedTable{Title: "No difference is significant"}
	if c.Significant > 0 {
		t.Title = fmt.Sprintf("%s of %d is more than chance", count(c.Significant, "difference"), c.Compared)
		if c.Significant > 1 {
			t.Title = fmt.Sprintf("%d differences of %d are more than chance", c.Significant, c.Compared)
		}
	}
	for i := range c.Sides {
		t.Letters = append(t.Letters, letter(i))
	}
	for _, p := range c.Parameters {
		r := comparedRow{Name: p.Name, Expression: p.Expression, Link: clean(p.Link), Unit: p.Unit}
		r.Picture, r.Words = intervals(p)
		for _, s := range p.Sides {
			switch {
			case s.Missing != "":
				r.Values = append(r.Values, digits.None)
			case s.Sigma > 0:
				r.Values = append(r.Values, digits.Measure(s.Value, s.Sigma))
			default:
				r.Values = append(r.Values, digits.Number(digits.Noise(s.Value), 4))
			}
			if d := s.Difference; d != nil && finite(d.Deviations) {
				r.size = math.Max(r.size, math.Abs(d.Deviations))
				r.significant = r.significant || d.Significant
			}
		}
		if r.size > 0 {
			r.Apart = digits.Number(r.size, 2)
		}
		if r.significant {
			r.Mark = "differs"
		}
		t.Rows = append(t.Rows, r)
	}
	slices.SortStableFunc(t.Rows, func(a, b comparedRow) int {
		if a.significant != b.significant {
			if a.significant {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.size, a.size)
	})
	return t
}

// intervals draws the 95 % intervals of the sides below one another: a bar and a point, a diamond for an exact number.
func intervals(p result.ComparedParameter) (template.HTML, string) {
	lo, hi := math.Inf(1), math.Inf(-1)
	var words []string
	for i, s := range p.Sides {
		if s.Missing != "" || !finite(s.Value) {
			continue
		}
		for _, v := range []float64{s.Value, s.Low95, s.High95} {
			if finite(v) && (s.Sigma > 0 || v == s.Value) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
		words = append(words, fmt.Sprintf("%s from %s to %s", letter(i), digits.Number(s.Low95, 3), digits.Number(s.High95, 3)))
	}
	if !(hi >= lo) || math.IsInf(hi-lo, 0) {
		return "", "not known"
	}
	spare := 0.06 * (hi - lo)
	if spare == 0 {
		spare = math.Max(1e-12, math.Abs(hi)*0.1)
	}
	x := func(v float64) string { return digits.Fixed(200*(v-lo+spare)/(hi-lo+2*spare), 1) }
	var b strings.Builder
	const step = 9
	fmt.Fprintf(&b, `<svg viewBox="0 0 200 %d" preserveAspectRatio="none" style="height:%dpx" aria-hidden="true">`, step*len(p.Sides), step*len(p.Sides))
	if lo-spare < 0 && hi+spare > 0 {
		fmt.Fprintf(&b, `<path class="zero" d="M%s 0V%d"/>`, x(0), step*len(p.Sides))
	}
	for i, s := range p.Sides {
		if s.Missing != "" || !finite(s.Value) {
			continue
		}
		y := step*i + step/2
		if s.Sigma > 0 {
			fmt.Fprintf(&b, `<path class="side-%d interval" d="M%s %dH%s"/>`, min(i, 1), x(s.Low95), y, x(s.High95))
		}
		fmt.Fprintf(&b, `<path class="side-%d point" d="M%s %dv6"/>`, min(i, 1), x(s.Value), y-3)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()), strings.Join(words, "; ")
}
