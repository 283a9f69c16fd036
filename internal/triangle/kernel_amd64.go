//go:build !purego

package triangle

// bestKernel returns the fastest kernel that the processor has the
// instructions and the operating system saves the registers for.
func bestKernel() kernel {
	const (
		fma, osxsave, avx = 1 << 12, 1 << 27, 1 << 28 // leaf 1, ecx
		has2, hasF, hasVL = 1 << 5, 1 << 16, 1 << 31  // leaf 7, ebx
		ymm, zmm          = 0x06, 0xe6                // xcr0
	)
	top, _, _ := cpuid(0, 0)
	_, _, c := cpuid(1, 0)
	if want := uint32(fma | osxsave | avx); top < 7 || c&want != want {
		return portable
	}
	saved := xgetbv()
	_, b, _ := cpuid(7, 0)
	switch {
	case b&has2 == 0 || saved&ymm != ymm:
		return portable
	case b&(hasF|hasVL) != hasF|hasVL || saved&zmm != zmm:
		return avx2
	}
	return avx512
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

// cpuid returns registers of the processor's description of itself.
func cpuid(leaf, sub uint32) (eax, ebx, ecx uint32)

// xgetbv returns the low half of XCR0: the registers that are saved.
func xgetbv() uint32
