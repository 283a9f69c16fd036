package observation

import "sort"

// increasing marks the entries of t in the longest strictly increasing sequence (Fredman 1975): the rows to keep if time
// runs backward or stands still, because this drops the fewest. A single wrong time far ahead then costs one row, not
// the rest of the log. Of equal times the first is kept.
func increasing(t []float64) []bool {
	ends := make([]int32, 0, len(t)) // ends[k]: where the best sequence of k+1 entries ends
	before := make([]int32, len(t))  // the entry before, in the best sequence that ends here
	for i, v := range t {
		k := sort.Search(len(ends), func(k int) bool { return t[ends[k]] >= v })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		switch {
		case k == len(ends):
			ends = append(ends, int32(i))
		case t[ends[k]] > v:
			ends[k] = int32(i)
		}
	}
	keep := make([]bool, len(t))
	if len(ends) == 0 {
		return keep
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		keep[i] = true
	}
	return keep
}

// ordered drops the entries of t, and of states if any, that are out of order, and adds their rows to the ascending list
// of bad rows.
func ordered(t []float64, states []loadState, bad []int) ([]float64, []loadState, []int) {
	keep := increasing(t)
	kept, of, all := t[:0], states[:0], make([]int, 0, len(bad)+1)
	row, next := 0, 0
	for i, v := range t {
		for next < len(bad) && bad[next] == row {
			all = append(all, row)
			next++
			row++
		}
		if keep[i] {
			kept = append(kept, v)
			if states != nil {
				of = append(of, states[i])
			}
		} else {
			all = append(all, row)
		}
		row++
	}
	return kept, of, append(all, bad[next:]...)
}
