package symbolic_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"ident/internal/machinecode"
	"ident/internal/vectorunit"
)

// widths are the vector lengths of this processor, in bytes; none where code cannot run.
func widths(t *testing.T) []int {
	if machinecode.New([]byte{0xc3}) == nil {
		t.Skip("no executable memory here")
	}
	switch vectorunit.Best() {
	case vectorunit.AVX512:
		return []int{32, 64}
	case vectorunit.AVX2:
		return []int{32}
	}
	t.Skip("no vector instructions")
	return nil
}

// aligned returns n numbers from the start of a line of the cache on.
func aligned(n int) []float64 {
	s := make([]float64, n+8)
	return s[-uintptr(unsafe.Pointer(&s[0]))%64/8:][:n]
}

// The processor is the oracle of the encoder: every instruction does, on random registers and addresses near and far, the
// operation that is written beside it.
func TestInstructions(t *testing.T) {
	plain := map[machinecode.Op]func(d, a, b float64) float64{
		machinecode.Add: func(d, a, b float64) float64 { return a + b }, machinecode.Sub: func(d, a, b float64) float64 { return a - b },
		machinecode.Mul: func(d, a, b float64) float64 { return a * b }, machinecode.Div: func(d, a, b float64) float64 { return a / b },
		machinecode.FMAdd132: func(d, a, b float64) float64 { return math.FMA(d, b, a) }, machinecode.FMSub132: func(d, a, b float64) float64 { return math.FMA(d, b, -a) },
		machinecode.FMAdd213: func(d, a, b float64) float64 { return math.FMA(a, d, b) }, machinecode.FMSub213: func(d, a, b float64) float64 { return math.FMA(a, d, -b) },
		machinecode.FMAdd231: func(d, a, b float64) float64 { return math.FMA(a, b, d) }, machinecode.FMSub231: func(d, a, b float64) float64 { return math.FMA(a, b, -d) },
		machinecode.FNMAdd132: func(d, a, b float64) float64 { return math.FMA(-d, b, a) }, machinecode.FNMAdd213: func(d, a, b float64) float64 { return math.FMA(-a, d, b) },
		machinecode.FNMAdd231: func(d, a, b float64) float64 { return math.FMA(-a, b, d) },
	}
	rng := rand.New(rand.NewPCG(3, 5))
	const slots, groups = 400, 3
	for _, bytes := range widths(t) {
		lanes := bytes / 8
		for op, f := range plain {
			for range 60 {
				s := machinecode.Assembler{Bytes: bytes}
				reg := func() uint8 { return uint8(rng.IntN(s.Registers())) }
				d, a, b := reg(), reg(), reg()
				at := [3]int{rng.IntN(slots), rng.IntN(slots), rng.IntN(slots)}
				far := rng.IntN(5000) * 8 // samples of the wide operand, in bytes
				// b is loaded last: where registers coincide, the later load counts.
				s.Load(d, machinecode.Narrow(at[0]*bytes))
				s.Load(a, machinecode.Narrow(at[1]*bytes))
				s.Load(b, machinecode.Wide(far))
				inMemory, moved := rng.IntN(2) == 0, reg()
				from := machinecode.Reg(b)
				if inMemory {
					from = machinecode.Wide(far)
				}
				s.Op(op, d, a, from)
				s.Move(moved, d)
				s.Store(machinecode.Narrow(slots*bytes), moved)
				s.Out(200, d)
				s.In(moved, 7)
				s.Out(3, moved)
				s.Return()

				narrow, wide := aligned((slots+1)*lanes), make([]float64, 5000+groups*lanes)
				for i := range narrow {
					narrow[i] = rng.NormFloat64()
				}
				for i := range wide {
					wide[i] = rng.NormFloat64()
				}
				out, table := make([]float64, groups*lanes+3), make([]*float64, 201)
				copied := make([]float64, groups*lanes+3)
				table[200], table[7], table[3] = &out[0], &wide[0], &copied[0]
				code := machinecode.New(s.Code)
				code.Run(0, &wide[0], &narrow[0], &table[0], 24, groups, bytes, bytes)
				code.Release()
				for g := range groups {
					for i := range lanes {
						z := wide[far/8+g*lanes+i]
						x, y := narrow[at[0]*lanes+i], narrow[at[1]*lanes+i]
						if a == d {
							x = y
						}
						if b == d {
							x = z
						}
						if b == a {
							y = z
						}
						want := f(x, y, z)
						if i := 3 + g*lanes + i; copied[i] != wide[i] {
							t.Fatalf("%d bytes, register %d: copied %g, want %g", bytes, moved, copied[i], wide[i])
						}
						if got := out[3+g*lanes+i]; got != want {
							t.Fatalf("%d bytes, op %x, registers %d %d %d (memory %t): %g, want %g", bytes, op, d, a, b, inMemory, got, want)
						}
						if g == groups-1 && narrow[slots*lanes+i] != want {
							t.Fatalf("%d bytes, op %x: stored %g, want %g", bytes, op, narrow[slots*lanes+i], want)
						}
					}
				}
			}
		}
	}
}
