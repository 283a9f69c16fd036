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
				tab.row(c.Choice, candidateFigure(c.Percent), mark)
			}
			tab.write(t, 1)
		}
		t.paragraph("    ", "    ", d.Decision+" "+d.Chosen+": "+d.Why)
	}
}

// choice is a decision on the page.
type choice struct {
	Decision, Chosen, Why string
	Figure                string // name of the figure by which the candidates are compared
	Candidates            []candidate
}

type candidate struct {
	Name, Percent string
	Chosen        bool
}

// choices lists the decisions with their candidates.
func choices(res *result.Result) (out []choice) {
	for _, d := range res.Selection {
		c := choice{Decision: d.Decision, Chosen: d.Chosen, Why: d.Why}
		for _, k := range d.Candidates {
			c.Figure = k.Figure
			c.Candidates = append(c.Candidates, candidate{k.Choice, candidateFigure(k.Percent), k.Choice == d.Chosen})
		}
		out = append(out, c)
	}
	return out
}

// candidateFigure prints the figure of a candidate, which may be a thousandth of another's.
func candidateFigure(percent float64) string {
	if percent > 0 && percent < 0.01 {
		if percent < 1e-4 {
			return "<0.0001"
		}
		return digits.Number(percent, 2)
	}
	return digits.Percent(percent)
}
