package report

import "ident/result"

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
				tab.row(c.Choice, percent(c.Percent), mark)
			}
			tab.write(t, 1)
		}
		t.paragraph("    ", "    ", d.Decision+" "+d.Chosen+": "+d.Why)
	}
}
