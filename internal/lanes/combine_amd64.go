//go:build !purego

package lanes

import "ident/internal/vectorunit"

// atOnce is the number of entries that stay in registers of AVX2.
const atOnce = 16

// combineVectors does the first entries, as many as the registers take in, and returns their number.
func combineVectors(dst, coef []float64, cols [][]float64, from int) int {
	if len(dst) == 0 || len(cols) == 0 {
		return 0
	}
	switch vectorunit.Best() {
	case vectorunit.AVX512:
		combineAVX512(&dst[0], len(dst), &coef[0], &cols[0], len(cols), 8*from)
		return len(dst)
	case vectorunit.AVX2:
		if blocks := len(dst) / atOnce; blocks > 0 {
			combineAVX2(&dst[0], blocks, &coef[0], &cols[0], len(cols), 8*from)
			return blocks * atOnce
		}
	}
	return 0
}

//go:noescape
func combineAVX2(dst *float64, blocks int, coef *float64, cols *[]float64, count, from int)

//go:noescape
func combineAVX512(dst *float64, n int, coef *float64, cols *[]float64, count, from int)
