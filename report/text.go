package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"ident/internal/digits"
	"ident/result"
)

// textWidth is the widest line of a text.
const textWidth = 100

// Text writes the whole result as plain text: sections, aligned tables, and the verdicts and gates last. Lines have at most 100 columns, and as
// many as the reader's terminal where width gives them; it is 0 if there is none. After the first error of w nothing more is written; the caller
// must check w itself.
func Text(w io.Writer, res *result.Result, width int) {
	t := newTextPage(width)
	t.gradeLine(res)
	t.head(res)
	t.errors(res)
	t.selection(res)
	t.base(res)
	t.friction(res)
	t.load(res)
	t.bodies(res)
	t.statistics(res)
	t.diagnosis(res)
	t.lists(res)
	t.verdicts(res)
	if len(res.Gates) > 0 {
		t.section("Gates")
		t.gates(res.Gates, true)
	}
	_, _ = w.Write(t.buf.Bytes())
}

// textPage is a text that is made, with the width of its lines.
type textPage struct {
	buf   bytes.Buffer
	width int
}

// leastWidth is the width of a text in a terminal that is narrower: words and numbers need as much.
const leastWidth = 40

// newTextPage returns an empty text for a terminal of width columns, 0 for none.
func newTextPage(width int) *textPage {
	if width <= 0 {
		width = textWidth
	}
	return &textPage{width: min(max(width, leastWidth), textWidth)}
}

func (t *textPage) line(format string, args ...any) {
	s := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	t.buf.WriteString(cut(s, t.width))
	t.buf.WriteByte('\n')
}

func (t *textPage) section(title string) {
	t.buf.WriteByte('\n')
	t.line("%s", title)
}

// paragraph wraps text at the page's width, with a first and a hanging indent.
func (t *textPage) paragraph(first, rest, s string) {
	for _, l := range wrap(clean(s), first, rest, t.width) {
		t.line("%s", l)
	}
}

func (t *textPage) head(res *result.Result) {
	name := orDash(res.Robot.Name)
	t.line("%s: %s of %s", clean(name), count(len(res.BaseParameters), "base parameter"), count(len(res.Joints), "joint"))
	t.section("What was fitted")
	for _, f := range facts(res)[1:] {
		t.paragraph(fmt.Sprintf("  %-16s ", f.Name), strings.Repeat(" ", 19), f.Value)
	}
}

func (t *textPage) errors(res *result.Result) {
	t.section("Relative error, 100·‖predicted − measured‖/‖measured‖, percent")
	t.paragraph("  ", "  ", "filter: "+filterWords(res.Processing))
	for _, line := range restLines(res) {
		t.paragraph("  ", "    ", line)
	}
	tab := newTable("joint", "unit", "train", "train raw", "RMSE")
	var val *result.Errors
	if res.Validation != nil {
		val = &res.Validation.Errors
		tab = newTable("joint", "unit", "train", "train raw", "RMSE", "valid.", "valid. raw", "RMSE")
	}
	row := func(name, unit string, j int) {
		cells := []string{name, unit}
		for _, e := range []*result.Errors{&res.Fit, val} {
			if e == nil {
				continue
			}
			if j < 0 {
				cells = append(cells, percentCell(e, -1), rawPercent(e, -1), "")
				continue
			}
			cells = append(cells, percentCell(e, j), rawPercent(e, j), digits.Number(at(e.RMSE, j), 3))
		}
		tab.row(cells...)
	}
	for j, name := range res.Joints {
		row(name, unit(res, j), j)
	}
	row("all joints", "", -1)
	tab.write(t, 2)
	if !res.Fit.Logged() {
		t.line("  errors on torques as logged are not known from summaries")
	}
	if res.Validation == nil {
		t.line("  not validated: no log was held back from the fit")
		return
	}
	if len(res.Validation.Runs) > 1 {
		runs := newTable("validation log", "error", "raw", "rows")
		for _, r := range res.Validation.Runs {
			runs.row(r.Log, percentCell(&r.Errors, -1), rawPercent(&r.Errors, -1), fmt.Sprint(r.Samples))
		}
		t.line("")
		runs.write(t, 1)
	}
}

// rawPercent returns the error on torques as logged, of a joint or of all for -1; a dash where it is not known.
func rawPercent(e *result.Errors, joint int) string {
	switch {
	case !e.Logged() || !e.Relates(joint):
		return digits.None
	case joint < 0:
		return digits.Percent(e.RelativeErrorRaw.Stacked)
	}
	return digits.Percent(at(e.RelativeErrorRaw.Joints, joint))
}

func (t *textPage) base(res *result.Result) {
	weak := countWeak(res)
	title := fmt.Sprintf("Base parameters: %d", len(res.BaseParameters))
	if weak > 0 {
		title += fmt.Sprintf(", %d weak (relative sigma > %d %%)", weak, WeakPercent)
	}
	t.section(title)
	if len(res.BaseParameters) == 0 {
		t.line("  none")
		return
	}
	tab := newTable("link", "name", "value ± sigma", "rel. %", "prior", "unit", "")
	tab.left = 2
	tab.lastLeft = 2
	for _, b := range res.BaseParameters {
		prior := ""
		if b.HasPrior {
			prior = digits.ScaleOf(b.Value, b.Sigma).Print(b.Prior)
		}
		tab.row(b.Link, b.Name, digits.Measure(b.Value, b.Sigma), digits.Percent(relativeSigma(b)), prior, b.Unit, mark(b))
	}
	tab.write(t, 2)
}

func (t *textPage) bodies(res *result.Result) {
	t.section("Physical consistency")
	if res.PhysicallyConsistent {
		t.line("  every link can be a body")
	} else if len(res.Impossible) == 0 {
		t.line("  not consistent; the result names no link")
	}
	for _, b := range res.Impossible {
		if b.Parameter != "" {
			t.paragraph("  impossible: ", "    ", fmt.Sprintf("%s: %s", b.Link, orDash(b.Why)))
			continue
		}
		t.paragraph("  impossible: ", "    ", fmt.Sprintf("%s, smallest pseudo-inertia eigenvalue %s: %s",
			b.Link, digits.Number(b.MinEigenvalue, 3), orDash(b.Why)))
	}
	determined := 0
	for _, s := range res.StandardParameters {
		if s.Determined {
			determined++
		}
	}
	if n := len(res.StandardParameters); n > 0 {
		t.paragraph("  ", "  ", fmt.Sprintf("%d of %d standard parameters follow from the data; the rest keep the robot file's values", determined, n))
	}
}

func (t *textPage) statistics(res *result.Result) {
	t.section("Statistics")
	t.line("  condition number %s scaled, %s raw", digits.Number(res.Condition.Scaled, 3), digits.Number(res.Condition.Raw, 3))
	tab := newTable("joint", "noise sigma", "unit", "variance × for correlation", "effective samples")
	for j, name := range res.Joints {
		tab.row(name, digits.Number(at(res.NoiseSigma, j), 3), unit(res, j), digits.Number(at(res.CorrelationInflation, j), 3), digits.Number(at(res.EffectiveSamples, j), 4))
	}
	tab.write(t, 1)
}

func (t *textPage) lists(res *result.Result) {
	if len(res.Warnings) > 0 {
		t.section("Warnings")
		for _, s := range res.Warnings {
			t.paragraph("  ! ", "    ", s)
		}
	}
	notes := append(append([]string(nil), res.Processing.Reasons...), res.Notes...)
	if len(notes) > 0 {
		t.section("Notes")
		for _, s := range notes {
			t.paragraph("  - ", "    ", s)
		}
	}
}

func (t *textPage) verdicts(res *result.Result) {
	t.section("Verdicts")
	idWidth, wordWidth := 0, 0
	for _, v := range res.Verdicts {
		wordWidth = max(wordWidth, len(verdictWord(v)))
		idWidth = min(max(idWidth, utf8.RuneCountInString(v.ID)), 32)
	}
	for _, v := range res.Verdicts {
		first := fmt.Sprintf("  %-*s  %-*s  ", wordWidth, verdictWord(v), idWidth, clean(v.ID))
		t.paragraph(first, strings.Repeat(" ", 6+wordWidth+idWidth), verdictWords(v))
	}
	j := judge(res)
	t.section(j.Word + ": " + j.Line)
	for i, r := range j.Reasons {
		t.paragraph(fmt.Sprintf("  %d  ", i+1), "     ", fmt.Sprintf("%s (%s)", r.Why, r.ID))
		if r.Fix != "" {
			t.paragraph("     → ", "       ", r.Fix)
		}
	}
}

// verdictWords says why, with the figure and its limit.
func verdictWords(v result.Verdict) string {
	s := fmt.Sprintf("value %s, limit %s", digits.Figure(v.Value), digits.Figure(v.Limit))
	if v.Why != "" {
		s = v.Why + " (" + s + ")"
	}
	return s
}
