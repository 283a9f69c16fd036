package design

import (
	"fmt"
	"math"

	"ident/excite"
)

// figures returns the numbers of a search so far, with the worst margin of its best trajectory.
func figures(at excite.Progress) string {
	best := "none feasible yet"
	if !math.IsInf(at.Best, 0) {
		best = fmt.Sprintf("criterion %.4g", at.Best)
	}
	return fmt.Sprintf("%d evaluations  %s  margin %.3g %%", at.Evaluations, best, 100*at.Margin)
}
