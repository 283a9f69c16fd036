//go:build !purego

package filter

import "ident/internal/vectorunit"

// innerDifferences writes the differences of Differentiate4 from the third sample on, whole vectors of four, to the
// same bits, and returns their number.
func innerDifferences(dst, x []float64, h float64) int {
	vectors := (len(x) - 4) / 4
	if vectors <= 0 || vectorunit.Best() == vectorunit.Portable {
		return 0
	}
	// The assembly trusts its operands: the last samples that it reads and writes must be there.
	_, _ = x[4*vectors+3], dst[4*vectors+1]
	differencesAVX2(&dst[2], &x[0], vectors, h)
	return 4 * vectors
}

//go:noescape
func differencesAVX2(dst, x *float64, vectors int, h float64)
