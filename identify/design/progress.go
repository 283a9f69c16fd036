package design

import (
	"fmt"
	"math"

	"ident/excite"
)

// progressText shows how far a search is, with the worst margin of the best trajectory so far.
func progressText(at excite.Progress) string {
	text := fmt.Sprintf("%s %d/%d  %d evaluations", at.Stage, at.Done, at.Total, at.Evaluations)
	if !math.IsInf(at.Best, 0) {
		text += fmt.Sprintf("  criterion %.4g", at.Best)
	} else {
		text += "  none feasible yet"
	}
	return text + fmt.Sprintf("  margin %.3g %%  (Ctrl-C ends it)", 100*at.Margin)
}
