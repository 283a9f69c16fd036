package report

import (
	"ident/internal/digits"
	"ident/result"
)

// restLines describes the rows at rest that estimates and errors leave out: of the training motion, and of the
// validation logs.
func restLines(res *result.Result) []string {
	var out []string
	if s := res.Fit.RestText(res.Joints); s != "" {
		out = append(out, "training motion: "+s)
	}
	if v := res.Validation; v != nil {
		if s := v.RestText(res.Joints); s != "" {
			out = append(out, v.Motion()+": "+s)
		}
	}
	return out
}

// restWords returns the largest share of a joint's rows left out at rest, "" for none.
func restWords(res *result.Result) string {
	most := 0.0
	count := func(e *result.Errors) {
		for _, n := range e.RestRows {
			if e.Samples > 0 {
				most = max(most, 100*float64(n)/float64(e.Samples))
			}
		}
	}
	count(&res.Fit)
	if res.Validation != nil {
		count(&res.Validation.Errors)
	}
	if most == 0 {
		return ""
	}
	return "rows at rest are left out, up to " + digits.Number(most, 2) + " % of a joint's rows"
}
