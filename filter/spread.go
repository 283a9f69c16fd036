package filter

import (
	"math"
	"slices"

	"ident/internal/lanes"
)

// sortSpread returns a sorted copy of finite values that spread over their range, like samples of a motion: it puts each
// into one of as many equal parts of the range as there are values, which leaves few to compare.
func sortSpread(values []float64) []float64 {
	n := len(values)
	if n == 0 {
		return nil
	}
	low, high := lanes.Range(values)
	scale := float64(n-1) / (high - low)
	if math.IsInf(scale, 0) || math.IsNaN(scale) || scale == 0 { // of one value, or a range that is too large
		out := slices.Clone(values)
		slices.Sort(out)
		return out
	}
	// Differences and products of numbers that ascend do so too, so that no value goes to a part before that of a smaller one.
	part := func(v float64) int { return min(int((v-low)*scale), n-1) }
	end := make([]int32, n+1) // of each part, once all before it are counted
	for _, v := range values {
		end[part(v)+1]++
	}
	for i := range n {
		end[i+1] += end[i]
	}
	out := make([]float64, n)
	for _, v := range values {
		p := part(v)
		out[end[p]] = v
		end[p]++
	}
	for first, p := 0, 0; p < n; p++ {
		if last := int(end[p]); last-first > 1 {
			slices.Sort(out[first:last])
		}
		first = int(end[p])
	}
	return out
}
