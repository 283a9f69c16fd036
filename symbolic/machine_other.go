//go:build !amd64 || purego

package symbolic

func (m *Machine) arithmetic(pc int, s *Scratch, at int) { m.arithmeticGo(m.tape[pc:], s, at) }

func (m *Machine) sincosNear(sin, cos, x *[Lanes]float64) (far bool) { return sincosGo(sin, cos, x) }
