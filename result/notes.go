package result

import (
	"fmt"
	"math"
	"slices"

	"ident/estimate"
)

// DescribeNotes adds the estimator's notes to the tables that Describe has filled.
func (res *Result) DescribeNotes(s *estimate.Solution) {
	for i := range res.BaseParameters {
		b := &res.BaseParameters[i]
		if s.PriorShare != nil {
			b.PriorShare, b.PriorDecided = s.PriorShare[i], s.PriorShare[i] > priorDecides
		}
		if s.Bias != nil {
			b.Bias = s.Bias[i]
		}
		if s.Removed != nil {
			b.Removed = s.Removed[i]
		}
	}
	res.Iterations = s.Iterations
	res.Warnings = append(res.Warnings, s.Warnings...)
	res.Notes = append(res.Notes, s.Remarks...)
	if s.Recurrence != nil {
		res.Notes = append(res.Notes, fmt.Sprintf("residuals repeat when the motion repeats: they are errors of the model, and standard deviations are up to %.2g times those from noise alone", math.Sqrt(slices.Max(s.Recurrence))))
	}
}

// priorDecides is the prior's share of the information above which a parameter is marked as determined by it.
const priorDecides = 0.5
