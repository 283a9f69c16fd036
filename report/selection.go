package report

import (
	"ident/internal/digits"
	"ident/result"
)

// selection lists the choices that were made on the training data.
func (t *textPage) selection(res *result.Result) {
	if len(res.Selection) == 0 {
		return
	}
	t.section("Choices on the training data alone")
	for _, d := range res.Selection {
		if len(d.Candidates) > 0 {
			tab := newTable(d.Decision, d.Candidates[0].Figure+" %", "")
			tab.lastLeft = 1
			for _, c := range d.Candidates {
				mark := ""
				if c.Choice == d.Chosen {
					mark = "chosen"
				}
				tab.row(c.Choice, digits.Percent(c.Percent), mark)
			}
			tab.write(t, 1)
		}
		t.paragraph("    ", "    ", d.Decision+" "+d.Chosen+": "+d.Why)
	}
}

// choiceRow is a candidate on the page.
type choiceRow struct{ Decision, Choice, Figure, Percent, Chosen string }

// choiceRows lists the candidates of all decisions, and the reasons.
func choiceRows(res *result.Result) (rows []choiceRow, reasons []string) {
	for _, d := range res.Selection {
		for i, c := range d.Candidates {
			row := choiceRow{Choice: c.Choice, Figure: c.Figure, Percent: digits.Percent(c.Percent)}
			if i == 0 {
				row.Decision = d.Decision
			}
			if c.Choice == d.Chosen {
				row.Chosen = "chosen"
			}
			rows = append(rows, row)
		}
		reasons = append(reasons, d.Decision+" "+d.Chosen+": "+d.Why)
	}
	return rows, reasons
}
