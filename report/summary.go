package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"ident/internal/digits"
	"ident/result"
)

// summaryJoints is the number of joints with a column of their own in a summary: at ten columns each and a
// head of ten they fill the page.
const summaryJoints = 9

// Summary writes on one screen whether the result can be used: the grade, the errors by joint, and the reasons with
// their cures. Text writes the rest. Lines are as wide as those of Text.
func Summary(w io.Writer, res *result.Result, width int) {
	t := newTextPage(width)
	t.gradeLine(res)
	t.paragraph("", "  ", summaryHead(res))
	t.paragraph("", "  ", summaryErrors(res))
	t.line("")
	t.summaryJoints(res)
	for i, r := range judge(res).Reasons {
		if i == 0 {
			t.line("")
		}
		t.paragraph(fmt.Sprintf("%d  ", i+1), "   ", r.Why)
		if r.Fix != "" {
			t.paragraph("   → ", "     ", r.Fix)
		}
	}
	if len(res.Gates) > 0 {
		t.line("")
		t.gates(res.Gates, false)
	}
	t.line("")
	t.paragraph("", "  ", summaryParameters(res))
	if s := res.Bodies.AgainstFile(); s != "" {
		t.paragraph("bodies: ", "  ", s)
	}
	if b := res.Grade.Bodies; b != nil {
		for _, r := range b.Reasons {
			if r.ID == "drive-gains" {
				t.paragraph("bodies: ", "  ", r.Why)
				t.paragraph("   → ", "     ", r.Fix)
			}
		}
	}
	_, _ = w.Write(t.buf.Bytes())
}

// gradeLine writes the answer to the first question: the grade, and what it is made of.
func (t *textPage) gradeLine(res *result.Result) {
	switch j := judge(res); {
	case j.Level == "":
	case j.Parts == "":
		t.line("%s", j.Word)
	default:
		t.line("%s: %s", j.Word, j.Parts)
	}
}

func summaryHead(res *result.Result) string {
	logs := 0
	for _, l := range res.Logs {
		if l.Role == "train" {
			logs++
		}
	}
	return strings.Join([]string{orDash(res.Robot.Name), count(len(res.Joints), "joint"), count(logs, "log") + " of " + count(res.Samples.Read, "row"), strings.Replace(filterWords(res.Processing), " zero-phase Butterworth, both", ", both", 1)}, " · ")
}

// summaryErrors gives the error on motion outside the training first: it is the one to expect.
func summaryErrors(res *result.Result) string {
	train := errorWords(&res.Fit, -1, unit(res, 0)) + " on the training motion"
	if v := res.Validation; v != nil {
		return errorWords(&v.Errors, -1, unit(res, 0)) + " on " + v.Motion() + ", " + train
	}
	if d := res.Diagnosis; d != nil && d.CrossValidation != nil {
		part := "stretches"
		if d.CrossValidation.By == "run" {
			part = "runs"
		}
		return leftOutWords(res, d.CrossValidation.Percent) + " on " + part + " left out, " + train
	}
	return train
}

// summaryJoints tables the errors of the joints, the worst ones where they are too many.
func (t *textPage) summaryJoints(res *result.Result) {
	e, _ := judged(res)
	shown, head := worstJoints(res, e, summaryJoints), "joint"
	if len(shown) < len(res.Joints) {
		head = "worst"
	}
	short := shortNames(res.Joints, min(max((t.width-10)/max(len(shown), 1)-1, 9), 16))
	rows := [][]string{{head}, {"error %"}, {"rmse" + sharedUnit(res)}}
	for _, j := range shown {
		rows[0] = append(rows[0], short[j])
		rows[1] = append(rows[1], percentCell(e, j))
		rows[2] = append(rows[2], digits.Number(at(e.RMSE, j), 3))
	}
	if len(res.Gains) > 0 {
		rows = append(rows, []string{"gain"}, []string{"± %"})
	}
	for _, j := range shown {
		if len(res.Gains) == 0 {
			break
		}
		gain, deviation := "-", "-"
		if at := slices.IndexFunc(res.Gains, func(g result.DriveGain) bool { return g.Joint == res.Joints[j] }); at >= 0 {
			gain, deviation = digits.Number(res.Gains[at].Value, 4), digits.Number(res.Gains[at].RelativeSigmaPercent, 2)
		}
		rows[3], rows[4] = append(rows[3], gain), append(rows[4], deviation)
	}
	t.columns("  ", rows, 8, 7)
}

// columns writes rows of cells: the first cell of each to the left, in first columns at least, the others to the right, each in least columns at
// least. A table that is wider than the page continues below itself.
func (t *textPage) columns(indent string, rows [][]string, first, least int) {
	wide := least
	for _, r := range rows {
		first = max(first, utf8.RuneCountInString(r[0]))
		for _, cell := range r[1:] {
			wide = max(wide, utf8.RuneCountInString(cell))
		}
	}
	n := len(rows[0])
	for at, fit := 1, max((t.width-len(indent)-first)/(wide+1), 1); at < n; at += fit {
		if at > 1 {
			t.line("")
		}
		for _, r := range rows {
			line := indent + r[0] + strings.Repeat(" ", first-utf8.RuneCountInString(r[0]))
			for _, cell := range r[at:min(at+fit, n)] {
				line += " " + strings.Repeat(" ", wide-utf8.RuneCountInString(cell)) + cell
			}
			t.line("%s", line)
		}
	}
}

// Columns writes a table of cells to a terminal of width columns, 0 for none: the first cell of each row to the left, the others to the right.
// A table that is wider than the terminal continues below itself.
func Columns(w io.Writer, rows [][]string, width int) {
	t := &textPage{width: width}
	if width <= 0 {
		t.width = math.MaxInt
	}
	t.columns("", rows, 0, 9)
	_, _ = w.Write(t.buf.Bytes())
}

// sharedUnit returns the unit of the joints' torques behind a space, "" where they have several.
func sharedUnit(res *result.Result) string {
	for j := range res.Joints {
		if unit(res, j) != unit(res, 0) {
			return ""
		}
	}
	if len(res.Joints) == 0 || unit(res, 0) == "" {
		return ""
	}
	return " " + unit(res, 0)
}

func summaryParameters(res *result.Result) string {
	s := fmt.Sprintf("%s, %d weak", count(len(res.BaseParameters), "base parameter"), countWeak(res))
	switch {
	case res.Consistency != nil:
		s += " · bodies possible"
	case res.Possibility != nil && res.Possibility.Possible:
		s += " · bodies possible"
	case res.Possibility != nil:
		s += fmt.Sprintf(" · nearest feasible bodies %s σ away", digits.Number(res.Possibility.DistanceSigma, 2))
	}
	return s
}
