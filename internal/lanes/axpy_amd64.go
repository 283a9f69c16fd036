//go:build !purego

package lanes

import "ident/internal/vectorunit"

// axpyVectors does the first entries, whole vectors of four, and returns their number. Below two of them a call costs more than it saves.
func axpyVectors(dst []float64, a float64, x []float64) int {
	vectors := len(dst) / 4
	if vectors < 2 || !vectorunit.AVX2() {
		return 0
	}
	axpyAVX2(&dst[0], a, &x[0], vectors)
	return 4 * vectors
}

//go:noescape
func axpyAVX2(dst *float64, a float64, x *float64, vectors int)
