//go:build !purego

package triangle

import "ident/internal/vectorunit"

// bestKernel returns the fastest kernel of this processor.
func bestKernel() kernel {
	if vectorunit.AVX2() {
		return avx2
	}
	return portable
}

// The assembly trusts its operands: each function first touches the last number that it will.

func (k kernel) dotsAsm(group []float64, l int, out *[width]float64) bool {
	if k != avx2 {
		return false
	}
	dotsAVX2(&group[0], len(group)/cell, l, out)
	return true
}

func (k kernel) stepAsm(group []float64, l int, coef, out *[width]float64) bool {
	if k != avx2 {
		return false
	}
	stepAVX2(&group[0], len(group)/cell, l, coef, out)
	return true
}

func (k kernel) applyAsm(v, c []float64, stride int, h *reflectors, top []float64) bool {
	if k != avx2 {
		return false
	}
	groups := len(top) / (width * width)
	_ = c[(groups-1)*stride+len(v)-1]
	applyAVX2(&v[0], &c[0], len(v)/cell, stride*8, groups, h, &top[0])
	return true
}

func (k kernel) productsAsm(v, c []float64, stride int, sums []float64) bool {
	if k != avx2 {
		return false
	}
	groups := len(sums) / (width * width)
	_ = c[(groups-1)*stride+len(v)-1]
	productsAVX2(&v[0], &c[0], len(v)/cell, stride*8, groups, &sums[0])
	return true
}

func (k kernel) combineAsm(v, c []float64, stride int, multiples []float64) bool {
	if k != avx2 {
		return false
	}
	groups := len(multiples) / (width * width)
	_ = c[(groups-1)*stride+len(v)-1]
	combineAVX2(&v[0], &c[0], len(v)/cell, stride*8, groups, &multiples[0])
	return true
}

func (k kernel) stripsAsm(to []float64, toStep int, from []float64, fromStep, strips int) bool {
	if k != avx2 {
		return false
	}
	_, _ = to[(strips-1)*toStep+lanes-1], from[(strips-1)*fromStep+lanes-1]
	stripsAVX2(&to[0], 8*toStep, &from[0], 8*fromStep, strips)
	return true
}

//go:noescape
func stripsAVX2(to *float64, toStep int, from *float64, fromStep int, strips int)

//go:noescape
func productsAVX2(v, c *float64, strips, stride, groups int, sums *float64)

//go:noescape
func combineAVX2(v, c *float64, strips, stride, groups int, multiples *float64)

//go:noescape
func dotsAVX2(group *float64, strips, l int, out *[width]float64)

//go:noescape
func stepAVX2(group *float64, strips, l int, coef, out *[width]float64)

//go:noescape
func applyAVX2(v, c *float64, strips, stride, groups int, h *reflectors, top *float64)
