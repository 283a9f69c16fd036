package report

import "ident/result"

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
