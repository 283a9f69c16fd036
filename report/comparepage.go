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

// CompareHTML writes a comparison as an HTML page: significant differences first, parameters with their intervals below
// one another, errors on the same rows side by side. It uses only Date, Version and Command of the options.
func CompareHTML(w io.Writer, c *result.Comparison, opt Options) error {
	page := &ScenePage{Title: orDash(clean(c.Robot)) + ", compared", Date: opt.Date, Version: opt.Version, Command: opt.Command,
		About: fmt.Sprintf("%s · %s in common with A", count(len(c.Sides), "side"), count(comparable(c), "base parameter")),
		sides: comparedSides(c)}
	if len(c.Parameters) == 0 {
		page.Title, page.About = listed(c), "parameters of different robots are not compared"
	} else {
		page.compared, page.Sections = newComparedTable(c), []Section{comparedErrors(c)}
	}
	for _, s := range c.Warnings {
		page.Findings = append(page.Findings, SceneFinding{Severity: "warning", Text: clean(s)})
	}
	return Scene(w, page)
}

// comparedError returns the relative error of a side on a log, of a joint or, for -1, of all.
func comparedError(l result.ComparedLog, e *result.Errors, joint int) string {
	if e == nil || !e.Relates(joint) {
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

// comparedErrors returns the table of errors by log and joint.
func comparedErrors(c *result.Comparison) Section {
	s := Section{Title: "Errors", Gist: "no log was compared with all of the results"}
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

// comparedSides returns the table of the sides: errors on the same rows first, settings last and only where they
// differ.
func comparedSides(c *result.Comparison) []Table {
	alone := len(c.Parameters) == 0
	t := Table{Caption: "Sides; differences are those from A"}
	if alone {
		t.Caption = "Results; errors are those on their own logs"
	}
	column := func(head string, right bool, of func(i int, s *result.ComparedSide) string) {
		cells := make([]string, len(c.Sides))
		same := true
		for i := range c.Sides {
			cells[i] = of(i, &c.Sides[i])
			same = same && cells[i] == cells[0]
		}
		if same && (cells[0] == "" || head == "Filter" || head == "Terms" || head == "Estimator" || head == "Model" || head == "Robot") {
			return
		}
		t.Head, t.Right = append(t.Head, head), append(t.Right, right)
		for len(t.Rows) < len(c.Sides) {
			t.Rows = append(t.Rows, nil)
		}
		for i := range cells {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
	if !alone {
		column("Side", false, func(i int, _ *result.ComparedSide) string { return letter(i) })
	}
	column("Name", false, func(_ int, s *result.ComparedSide) string { return clean(s.Name) })
	if alone {
		column("Robot", false, func(_ int, s *result.ComparedSide) string { return clean(s.Robot) })
		column("Runs", true, func(_ int, s *result.ComparedSide) string { return fmt.Sprint(s.Runs) })
	}
	column("Grade", false, func(_ int, s *result.ComparedSide) string {
		if s.RobotFile {
			return "robot file"
		}
		return string(s.Grade)
	})
	for k := range c.Logs {
		l := &c.Logs[k]
		column("Error on "+clean(l.Log)+", %", true, func(i int, _ *result.ComparedSide) string { return comparedError(*l, l.Errors[i], -1) })
	}
	if alone {
		column("Validation error, %", true, func(_ int, s *result.ComparedSide) string { return validationError(s) })
	}
	column("Training error, %", true, func(_ int, s *result.ComparedSide) string { return trainingError(s) })
	column("Parameters that differ", true, func(i int, _ *result.ComparedSide) string {
		if i == 0 || alone {
			return ""
		}
		differ, tested := 0, 0
		for _, p := range c.Parameters {
			if d := p.Sides[i].Difference; d != nil {
				tested++
				if d.Significant {
					differ++
				}
			}
		}
		return fmt.Sprintf("%d of %d", differ, tested)
	})
	column("All together", false, func(i int, _ *result.ComparedSide) string {
		if i == 0 || i > len(c.Apart) {
			return ""
		}
		a := c.Apart[i-1]
		if a.Why != "" {
			return digits.None
		}
		return digits.Number(a.Deviations, 3) + " σ, " + digits.Chance(a.P)
	})
	column("Condition number", true, func(_ int, s *result.ComparedSide) string {
		if s.Condition == nil {
			return ""
		}
		return digits.Number(s.Condition.Scaled, 3)
	})
	column("Model", false, func(_ int, s *result.ComparedSide) string { return s.Model })
	column("Estimator", false, func(_ int, s *result.ComparedSide) string { return s.Estimator })
	column("Terms", false, func(_ int, s *result.ComparedSide) string { return termNames(s.Terms) })
	column("Filter", false, func(_ int, s *result.ComparedSide) string { return s.Filter })
	column("Parameters of this side alone", false, func(_ int, s *result.ComparedSide) string { return strings.Join(s.Only, ", ") })
	return []Table{t}
}

// comparedTable are the parameters of a comparison, those that differ most first.
type comparedTable struct {
	Title string
	Order string   // order of the intervals in a row
	Heads []string // heads of the columns of values
	Rows  []comparedRow
}

// comparedPart is a comparison within the report of one of its sides.
type comparedPart struct {
	Summary    string
	Notes      []string
	Tables     []Table
	Parameters *comparedTable
}

// newComparedPart returns nil without a comparison.
func newComparedPart(c *result.Comparison) *comparedPart {
	if c == nil {
		return nil
	}
	p := &comparedPart{Tables: append(comparedSides(c), comparedErrors(c).Tables...), Parameters: newComparedTable(c)}
	for _, s := range slices.Concat(c.Warnings, c.Notes) {
		p.Notes = append(p.Notes, clean(s))
	}
	p.Summary = fmt.Sprintf("%s side by side: %s", count(len(c.Sides), "fit"), lowerFirst(p.Parameters.Title))
	return p
}

// lowerFirst begins a title within a line.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// valueColumns is the number of sides up to which each has a column of values. With more, only the reference and the
// side furthest from it have one.
const valueColumns = 4

type comparedRow struct {
	Name, Expression, Link, Unit string
	Picture                      template.HTML
	Words                        string // the picture in words
	Values                       []string
	Apart                        string // the largest difference from A, in standard deviations
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
		t.Heads = append(t.Heads, letter(i))
	}
	t.Order = strings.Join(t.Heads, ", ") + ", from above"
	if len(c.Sides) > valueColumns {
		t.Heads = []string{letter(0), "furthest from it"}
	}
	for _, p := range c.Parameters {
		r := comparedRow{Name: p.Name, Expression: p.Expression, Link: clean(p.Link), Unit: p.Unit}
		r.Picture, r.Words = intervals(p)
		furthest := 0
		for i, s := range p.Sides {
			switch {
			case s.Missing != "":
				r.Values = append(r.Values, digits.None)
			case s.Sigma > 0:
				r.Values = append(r.Values, digits.Measure(s.Value, s.Sigma))
			default:
				r.Values = append(r.Values, digits.Figure(s.Value))
			}
			if d := s.Difference; d != nil && finite(d.Deviations) {
				if math.Abs(d.Deviations) > r.size {
					furthest = i
				}
				r.size = math.Max(r.size, math.Abs(d.Deviations))
				r.significant = r.significant || d.Significant
			}
		}
		if len(c.Sides) > valueColumns {
			r.Values = []string{r.Values[0], letter(furthest) + " " + r.Values[furthest]}
			if furthest == 0 {
				r.Values[1] = digits.None
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
	step, half := 9, 3
	if len(p.Sides) > valueColumns {
		step, half = 6, 2
	}
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
		fmt.Fprintf(&b, `<path class="side-%d point" d="M%s %dv%d"/>`, min(i, 1), x(s.Value), y-half, 2*half)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()), strings.Join(words, "; ")
}
