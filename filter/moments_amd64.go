//go:build !purego

package filter

import "ident/internal/vectorunit"

func (k kernelLevel) momentsAsm(dst, x, w []float64) bool {
	blocks := len(dst) / momentsOfMode
	every := len(w) / momentsOfMode
	// The assembly trusts its operands: the last sample that it reads must be there.
	_ = x[blocks*every-1]
	switch vectorunit.Level(k) {
	case vectorunit.AVX512:
		momentsAVX512(&dst[0], &x[0], &w[0], every/blockLanes, blocks)
	case vectorunit.AVX2:
		momentsAVX2(&dst[0], &x[0], &w[0], every/blockLanes, blocks)
	default:
		return false
	}
	return true
}

// Each block has so many vectors of eight samples; all counts are positive.

//go:noescape
func momentsAVX512(dst, x, w *float64, vectors, blocks int)

//go:noescape
func momentsAVX2(dst, x, w *float64, vectors, blocks int)
