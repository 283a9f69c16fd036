//go:build !purego

package triangle

import "ident/internal/vectorunit"

// bestKernel returns the fastest kernel of this processor.
func bestKernel() kernel {
	switch vectorunit.Best() {
	case vectorunit.AVX512:
		return avx512
	case vectorunit.AVX2:
		return avx2
	}
	return portable
}

func (k kernel) dotsAsm(group []float64, l int, out *[width]float64) bool {
	switch k {
	case avx512:
		dotsAVX512(&group[0], len(group)/cell, l, out)
	case avx2:
		dotsAVX2(&group[0], len(group)/cell, l, out)
	default:
		return false
	}
	return true
}

func (k kernel) stepAsm(group []float64, l int, coef, out *[width]float64) bool {
	switch k {
	case avx512:
		stepAVX512(&group[0], len(group)/cell, l, coef, out)
	case avx2:
		stepAVX2(&group[0], len(group)/cell, l, coef, out)
	default:
		return false
	}
	return true
}

func (k kernel) applyAsm(v, c []float64, stride int, h *reflectors, top []float64) bool {
	groups := len(top) / (width * width)
	// The assembly trusts its operands: the last strip it will touch must be there.
	_ = c[(groups-1)*stride+len(v)-1]
	switch k {
	case avx512:
		applyAVX512(&v[0], &c[0], len(v)/cell, stride*8, groups, h, &top[0])
	case avx2:
		applyAVX2(&v[0], &c[0], len(v)/cell, stride*8, groups, h, &top[0])
	default:
		return false
	}
	return true
}

func (k kernel) productsAsm(v, c []float64, stride int, sums []float64) bool {
	groups := len(sums) / (width * width)
	_ = c[(groups-1)*stride+len(v)-1]
	switch k {
	case avx512:
		productsAVX512(&v[0], &c[0], len(v)/cell, stride*8, groups, &sums[0])
	case avx2:
		productsAVX2(&v[0], &c[0], len(v)/cell, stride*8, groups, &sums[0])
	default:
		return false
	}
	return true
}

func (k kernel) combineAsm(v, c []float64, stride int, multiples []float64) bool {
	groups := len(multiples) / (width * width)
	_ = c[(groups-1)*stride+len(v)-1]
	switch k {
	case avx512:
		combineAVX512(&v[0], &c[0], len(v)/cell, stride*8, groups, &multiples[0])
	case avx2:
		combineAVX2(&v[0], &c[0], len(v)/cell, stride*8, groups, &multiples[0])
	default:
		return false
	}
	return true
}

func (k kernel) stripsAsm(to []float64, toStep int, from []float64, fromStep, strips int) bool {
	_, _ = to[(strips-1)*toStep+lanes-1], from[(strips-1)*fromStep+lanes-1]
	switch k {
	case avx512:
		stripsAVX512(&to[0], 8*toStep, &from[0], 8*fromStep, strips)
	case avx2:
		stripsAVX2(&to[0], 8*toStep, &from[0], 8*fromStep, strips)
	default:
		return false
	}
	return true
}

//go:noescape
func stripsAVX512(to *float64, toStep int, from *float64, fromStep int, strips int)

//go:noescape
func stripsAVX2(to *float64, toStep int, from *float64, fromStep int, strips int)

//go:noescape
func productsAVX512(v, c *float64, strips, stride, groups int, sums *float64)

//go:noescape
func combineAVX512(v, c *float64, strips, stride, groups int, multiples *float64)

//go:noescape
func productsAVX2(v, c *float64, strips, stride, groups int, sums *float64)

//go:noescape
func combineAVX2(v, c *float64, strips, stride, groups int, multiples *float64)

//go:noescape
func dotsAVX512(group *float64, strips, l int, out *[width]float64)

//go:noescape
func stepAVX512(group *float64, strips, l int, coef, out *[width]float64)

//go:noescape
func applyAVX512(v, c *float64, strips, stride, groups int, h *reflectors, top *float64)

//go:noescape
func dotsAVX2(group *float64, strips, l int, out *[width]float64)

//go:noescape
func stepAVX2(group *float64, strips, l int, coef, out *[width]float64)

//go:noescape
func applyAVX2(v, c *float64, strips, stride, groups int, h *reflectors, top *float64)
