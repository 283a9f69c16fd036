//go:build !purego

package fingerprint

import "ident/internal/vectorunit"

// vectors is the number of whole vectors of n rows that the processor takes.
func vectors(n int) int {
	if vectorunit.Best() != vectorunit.AVX512 {
		return 0
	}
	return n / group
}

// mixVectors mixes the first values of a channel into the hashes of their rows and returns their number.
func mixVectors(own []uint64, x []float64) int {
	n := vectors(len(x))
	if n == 0 {
		return 0
	}
	_ = own[group*n-1] // the assembly trusts its operands
	mixAVX512(&own[0], &x[0], n)
	return group * n
}

// changeVectors is markChanges of the first rows, and returns their number.
func changeVectors(moved []uint8, x []float64, last float64) int {
	n := vectors(len(x))
	if n == 0 {
		return 0
	}
	_ = moved[n-1]
	changesAVX512(&moved[0], &x[0], n, last)
	return group * n
}

// sumVectors sets a byte of bits for each group of so many neighbouring hashes: those whose sum is not above the bound.
func sumVectors(hits []uint8, hashes []uint64, rows int, bound uint64) bool {
	if vectors(group) == 0 || len(hits) == 0 {
		return false
	}
	_ = hashes[group*len(hits)+rows-2]
	sumsAVX512(&hits[0], &hashes[0], rows, len(hits), bound)
	return true
}

// All counts are positive.

//go:noescape
func mixAVX512(own *uint64, x *float64, vectors int)

//go:noescape
func changesAVX512(moved *uint8, x *float64, vectors int, last float64)

//go:noescape
func sumsAVX512(hits *uint8, hashes *uint64, rows, vectors int, bound uint64)
