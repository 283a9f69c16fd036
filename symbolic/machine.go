package symbolic

import (
	"fmt"
	"math"
	"unsafe"

	"ident/internal/vectorunit"
)

// Lanes is the number of samples that a Machine carries through each instruction: as many as half of the
// vector registers hold. The live values of a seven-joint arm's regressor then fit the first-level cache.
const Lanes = 32

const slotBytes = Lanes * 8

// Machine is a program compiled to run on blocks of samples. It is immutable
// and safe for concurrent use; each goroutine brings its own Scratch.
//
// Results are the same bits on every processor, with vector instructions or
// without: products and sums are fused where the schedule says so, by hardware
// or by math.FMA, and sines and cosines are this package's own. They differ from
// Program.Eval's by rounding. A processor without fused multiply-add is slow.
type Machine struct {
	tape      []step
	calls     [][]placedCall
	inputs    []int32 // slot of each input, -1 for those without use
	steady    []bool  // of each input
	constants []placedConstant
	entries   []entryKind
	slots     int
	steps     int
	vectors   bool // the tape runs in vector registers
}

// step is an instruction of the machine; operands are offsets in bytes, those of
// codeOut the number of the output.
type step struct {
	code uint64
	a, b uint32
}

type placedConstant struct {
	slot  int32
	value float64
}

type placedCall struct {
	op                      Op
	to, other, from, second int32 // slots; -1 where there is none
}

// entryKind is the way in which an entry of the outputs is computed.
type entryKind uint8

const (
	computed entryKind = iota
	zeroEntry
)

// Compile compiles a program.
func Compile(p *Program) *Machine { return compile(p, vectorunit.AVX2()) }

// compile compiles for vector registers or for Go.
func compile(p *Program, vectors bool) *Machine {
	s := newSchedule(p)
	slotOf, slots := s.allocate()
	m := &Machine{vectors: vectors, steps: len(s.steps), slots: int(slots), tape: tape(s, slotOf)}
	for _, group := range s.calls {
		var placed []placedCall
		for _, c := range group {
			q := placedCall{op: c.op, to: slotOf[Ref{ValueRef, c.to}], other: -1, from: slotOf[c.from], second: -1}
			if c.op.Binary() {
				q.second = slotOf[c.second]
			}
			if c.other >= 0 {
				q.other = slotOf[Ref{ValueRef, c.other}]
			}
			placed = append(placed, q)
		}
		m.calls = append(m.calls, placed)
	}
	for i := range p.Inputs {
		at, ok := slotOf[Ref{InputRef, int32(i)}]
		if !ok {
			at = -1
		}
		m.inputs = append(m.inputs, at)
		m.steady = append(m.steady, p.Inputs[i].steady())
	}
	for i, c := range p.Consts {
		if at, ok := slotOf[Ref{ConstRef, int32(i)}]; ok {
			m.constants = append(m.constants, placedConstant{at, c.Value})
		}
	}
	for _, o := range p.Outputs {
		for _, r := range o.Entries {
			kind := computed
			if r.IsZero() {
				kind = zeroEntry
			}
			m.entries = append(m.entries, kind)
		}
	}
	return m
}

// tape places the operands of a schedule.
func tape(s *schedule, slotOf map[Ref]int32) []step {
	var out []step
	offset := func(r Ref) uint32 { return uint32(slotOf[r]) * slotBytes }
	for _, v := range s.steps {
		t := step{code: v.code}
		switch v.code {
		case codeOut:
			t.a = uint32(v.out)
		case codeStore:
			t.a = offset(v.a)
		default:
			for k, r := range v.reads() {
				if k == 0 {
					t.a = offset(r)
				} else {
					t.b = offset(r)
				}
			}
		}
		out = append(out, t)
	}
	return out
}

// Entries returns the number of entries of all outputs together, in the order of
// the program's outputs and row by row, as Run writes them.
func (m *Machine) Entries() int { return len(m.entries) }

// Steps returns the number of steps of a block.
func (m *Machine) Steps() int { return m.steps }

// Slots returns the number of values, of Lanes samples each, that are kept in memory at
// once.
func (m *Machine) Slots() int { return m.slots }

// Scratch is the memory of one goroutine's runs.
type Scratch struct {
	slots []float64 // aligned to a line of the cache
	rest  []float64 // outputs of a batch shorter than a block
	spare []float64 // for a sine or cosine without a user
	out   []*float64
}

// NewScratch allocates memory for the machine.
func (m *Machine) NewScratch() *Scratch {
	s := &Scratch{slots: aligned(m.slots * Lanes), rest: make([]float64, len(m.entries)*Lanes), spare: make([]float64, Lanes), out: make([]*float64, len(m.entries))}
	for _, c := range m.constants {
		fill(s.slot(c.slot), c.value)
	}
	return s
}

// aligned returns n numbers, and one more at least, from the start of a line of the cache on.
func aligned(n int) []float64 {
	const line = 64
	buf := make([]float64, n+line/8)
	skip := 0
	if off := uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % line; off != 0 {
		skip = int(line-off) / 8
	}
	return buf[skip : skip+n]
}

func (s *Scratch) slot(i int32) []float64 { return s.slots[int(i)*Lanes : int(i+1)*Lanes] }

func fill(v []float64, x float64) {
	for i := range v {
		v[i] = x
	}
}

// Run evaluates n samples. in has one slice an input, with n values or with one
// for all samples; those of inputs without use are not looked at. out has one
// slice of n values for each entry of the outputs; structural zeros may be nil
// there, and are filled in otherwise. It allocates nothing. It panics where
// slices are too few or too short.
func (m *Machine) Run(out, in [][]float64, n int, s *Scratch) {
	if len(in) != len(m.inputs) || len(out) != len(m.entries) {
		panic(fmt.Sprintf("symbolic: Run has %d inputs and %d outputs, the machine %d and %d", len(in), len(out), len(m.inputs), len(m.entries)))
	}
	if len(s.slots) != m.slots*Lanes || len(s.out) != len(m.entries) {
		panic("symbolic: scratch memory made for another machine")
	}
	if n == 0 {
		return
	}
	for i, at := range m.inputs {
		switch {
		case at < 0:
		case len(in[i]) == 1:
			fill(s.slot(at), in[i][0])
		case len(in[i]) < n:
			panic(fmt.Sprintf("symbolic: input %d has %d samples of %d", i+1, len(in[i]), n))
		}
	}
	short := n < Lanes
	for i, kind := range m.entries {
		switch {
		case kind == zeroEntry && out[i] == nil:
		case len(out[i]) < n:
			panic(fmt.Sprintf("symbolic: output %d has %d samples of %d", i+1, len(out[i]), n))
		case kind == zeroEntry:
			clear(out[i][:n])
		case short:
			s.out[i] = &s.rest[i*Lanes]
		default:
			s.out[i] = &out[i][0]
		}
	}
	for first := 0; first < n; first += Lanes {
		// A last block that is not full repeats samples of the one before: lanes
		// are independent.
		size := min(Lanes, n)
		m.block(in, min(first, n-size), size, s)
	}
	if short {
		for i, kind := range m.entries {
			if kind == computed {
				copy(out[i][:n], s.rest[i*Lanes:])
			}
		}
	}
}

// block runs the n samples from at.
func (m *Machine) block(in [][]float64, at, n int, s *Scratch) {
	for i, slot := range m.inputs {
		switch {
		case slot < 0:
		case len(in[i]) > 1:
			copy(s.slot(slot), in[i][at:at+n])
		case !m.steady[i]: // another value may have had its slot
			fill(s.slot(slot), in[i][0])
		}
	}
	pc := 0
	for group := 0; ; group++ {
		m.arithmetic(pc, s, at)
		if group == len(m.calls) {
			return
		}
		for m.tape[pc].code != codeEnd {
			pc++
		}
		pc++
		for _, c := range m.calls[group] {
			m.function(c, s)
		}
	}
}

// function runs a call.
func (m *Machine) function(c placedCall, s *Scratch) {
	x, y := s.slot(c.from), s.slot(c.to)
	switch c.op {
	case OpSin, OpCos:
		sin, cos := y, y
		switch {
		case c.other < 0 && c.op == OpSin:
			cos = s.spare
		case c.other < 0:
			sin = s.spare
		case c.op == OpSin:
			cos = s.slot(c.other)
		default:
			sin = s.slot(c.other)
		}
		m.sincos(sin, cos, x)
	case OpAtan2:
		for i, v := range s.slot(c.second) {
			y[i] = math.Atan2(x[i], v)
		}
	default:
		for i, v := range x {
			y[i] = c.op.apply(v, 0)
		}
	}
}
