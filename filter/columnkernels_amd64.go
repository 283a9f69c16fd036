//go:build !purego

package filter

import "ident/internal/vectorunit"

func (k kernelLevel) groupMomentsAsm(dst, x, y, w []float64) bool {
	samples := len(w) / momentsOfMode
	// The assembly trusts its operands: the last numbers that it reads and writes must be there.
	_, _, _ = x[samples*abreast-1], y[samples*abreast-1], dst[(momentsOfMode-1)*abreast*abreast+2*abreast-1]
	switch vectorunit.Level(k) {
	case vectorunit.AVX512:
		groupMomentsAVX512(&dst[0], &x[0], &y[0], &w[0], samples)
	case vectorunit.AVX2:
		for half := 0; half < abreast; half += abreast / 2 {
			groupMomentsAVX2(&dst[half], &x[half], &w[0], samples)
			groupMomentsAVX2(&dst[abreast+half], &y[half], &w[0], samples)
		}
	default:
		return false
	}
	return true
}

func (k kernelLevel) forwardAsm(rows, re, im []float64, coef *[3]float64, st *[2][abreast]float64) bool {
	if len(rows) == 0 {
		return true
	}
	_, _ = re[len(rows)-1], im[len(rows)-1]
	switch vectorunit.Level(k) {
	case vectorunit.AVX512:
		forwardAVX512(&rows[0], &re[0], &im[0], len(rows)/abreast, coef, st)
	case vectorunit.AVX2:
		forwardAVX2(&rows[0], &re[0], &im[0], len(rows)/abreast, coef, st)
	default:
		return false
	}
	return true
}

func (k kernelLevel) backwardAsm(rows, re, im []float64, coef *[2]float64, st *[2][abreast]float64) bool {
	if len(rows) == 0 {
		return true
	}
	last := len(rows) - abreast
	_, _ = re[len(rows)-1], im[len(rows)-1]
	switch vectorunit.Level(k) {
	case vectorunit.AVX512:
		backwardAVX512(&rows[last], &re[last], &im[last], len(rows)/abreast, coef, st)
	case vectorunit.AVX2:
		backwardAVX2(&rows[last], &re[last], &im[last], len(rows)/abreast, coef, st)
	default:
		return false
	}
	return true
}

// The kernels are described with their portable counterparts; all counts are positive.

//go:noescape
func groupMomentsAVX512(dst, x, y, w *float64, samples int)

//go:noescape
func groupMomentsAVX2(dst, x, w *float64, samples int)

//go:noescape
func forwardAVX512(rows, re, im *float64, blocks int, coef *[3]float64, st *[2][abreast]float64)

//go:noescape
func forwardAVX2(rows, re, im *float64, blocks int, coef *[3]float64, st *[2][abreast]float64)

//go:noescape
func backwardAVX512(rows, re, im *float64, blocks int, coef *[2]float64, st *[2][abreast]float64)

//go:noescape
func backwardAVX2(rows, re, im *float64, blocks int, coef *[2]float64, st *[2][abreast]float64)
