package result

import (
	"testing"

	"ident/estimate"
)

// Automatic decisions that had nothing to compare are stated once; pinned ones are not.
func TestCompleteSelection(t *testing.T) {
	res := &Result{Estimator: "wls", Diagnosis: &estimate.Diagnosis{CrossValidation: &estimate.CrossValidation{Percent: 3}}}
	res.Selection = []Decision{{Decision: "terms", Chosen: "links"}}
	names := func(all []Decision) (out string) {
		for _, d := range all {
			out += d.Decision + " " + d.Chosen + "; "
		}
		return out
	}
	for _, c := range []struct {
		coupling, estimator bool
		want                string
	}{
		{true, true, "coupling none; terms links; estimator wls; "},
		{false, true, "terms links; estimator wls; "},
		{false, false, "terms links; "},
	} {
		if got := names(res.CompleteSelection(c.coupling, c.estimator, false)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	all := res.CompleteSelection(true, true, true)
	if last := all[len(all)-1]; len(last.Candidates) != 1 || last.Candidates[0].Percent != 3 {
		t.Errorf("candidates of the estimator: %v", last.Candidates)
	}
	res.Selection = all
	if again := res.CompleteSelection(true, true, true); len(again) != len(all) {
		t.Errorf("stated twice: %q", names(again))
	}
}
