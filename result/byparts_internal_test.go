package result

import (
	"slices"
	"testing"
)

// Multipliers of 1e-12 are rounding of the solver, and differ from build to build: they are not listed.
func TestProofsListNoRounding(t *testing.T) {
	if got, want := byPart([]float64{3e-12, 0.2, 1e-3, 0, 0.9, 2e-16}), []int{4, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := byPart([]float64{0, 0}); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}
