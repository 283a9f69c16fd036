//go:build !purego

package vectorunit

import "golang.org/x/sys/cpu"

// AVX2 reports whether the processor has 256-bit vectors with fused multiply-add, and the operating system saves their registers.
func AVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }
