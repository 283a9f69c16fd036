package report

import (
	"slices"
	"testing"

	"ident/result"
)

// Heavy tails are no remark on a sound result, which they do not harm; other advice is one, and so are they where the result is in doubt.
func TestRemarks(t *testing.T) {
	res := &result.Result{Verdicts: []result.Verdict{{ID: "residual-normality", Advice: true, Why: "tails"}, {ID: "residual-whiteness", Advice: true, Why: "correlated"}, {ID: "drift", Advice: true, Pass: true, Why: "none"}}}
	for grade, want := range map[result.Level][]string{result.Sound: {"correlated"}, result.Doubtful: {"tails", "correlated"}} {
		res.Grade.Value = grade
		if got := remarks(res); !slices.Equal(got, want) {
			t.Errorf("%s: remarks %q, want %q", grade, got, want)
		}
	}
}
