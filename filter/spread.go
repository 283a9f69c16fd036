package filter

import (
	"math"
	"slices"

	"ident/internal/lanes"
)

// sortSpread returns a sorted copy of finite values that are spread over their range, like samples of a motion. It
// first distributes them over as many equal parts of the range as there are values, so that few must be compared.
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
	// Differences and products of ascending numbers ascend too, so a value never goes to an earlier part than a smaller
	// value.
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
