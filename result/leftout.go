package result

import (
	"fmt"
	"slices"

	"ident/estimate"
)

// WidenForParts increases the standard deviation of each parameter to the largest shift that leaving out a short part of
// the rows makes: an interval must contain the estimate without half a per cent of the rows.
func WidenForParts(sol *estimate.Solution, left *estimate.LeftOut) {
	if left == nil || left.Shift <= 1 {
		return
	}
	sol.Covariance = slices.Clone(sol.Covariance)
	for i := range sol.Covariance {
		sol.Covariance[i] = slices.Clone(sol.Covariance[i])
		for j := range sol.Covariance[i] {
			sol.Covariance[i][j] *= max(left.Shifts[i], 1) * max(left.Shifts[j], 1)
		}
	}
}

// DescribeLeftOut adds a note if parameters depend on a short part of the rows.
func (res *Result) DescribeLeftOut(left *estimate.LeftOut) {
	res.LeftOut = left
	if left == nil {
		return
	}
	if left.Open {
		res.Notes = append(res.Notes, fmt.Sprintf("without %.2g %% of the rows, the others do not determine all parameters", left.Percent))
	}
	if left.Shift > 1 {
		res.Notes = append(res.Notes, fmt.Sprintf("%s depends on a short part of the log %s: without %.2g %% of the rows it moves by %.2g standard deviations, by which its interval is widened",
			res.BaseParameters[left.Parameter].Name, res.Logs[left.Run].Name, left.Percent, left.Shift))
	}
}
