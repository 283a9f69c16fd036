// Package vectorunit tells which vector instructions the processor has and the
// operating system saves the registers of, for the packages that have kernels in
// assembly beside portable ones. The build tag purego leaves only the latter.
package vectorunit

// Level is a set of vector instructions; each level has those before it.
type Level int

// The levels.
const (
	Portable Level = iota // none that may be relied on
	AVX2                  // with fused multiply-add: 256-bit registers
	AVX512                // F, DQ and VL: 512-bit registers
)
