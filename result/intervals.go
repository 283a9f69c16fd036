package result

import (
	"fmt"

	"ident/physical"
)

// DescribeIntervals replaces the intervals of a result by those under constraints, and marks the parameters that
// constraints determine.
func (res *Result) DescribeIntervals(c *physical.Intervals) {
	for i := range res.BaseParameters {
		b := &res.BaseParameters[i]
		b.Low95, b.High95 = c.Low95[i], c.High95[i]
		b.Held, b.ConstraintDecided = c.Held[i], c.Held[i] > priorDecides
	}
	res.Notes = append(res.Notes, fmt.Sprintf("intervals are percentiles of %d estimates drawn from the free one's distribution and constrained as it was", c.Draws))
}
