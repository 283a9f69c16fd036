//go:build !purego

package symbolic

// arithmetic runs the tape from pc to the next codeEnd, with outputs written
// from sample at.
func (m *Machine) arithmetic(pc int, s *Scratch, at int) {
	switch {
	case m.tape[pc].code == codeEnd:
	case m.vectors:
		runAVX2(&m.tape[pc], &s.slots[0], &s.out[0], at*8)
	default:
		m.arithmeticGo(m.tape[pc:], s, at)
	}
}

func (m *Machine) sincosNear(sin, cos, x *[Lanes]float64) (far bool) {
	if m.vectors {
		return sincosAVX2(sin, cos, x, &sincosTable) != 0
	}
	return sincosGo(sin, cos, x)
}

// The assembly trusts the tape: Compile has checked every offset by making it.

//go:noescape
func runAVX2(tape *step, slots *float64, out **float64, offset int)

//go:noescape
func sincosAVX2(sin, cos, x *[Lanes]float64, table *[20]float64) (far uint64)
