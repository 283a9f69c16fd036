// Package orderstat finds values by their place in the order of others, without sorting all: medians of spectra,
// residuals and columns.
package orderstat

import (
	"math"
	"slices"
)

// Median returns the median of the values, the upper one if their number is even.
func Median(x []float64) float64 { return Selected(slices.Clone(x), len(x)/2) }

// Selected returns the value that sorting puts at place k; it orders x in part (Hoare's algorithm 65, 1961). Sorting
// ends the work where the pivots are poor, and does all of it where some values are NaN.
func Selected(x []float64, k int) float64 {
	lo, hi := 0, len(x)-1
	most := 8 * len(x)
	if slices.ContainsFunc(x, math.IsNaN) {
		most = 0
	}
	for hi-lo > 16 && most > 0 {
		a, b, c := x[lo], x[lo+(hi-lo)/2], x[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		most -= hi - lo
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	slices.Sort(x[lo : hi+1])
	return x[k]
}
