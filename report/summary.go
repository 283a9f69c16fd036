package report

import (
	"fmt"
	"io"
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
// their cures. Text writes the rest.
func Summary(w io.Writer, res *result.Result) {
	t := &textPage{}
	t.gradeLine(res)
	t.paragraph("", "  ", summaryHead(res))
	t.line("%s", summaryErrors(res))
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
	names, errs, rmse := "  "+pad(head), "  "+pad("error %"), "  "+pad("rmse"+sharedUnit(res))
	short := shortNames(res.Joints, min(max((textWidth-10)/max(len(shown), 1)-1, 9), 16))
	width := 7
	for _, j := range shown {
		width = max(width, utf8.RuneCountInString(short[j]))
	}
	for _, j := range shown {
		names += " " + left(short[j], width)
		errs += " " + left(percentCell(e, j), width)
		rmse += " " + left(digits.Number(at(e.RMSE, j), 3), width)
	}
	t.line("%s", names)
	t.line("%s", errs)
	t.line("%s", rmse)
	if len(res.Gains) == 0 {
		return
	}
	gains, sigma := "  "+pad("gain"), "  "+pad("± %")
	for _, j := range shown {
		gain, deviation := "-", "-"
		if at := slices.IndexFunc(res.Gains, func(g result.DriveGain) bool { return g.Joint == res.Joints[j] }); at >= 0 {
			gain, deviation = digits.Number(res.Gains[at].Value, 4), digits.Number(res.Gains[at].RelativeSigmaPercent, 2)
		}
		gains += " " + left(gain, width)
		sigma += " " + left(deviation, width)
	}
	t.line("%s", gains)
	t.line("%s", sigma)
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

func left(s string, width int) string {
	return strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0)) + s
}

func pad(s string) string { return s + strings.Repeat(" ", max(8-utf8.RuneCountInString(s), 0)) }

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
