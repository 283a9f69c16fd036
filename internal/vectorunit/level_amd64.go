//go:build !purego

package vectorunit

import "sync"

// Best returns the highest level of this processor.
func Best() Level { return best() }

// best asks the processor once: in a virtual machine the question takes as long as a small reduction.
var best = sync.OnceValue(find)

func find() Level {
	const (
		fma, osxsave, avx       = 1 << 12, 1 << 27, 1 << 28         // leaf 1, ecx
		has2, hasF, hasD, hasVL = 1 << 5, 1 << 16, 1 << 17, 1 << 31 // leaf 7, ebx
		ymm, zmm                = 0x06, 0xe6                        // xcr0
		all512                  = hasF | hasD | hasVL
	)
	top, _, _ := cpuid(0, 0)
	_, _, c := cpuid(1, 0)
	if want := uint32(fma | osxsave | avx); top < 7 || c&want != want {
		return Portable
	}
	saved := xgetbv()
	_, b, _ := cpuid(7, 0)
	switch {
	case b&has2 == 0 || saved&ymm != ymm:
		return Portable
	case b&all512 != all512 || saved&zmm != zmm:
		return AVX2
	}
	return AVX512
}

// cpuid returns registers of the processor's description of itself.
func cpuid(leaf, sub uint32) (eax, ebx, ecx uint32)

// xgetbv returns the low half of XCR0: the registers that are saved.
func xgetbv() uint32
