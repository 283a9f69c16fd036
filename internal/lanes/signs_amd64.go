//go:build !purego

package lanes

import "ident/internal/vectorunit"

// signVectors does the first entries, whole vectors of four, and returns their number.
func signVectors(dst, x []float64) int {
	vectors := len(dst) / 4
	if vectors == 0 || !vectorunit.AVX2() {
		return 0
	}
	signsAVX2(&dst[0], &x[0], vectors)
	return 4 * vectors
}

//go:noescape
func signsAVX2(dst, x *float64, vectors int)
