//go:build !purego

package eigen

import "ident/internal/vectorunit"

// rotateVectors is rotate in vector registers, to the same bits; false where the processor has none.
func (s *Symmetric) rotateVectors(first, m int) bool {
	if !vectorunit.AVX2() {
		return false
	}
	for at := 0; at < s.stride; at += together {
		_ = s.rows[m*s.stride+at+together-1]
		rotateAVX2(&s.rows[m*s.stride+at], 8*s.stride, &s.cosine[m-1], &s.sine[m-1], m-first)
	}
	return true
}

//go:noescape
func rotateAVX2(row *float64, stride int, cosine, sine *float64, count int)
