package report

import (
	"fmt"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// mark returns the warning next to a base parameter, "" for none.
func mark(b result.BaseParameter) string {
	switch {
	case b.Removed:
		return "taken as zero"
	case b.PriorDecided:
		return "prior decided"
	case b.ConstraintDecided:
		return "constraint decided"
	case isWeak(b):
		return "weak"
	}
	return ""
}

// verdictWord returns the outcome of a verdict in a word; failed advice is a doubt.
func verdictWord(v result.Verdict) string {
	switch {
	case v.Pass:
		return "pass"
	case v.Advice:
		return "doubt"
	}
	return "FAIL"
}

// diagnosisTable has one row per joint: statistics of its residuals, and their power
// explained by terms beyond the model's.
type diagnosisTable struct {
	Rows  []diagnosisRow
	Lines []string // about the runs
}

type diagnosisRow struct{ Joint, Samples, Correlation, Skew, Kurtosis, Friction, Drift string }

func newDiagnosis(res *result.Result) diagnosisTable {
	var t diagnosisTable
	d := res.Diagnosis
	if d == nil {
		return t
	}
	for j, name := range res.Joints {
		if j >= len(d.Residuals) {
			break
		}
		r := d.Residuals[j]
		row := diagnosisRow{Joint: name, Samples: fmt.Sprint(r.Samples), Correlation: digits.Number(r.Largest, 2), Skew: digits.Number(r.Skew, 2), Kurtosis: digits.Number(r.Kurtosis, 3)}
		if j < len(d.Terms) {
			row.Friction, row.Drift = explained(d.Terms[j].Friction.Percent, d.Terms[j].Friction.Significant()), explained(d.Terms[j].Drift.Percent, d.Terms[j].Drift.Significant())
		}
		t.Rows = append(t.Rows, row)
	}
	if c := d.CrossValidation; c != nil {
		var parts []string
		for i, f := range c.Folds {
			name := fmt.Sprintf("stretch %d", i+1)
			if f.Run >= 0 && f.Run < len(res.Logs) {
				name = res.Logs[f.Run].Name
			}
			s := name + " " + leftOutWords(res, f.Percent)
			if f.Missing > 0 {
				s += fmt.Sprintf(" (%s undetermined without it)", count(f.Missing, "parameter"))
			}
			parts = append(parts, s)
		}
		t.Lines = append(t.Lines, fmt.Sprintf("each %s predicted from the others: %s of the torques (%s); the fit leaves %s", c.By, leftOutWords(res, c.Percent), strings.Join(parts, ", "), leftOutWords(res, c.Inside)))
	}
	if r := d.Runs; r != nil {
		s := fmt.Sprintf("the estimates of %s alone are %s times as far apart as their standard deviations say (%s)", count(r.Runs, "run"), digits.Number(r.Excess, 3), digits.Chance(r.P))
		for i, a := range r.Apart {
			if i == 3 || a.Parameter >= len(res.BaseParameters) || a.Run >= len(res.Logs) {
				break
			}
			if i == 0 {
				s += "; most in"
			} else {
				s += ","
			}
			s += fmt.Sprintf(" %s of %s (%s)", res.BaseParameters[a.Parameter].Name, res.Logs[a.Run].Name, digits.Number(a.Deviations, 2))
		}
		t.Lines = append(t.Lines, s)
	}
	if b := d.Bootstrap; b != nil && len(b.Sigma) == len(res.BaseParameters) && len(b.Sigma) > 0 {
		most, at := 0.0, 0
		for i, p := range res.BaseParameters {
			if p.Sigma > 0 && b.Sigma[i]/p.Sigma > most {
				most, at = b.Sigma[i]/p.Sigma, i
			}
		}
		t.Lines = append(t.Lines, fmt.Sprintf("%s drawn again %d times: standard deviations up to %s times those printed (%s); result.json holds them", count(b.Periods, "period"), b.Draws, digits.Number(most, 3), res.BaseParameters[at].Name))
	}
	return t
}

// explained prints a share of residual power, with a tilde where it may be chance.
func explained(share float64, significant bool) string {
	if !significant {
		return "~"
	}
	return digits.Percent(share)
}

func (t *textPage) diagnosis(res *result.Result) {
	d := newDiagnosis(res)
	if len(d.Rows) == 0 && len(d.Lines) == 0 {
		return
	}
	t.section("Residuals and runs")
	if len(d.Rows) > 0 {
		tab := newTable("joint", "samples", "correlation", "skew", "kurtosis", "friction %", "drift %")
		for _, r := range d.Rows {
			tab.row(r.Joint, r.Samples, r.Correlation, r.Skew, r.Kurtosis, r.Friction, r.Drift)
		}
		tab.write(t, 1)
		t.paragraph("  ", "  ", "correlation: the largest of residuals half a period of the cut-off apart and more; friction, drift: the residual power that other friction curves, or drift with time, would explain (~ may be chance)")
	}
	for _, l := range d.Lines {
		t.paragraph("  - ", "    ", l)
	}
}
