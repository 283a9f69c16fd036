package symbolic

import (
	"runtime"
	"unsafe"

	"ident/internal/machinecode"
	"ident/internal/vectorunit"
)

// native is a program in the processor's own code: one vector of samples at a time goes through all of it, and values stay
// in registers, where the tape takes a whole block through one step and goes through memory after each.
type native struct {
	code      *machinecode.Code
	entries   []int // byte at which each stretch between calls starts, -1 where that is empty
	bytes     int   // of a vector
	narrow    int   // slots of one vector
	constants []float64
}

// compileNative makes the code of a schedule, with the wide slots of slotOf. It is nil where code cannot be executed.
func compileNative(s *schedule, slotOf map[Ref]int32, level vectorunit.Level) *native {
	vectorBytes := 32
	switch level {
	case vectorunit.Portable:
		return nil
	case vectorunit.AVX512:
		vectorBytes = 64
	}
	n := &native{bytes: vectorBytes}
	for _, c := range s.p.Consts {
		n.constants = append(n.constants, c.Value)
	}
	program := straighten(s, slotOf)
	g := newGenerator(vectorBytes, program.places, len(n.constants))
	for _, ops := range program.stretches {
		entry := -1
		if len(ops) > 0 {
			entry = g.stretch(ops)
		}
		n.entries = append(n.entries, entry)
	}
	n.narrow = int(g.narrow)
	if len(g.code.Code) == 0 {
		return nil
	}
	if n.code = machinecode.New(g.code.Code); n.code == nil {
		return nil
	}
	runtime.AddCleanup(n, func(c *machinecode.Code) { c.Release() }, n.code)
	return n
}

// scratch returns the narrow slots, with the constants in the first of them.
func (n *native) scratch() []float64 {
	lanes := n.lanes()
	s := aligned(n.narrow * lanes)
	for i, c := range n.constants {
		fill(s[i*lanes:(i+1)*lanes], c)
	}
	return s
}

// lanes is the number of samples of a vector.
func (n *native) lanes() int { return n.bytes / 8 }

// stretch runs the code before the call of the given number, for the first samples of a block, with outputs from sample at.
func (n *native) stretch(group int, s *Scratch, at, samples int) {
	if entry := n.entries[group]; entry >= 0 {
		n.code.Run(entry, unsafe.SliceData(s.slots), unsafe.SliceData(s.narrow), unsafe.SliceData(s.out), at*8, (samples*8+n.bytes-1)/n.bytes, n.bytes, n.bytes)
		runtime.KeepAlive(n)
	}
}
