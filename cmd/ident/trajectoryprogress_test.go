package main_test

import (
	"math"
	"strings"
	"testing"

	"ident/cmd/ident/internal/trajectory"
	"ident/excite"
)

func TestProgressOfDesigns(t *testing.T) {
	got := trajectory.Progress(excite.Progress{Stage: "refine", Done: 2, Total: 3, Evaluations: 41, Best: 6.25, Margin: 0.05})
	if want := "refine 2/3  41 evaluations  criterion 6.25  margin 5 %  (Ctrl-C ends it)"; got != want {
		t.Errorf("%q", got)
	}
	if got := trajectory.Progress(excite.Progress{Stage: "draw", Total: 3, Best: math.Inf(1)}); strings.Contains(got, "Inf") {
		t.Errorf("%q", got)
	}
}
