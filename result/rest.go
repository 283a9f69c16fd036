package result

import (
	"fmt"
	"strings"
)

// Rest says when a joint is at rest: in intervals of at least Seconds in which the measured position stays within Range,
// and half a period of the cut-off on either side. Fits and errors leave these rows out. There is one entry per joint;
// zero seconds if no row is left out.
type Rest struct {
	Range   []float64 `json:"range"`   // largest range of positions at rest, by joint, rad or m
	Seconds []float64 `json:"seconds"` // length of the interval in which the range is measured, by joint, s
}

// RestText describes the rows at rest that the errors leave out, "" if there are none.
func (e *Errors) RestText(joints []string) string {
	var parts []string
	for k, n := range e.RestRows {
		if n > 0 && k < len(joints) {
			parts = append(parts, fmt.Sprintf("%s %d", joints[k], n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("rows at rest left out, of %d a joint: %s", e.Samples, strings.Join(parts, ", "))
}
