//go:build !purego

package lanes

import "ident/internal/vectorunit"

// atOnce is the number of entries that stay in registers.
const atOnce = 16

// combineVectors does the first entries, as many as the registers take in, and returns their number.
func combineVectors(dst, coef []float64, cols [][]float64, from int) int {
	blocks := len(dst) / atOnce
	if blocks == 0 || len(cols) == 0 || !vectorunit.AVX2() {
		return 0
	}
	combineAVX2(&dst[0], blocks, &coef[0], &cols[0], len(cols), 8*from)
	return blocks * atOnce
}

//go:noescape
func combineAVX2(dst *float64, blocks int, coef *float64, cols *[]float64, count, from int)
