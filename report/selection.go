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
			in := candidateUnit(res, d.Candidates)
			tab := newTable(d.Decision, d.Candidates[0].Figure+" "+in, "")
			tab.lastLeft = 1
			for _, c := range d.Candidates {
				mark := ""
				if c.Choice == d.Chosen {
					mark = "chosen"
				}
				tab.row(c.Choice, candidateFigure(res, in, c.Percent), mark)
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
	Name, Percent string // with its unit
	Chosen        bool
}

// choices lists the decisions with their candidates.
func choices(res *result.Result) (out []choice) {
	for _, d := range res.Selection {
		in := candidateUnit(res, d.Candidates)
		c := choice{Decision: d.Decision, Chosen: d.Chosen, Why: d.Why}
		for _, k := range d.Candidates {
			c.Figure = k.Figure
			c.Candidates = append(c.Candidates, candidate{k.Choice, candidateFigure(res, in, k.Percent) + " " + in, k.Choice == d.Chosen})
		}
		out = append(out, c)
	}
	return out
}

// candidateUnit returns the unit of the figures of candidates: errors on rows left out are in per cent if the training torques are above
// three times their noise.
func candidateUnit(res *result.Result, candidates []result.Candidate) string {
	if len(candidates) > 0 && candidates[0].Figure == result.CrossValidated {
		_, in := res.Fit.OfTorque(0, unit(res, 0))
		return in
	}
	return "%"
}

// candidateFigure prints the figure of a candidate, which may be a thousandth of another's.
func candidateFigure(res *result.Result, in string, percent float64) string {
	if in != "%" {
		v, _ := res.Fit.OfTorque(percent, in)
		return digits.Number(v, 3)
	}
	if percent > 0 && percent < 0.01 {
		if percent < 1e-4 {
			return "<0.0001"
		}
		return digits.Number(percent, 2)
	}
	return digits.Percent(percent)
}
