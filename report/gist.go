package report

import (
	"fmt"
	"strings"

	"ident/result"
)

// gists are the sections of the page in one line each.
type gists struct{ Residuals, Parameters, Bodies, Choices, Data, Processing string }

func newGists(res *result.Result, compared *result.Comparison) gists {
	g := gists{Bodies: bodiesWords(res)}
	if j, ok := leastExplained(res); ok {
		e, seen := judged(res)
		g.Residuals = fmt.Sprintf("most is left at %s: %s on %s", clean(res.Joints[j]), errorWords(e, j, unit(res, j)), seen)
	} else {
		g.Residuals = "nothing is left"
	}
	g.Parameters = fmt.Sprintf("%s, %d weak", count(len(res.BaseParameters), "base parameter"), countWeak(res))
	if n := decidedElsewhere(res); n > 0 {
		g.Parameters += fmt.Sprintf(", %d decided by prior or constraints", n)
	}
	if p := res.Possibility; p != nil && len(p.Impossible) > 0 && res.Consistency != nil {
		g.Bodies += fmt.Sprintf("; without that %d would be impossible", len(p.Impossible))
	}
	if s := res.Bodies.AgainstFile(); s != "" {
		g.Bodies += "; " + s
	}
	var chosen []string
	for _, d := range res.Selection {
		chosen = append(chosen, d.Decision+": "+d.Chosen)
	}
	g.Choices = "none"
	if len(chosen) > 0 {
		g.Choices = strings.Join(chosen, " · ")
	} else if compared != nil {
		g.Choices = count(len(compared.Sides), "model") + " compared"
	}
	doubts := 0
	for _, f := range res.Findings {
		if f.Severity != "info" {
			doubts++
		}
	}
	g.Data = count(len(res.Logs), "log") + ", " + count(res.Samples.Read, "training row")
	switch {
	case doubts > 0:
		g.Data += ", " + count(doubts, "finding")
	case len(res.Findings) > 0:
		g.Data += ", nothing to mend"
	}
	g.Processing = strings.Join([]string{orDash(res.Model) + " model", orDash(res.Estimator), termNames(res.Terms), "tests, versions, hashes"}, " · ")
	return g
}

// decidedElsewhere counts the base parameters that prior or constraints decided more than the data.
func decidedElsewhere(res *result.Result) (n int) {
	for _, b := range res.BaseParameters {
		if b.PriorDecided || b.ConstraintDecided {
			n++
		}
	}
	return n
}
