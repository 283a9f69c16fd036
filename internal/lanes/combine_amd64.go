//go:build !purego

package lanes

import "ident/internal/vectorunit"

// atOnce is the number of entries that stay in registers.
const atOnce = 16

// combineVectors does the first entries, as many as its registers take in whole, and returns their number.
func combineVectors(dst, coef []float64, cols [][]float64) int {
	blocks := len(dst) / atOnce
	if blocks == 0 || len(cols) == 0 || vectorunit.Best() == vectorunit.Portable {
		return 0
	}
	combineAVX2(&dst[0], blocks, &coef[0], &cols[0], len(cols))
	return blocks * atOnce
}

//go:noescape
func combineAVX2(dst *float64, blocks int, coef *float64, cols *[]float64, count int)
