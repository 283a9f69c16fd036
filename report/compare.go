package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// Limits of lists, so that a comparison fits on a screen of 25 lines.
const (
	comparedLogs    = 2
	comparedReasons = 2
	// comparedRows is the largest number of lines for sides and parameters together; three parameters are always listed.
	comparedRows = 7
)

// CompareText writes a comparison as text: on one screen, or with all parameters if full is set. Sides get letters in
// their order; differences are from A. Lines are as wide as those of Text.
func CompareText(w io.Writer, c *result.Comparison, full bool, width int) {
	t := newTextPage(width)
	if len(c.Parameters) == 0 {
		t.listedSides(c)
	} else {
		t.line("%s · %s in common with A", orDash(clean(c.Robot)), count(comparable(c), "base parameter"))
		t.comparedSides(c, full)
		t.comparedLogs(c, full)
		t.comparedParameters(c, full)
		t.comparedApart(c)
		t.comparedRest(c, full)
	}
	for k, s := range c.Warnings {
		if k == comparedReasons && !full {
			break
		}
		t.paragraph("! ", "  ", s)
	}
	_, _ = w.Write(t.buf.Bytes())
}

// letter names a side in tables.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprintf("#%d", i+1)
}

// comparable counts the parameters that at least one other side determines too.
func comparable(c *result.Comparison) int {
	n := 0
	for _, p := range c.Parameters {
		if slices.ContainsFunc(p.Sides[1:], func(s result.SideEstimate) bool { return s.Missing == "" }) {
			n++
		}
	}
	return n
}

func (t *textPage) comparedSides(c *result.Comparison, full bool) {
	for i, s := range c.Sides {
		if s.RobotFile {
			t.line("  %s  %s  robot file", letter(i), clean(s.Name))
			continue
		}
		words := []string{string(s.Grade), s.Estimator, sideError(&s) + " on its training motion"}
		if s.SharesData {
			words = append(words, "shares data with A")
		}
		words = append(words, termNames(s.Terms))
		t.line("  %s  %s  %s", letter(i), clean(s.Name), strings.Join(words, " · "))
		if full {
			t.line("     filter: %s", s.Filter)
		}
	}
}

// listedSides prints a table of results whose parameters are not compared.
func (t *textPage) listedSides(c *result.Comparison) {
	t.line("%s", listed(c))
	tab := newTable("result", "robot", "grade", "runs", "training %", "validation %")
	for i := range c.Sides {
		s := &c.Sides[i]
		tab.row(clean(s.Name), orDash(clean(s.Robot)), string(s.Grade), fmt.Sprint(s.Runs), trainingError(s), validationError(s))
	}
	tab.write(t, 3)
}

// listed counts the results and their robots.
func listed(c *result.Comparison) string {
	return fmt.Sprintf("%s of %s", count(len(c.Sides), "result"), count(len(c.Robots()), "robot"))
}

func (t *textPage) comparedLogs(c *result.Comparison, full bool) {
	if len(c.Logs) == 0 {
		t.line("no log was compared with all of the results")
		return
	}
	head := []string{"error on the same rows, %"}
	for i := range c.Sides {
		head = append(head, letter(i))
	}
	tab := newTable(head...)
	other := false
	for k, l := range c.Logs {
		if k == comparedLogs && !full {
			break
		}
		name := l.Log
		if other = other || !l.SameFilter; !l.SameFilter {
			name += " (raw)"
		}
		row := []string{name}
		for _, e := range l.Errors {
			switch {
			case e == nil || !e.Relates(-1):
				row = append(row, digits.None)
			case l.SameFilter:
				row = append(row, digits.Percent(e.RelativeError.Stacked))
			default:
				row = append(row, digits.Percent(e.RelativeErrorRaw.Stacked))
			}
		}
		tab.row(row...)
	}
	tab.write(t, 1)
	if n := len(c.Logs) - comparedLogs; n > 0 && !full {
		t.line("  … %d more logs (-v)", n)
	}
	if other {
		t.line("  raw: the sides were filtered otherwise, so only errors against the torque as logged compare")
	}
}

// comparedParameters prints a table of the significant differences, the largest first, or all parameters in order.
func (t *textPage) comparedParameters(c *result.Comparison, full bool) {
	t.line("%d of %d differences are significant (*; in standard deviations, %.0f %% over all of them by Holm)", c.Significant, c.Compared, 100*c.Significance)
	var shown []result.ComparedParameter
	for _, p := range c.Parameters {
		if full || slices.ContainsFunc(p.Sides, significant) {
			shown = append(shown, p)
		}
	}
	more := 0
	if !full {
		slices.SortStableFunc(shown, func(a, b result.ComparedParameter) int { return cmp.Compare(deviations(b), deviations(a)) })
		more = max(len(shown)-max(comparedRows-len(c.Sides), 3), 0)
		shown = shown[:len(shown)-more]
	}
	if len(shown) == 0 {
		return
	}
	head := []string{"parameter"}
	for i := range c.Sides {
		head = append(head, letter(i))
		if i > 0 {
			head = append(head, letter(i)+" − A")
		}
	}
	tab := newTable(append(head, "unit")...)
	tab.lastLeft = 1
	for _, p := range shown {
		row := []string{p.Name}
		for i, s := range p.Sides {
			row = append(row, comparedValue(s, p.Sides[0].Sigma))
			if i > 0 {
				row = append(row, comparedDifference(s.Difference))
			}
		}
		tab.row(append(row, p.Unit)...)
	}
	tab.write(t, 1)
	if more > 0 {
		t.line("  … %d more (-v)", more)
	}
}

func significant(s result.SideEstimate) bool { return s.Difference != nil && s.Difference.Significant }

// deviations returns the largest significant difference of a parameter, in standard deviations.
func deviations(p result.ComparedParameter) float64 {
	most := 0.0
	for _, s := range p.Sides {
		if significant(s) {
			most = max(most, math.Abs(s.Difference.Deviations))
		}
	}
	return most
}

// comparedValue formats an estimate; a number without a standard deviation gets the digits of the reference's.
func comparedValue(s result.SideEstimate, reference float64) string {
	switch {
	case s.Missing != "":
		return digits.None
	case s.Removed:
		return "removed"
	case s.Sigma == 0:
		return digits.ScaleOf(s.Value, reference).Print(s.Value)
	}
	return digits.Measure(s.Value, s.Sigma)
}

func comparedDifference(d *result.Difference) string {
	if d == nil {
		return digits.None
	}
	sign := "+"
	switch {
	case d.Deviations == 0:
		sign = ""
	case d.Deviations < 0:
		sign = "−"
	}
	s := sign + digits.Number(math.Abs(d.Deviations), 2)
	if d.Significant {
		s += " *"
	} else {
		s += "  "
	}
	return s
}

func (t *textPage) comparedApart(c *result.Comparison) {
	for i, a := range c.Apart {
		text := fmt.Sprintf("%s − A over %s with their covariances: %s standard deviations each", letter(i+1), count(a.Parameters, "direction"), digits.Number(a.Deviations, 2))
		if a.Why != "" {
			text = fmt.Sprintf("%s − A together: %s", letter(i+1), a.Why)
		} else {
			text += ", " + digits.Chance(a.P)
		}
		t.paragraph("", "  ", text)
	}
}

// comparedRest lists the parameters that are not compared, with the reason.
func (t *textPage) comparedRest(c *result.Comparison, full bool) {
	for i := 1; i < len(c.Sides); i++ {
		reasons := c.NotCompared(i)
		for k, r := range reasons {
			if k == comparedReasons && !full {
				t.line("  … %d more reasons (-v)", len(reasons)-k)
				break
			}
			t.restLine("not compared with "+letter(i)+": ", r, full)
		}
		if only := c.Sides[i].Only; len(only) > 0 {
			t.restLine("only "+letter(i)+" has ", strings.Join(only, ", "), full)
		}
	}
}

// restLine writes a list on one line, or in full.
func (t *textPage) restLine(first, s string, full bool) {
	if full {
		t.paragraph(first, "  ", s)
		return
	}
	t.line("%s%s", first, clean(s))
}
