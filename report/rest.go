package report

import (
	"ident/internal/digits"
	"ident/result"
)

// restLines state the rows of joints at rest that are in no estimate and in no error: of the training motion, and of
// the logs that validate.
func restLines(res *result.Result) []string {
	var out []string
	if s := res.Fit.RestText(res.Joints); s != "" {
		out = append(out, "training motion: "+s)
	}
	if v := res.Validation; v != nil {
		if s := v.RestText(res.Joints); s != "" {
			out = append(out, "motion not seen: "+s)
		}
	}
	return out
}

// restWords is the largest share of a joint's rows that are left out at rest, "" without any.
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
