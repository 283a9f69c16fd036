package symbolic

import (
	"math"
	"unsafe"
)

// arithmeticGo runs the tape up to the next codeEnd. Four lanes at a time save the
// loop's own instructions.
func (m *Machine) arithmeticGo(tape []step, s *Scratch, at int) {
	var acc [Lanes]float64
	get := func(offset uint32) *[Lanes]float64 { return (*[Lanes]float64)(s.slots[offset/8:]) }
	for _, t := range tape {
		switch t.code {
		case codeEnd:
			return
		case codeOut:
			to := unsafe.Slice((*float64)(unsafe.Add(unsafe.Pointer(s.out[t.a]), at*8)), Lanes)
			copy(to, acc[:])
			continue
		}
		a, b := get(t.a), get(t.b)
		switch t.code {
		case codeStore:
			*a = acc
		case codeLoad:
			acc = *a
		case codeMul:
			for i := 0; i < Lanes; i += 4 {
				acc[i] = a[i] * b[i]
				acc[i+1] = a[i+1] * b[i+1]
				acc[i+2] = a[i+2] * b[i+2]
				acc[i+3] = a[i+3] * b[i+3]
			}
		case codeDiv:
			for i := range acc {
				acc[i] = a[i] / b[i]
			}
		case codeAdd:
			for i := 0; i < Lanes; i += 4 {
				acc[i] += a[i]
				acc[i+1] += a[i+1]
				acc[i+2] += a[i+2]
				acc[i+3] += a[i+3]
			}
		case codeSub:
			for i := 0; i < Lanes; i += 4 {
				acc[i] -= a[i]
				acc[i+1] -= a[i+1]
				acc[i+2] -= a[i+2]
				acc[i+3] -= a[i+3]
			}
		case codeRSub:
			for i := range acc {
				acc[i] = a[i] - acc[i]
			}
		case codeScale:
			for i := 0; i < Lanes; i += 4 {
				acc[i] *= a[i]
				acc[i+1] *= a[i+1]
				acc[i+2] *= a[i+2]
				acc[i+3] *= a[i+3]
			}
		case codeFMA:
			for i := 0; i < Lanes; i += 4 {
				acc[i] = math.FMA(a[i], b[i], acc[i])
				acc[i+1] = math.FMA(a[i+1], b[i+1], acc[i+1])
				acc[i+2] = math.FMA(a[i+2], b[i+2], acc[i+2])
				acc[i+3] = math.FMA(a[i+3], b[i+3], acc[i+3])
			}
		case codeFNMA:
			for i := 0; i < Lanes; i += 4 {
				acc[i] = math.FMA(-a[i], b[i], acc[i])
				acc[i+1] = math.FMA(-a[i+1], b[i+1], acc[i+1])
				acc[i+2] = math.FMA(-a[i+2], b[i+2], acc[i+2])
				acc[i+3] = math.FMA(-a[i+3], b[i+3], acc[i+3])
			}
		case codeFMS:
			for i := range acc {
				acc[i] = math.FMA(a[i], b[i], -acc[i])
			}
		}
	}
}
