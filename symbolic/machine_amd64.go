//go:build !purego

package symbolic

import "ident/internal/vectorunit"

// arithmetic runs the tape from pc to the next codeEnd, with outputs written
// from sample at.
func (m *Machine) arithmetic(pc int, s *Scratch, at int) {
	if m.tape[pc].code == codeEnd {
		return
	}
	switch m.level {
	case vectorunit.AVX512:
		runAVX512(&m.tape[pc], &s.slots[0], &s.out[0], at*8)
	case vectorunit.AVX2:
		// Registers hold half a block.
		runAVX2(&m.tape[pc], &s.slots[0], &s.out[0], at*8)
		runAVX2(&m.tape[pc], &s.slots[Lanes/2], &s.out[0], (at+Lanes/2)*8)
	default:
		m.arithmeticGo(m.tape[pc:], s, at)
	}
}

func (m *Machine) sincosNear(sin, cos, x *[Lanes]float64) (far bool) {
	switch m.level {
	case vectorunit.AVX512:
		return sincosAVX512(sin, cos, x, &sincosTable) != 0
	case vectorunit.AVX2:
		return sincosAVX2(sin, cos, x, &sincosTable) != 0
	}
	return sincosGo(sin, cos, x)
}

// The assembly trusts the tape: Compile has checked every offset by making it.

//go:noescape
func runAVX512(tape *step, slots *float64, out **float64, offset int)

//go:noescape
func runAVX2(tape *step, slots *float64, out **float64, offset int)

//go:noescape
func sincosAVX512(sin, cos, x *[Lanes]float64, table *[20]float64) (far uint64)

//go:noescape
func sincosAVX2(sin, cos, x *[Lanes]float64, table *[20]float64) (far uint64)
