package result

import (
	"fmt"
	"strings"
)

// Rest tells rest of the joints, whose rows are left out of fits and errors: intervals of at least Seconds in which
// the measured position stays within Range, and half a period of the cut-off on either side. One entry a joint; a
// time of zero for a joint of which no row is left out.
type Rest struct {
	Range   []float64 `json:"range"`   // rad or m
	Seconds []float64 `json:"seconds"` // s
}

// RestText states the rows of joints at rest that are not in the errors, "" without any.
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
