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
	inputs    int   // byte at which the code starts that fetches the inputs of motion, -1 where there are none
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
	n := &native{bytes: vectorBytes, inputs: -1}
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
	n.fetch(s, slotOf, &g.code)
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

// fetch appends the code that copies inputs that differ from sample to sample into their slots.
func (n *native) fetch(s *schedule, slotOf map[Ref]int32, code *machinecode.Assembler) {
	at := len(code.Code)
	for i := range s.p.Inputs {
		if slot, used := slotOf[Ref{InputRef, int32(i)}]; used && !s.p.Inputs[i].steady() {
			code.In(0, i)
			code.Store(machinecode.Wide(int(slot)*slotBytes), 0)
			n.inputs = at
		}
	}
	code.Return()
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
	n.run(n.entries[group], s, s.out, at, samples)
}

// run runs code with a table of inputs or outputs.
func (n *native) run(entry int, s *Scratch, table []*float64, at, samples int) {
	if entry >= 0 {
		n.code.Run(entry, unsafe.SliceData(s.slots), unsafe.SliceData(s.narrow), unsafe.SliceData(table), at*8, (samples*8+n.bytes-1)/n.bytes, n.bytes, n.bytes)
		runtime.KeepAlive(n)
	}
}
