package design

import (
	"math"
	"strings"
	"testing"

	"ident/excite"
)

func TestProgressOfDesigns(t *testing.T) {
	got := figures(excite.Progress{Stage: "refine", Done: 2, Total: 3, Evaluations: 41, Best: 6.25, Margin: 0.05})
	if want := "41 evaluations  criterion 6.25  margin 5 %"; got != want {
		t.Errorf("%q", got)
	}
	if got := figures(excite.Progress{Stage: "draw", Total: 3, Best: math.Inf(1)}); strings.Contains(got, "Inf") {
		t.Errorf("%q", got)
	}
}
