package report

import (
	"math"

	"ident/result"
)

// restMask marks the samples of a run in which a joint is at rest by the result's rule, and half a period of the cut-off
// before and after; no fit and no error uses them. The run's positions are filtered, the rule's were not, so the ends of
// rest may differ by some samples. It returns nil if the joint is never at rest, the result kept rest, or the run is not
// whole.
func restMask(run *result.ResidualRun, j int, p result.Processing) []bool {
	rule := p.Rest
	if rule == nil || j >= len(rule.Range) || j >= len(rule.Seconds) || !(rule.Seconds[j] > 0) || j >= len(run.Position) || run.Long != nil || run.Stride > 1 {
		return nil
	}
	period := meanPeriod(run.T)
	if !(period > 0) {
		return nil
	}
	q := run.Position[j]
	window := max(3, int(math.Round(rule.Seconds[j]/period))+1)
	margin := 0
	if p.Cutoff > 0 {
		margin = int(math.Round(0.5 / p.Cutoff / period))
	}
	var mask []bool
	var low, high []int // positions of the smallest and the largest values of the window, monotone
	marked := 0         // samples before it are marked as far as they are at rest
	for k := range q {
		for len(low) > 0 && !(q[low[len(low)-1]] <= q[k]) {
			low = low[:len(low)-1]
		}
		for len(high) > 0 && !(q[high[len(high)-1]] >= q[k]) {
			high = high[:len(high)-1]
		}
		low, high = append(low, k), append(high, k)
		first := k - window + 1
		if low[0] < first {
			low = low[1:]
		}
		if high[0] < first {
			high = high[1:]
		}
		if first < 0 || !(q[high[0]]-q[low[0]] <= rule.Range[j]) {
			continue
		}
		if mask == nil {
			mask = make([]bool, len(q))
		}
		for i := max(marked, first-margin, 0); i < min(k+margin+1, len(q)); i++ {
			mask[i] = true
		}
		marked = min(k+margin+1, len(q))
	}
	return mask
}

// restStretches returns the times of a run in which a joint is at rest.
func restStretches(run *result.ResidualRun, j int, p result.Processing) (out [][2]float64) {
	mask := restMask(run, j, p)
	for k := 0; k < len(mask); k++ {
		if !mask[k] {
			continue
		}
		from := k
		for k+1 < len(mask) && mask[k+1] {
			k++
		}
		out = append(out, [2]float64{run.T[from], run.T[k]})
	}
	return out
}

// restOfJoints returns the stretches at rest of all joints, nil if no joint has any.
func restOfJoints(run *result.ResidualRun, res *result.Result) [][][2]float64 {
	all, found := make([][][2]float64, len(res.Joints)), false
	for j := range all {
		if all[j] = restStretches(run, j, res.Processing); all[j] == nil {
			all[j] = [][2]float64{} // no null in the page
		}
		found = found || len(all[j]) > 0
	}
	if !found {
		return nil
	}
	return all
}
