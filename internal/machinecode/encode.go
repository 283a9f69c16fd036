package machinecode

// Op is an arithmetic instruction on vectors of float64, dst = f(dst, a, b). Its value is the opcode, with the opcode map
// (1: 0F, 2: 0F 38) in the next byte.
type Op uint16

// The instructions. Of a fused one, the digits say which of the three operands are multiplied: 1 is dst, 2 a and 3 b.
const (
	Add Op = 0x158 // a + b
	Mul Op = 0x159 // a·b
	Sub Op = 0x15c // a - b
	Div Op = 0x15e // a/b

	FMAdd132 Op = 0x298 // dst·b + a
	FMAdd213 Op = 0x2a8 // a·dst + b
	FMAdd231 Op = 0x2b8 // a·b + dst

	FMSub132 Op = 0x29a // dst·b - a
	FMSub213 Op = 0x2aa // a·dst - b
	FMSub231 Op = 0x2ba // a·b - dst

	FNMAdd132 Op = 0x29c // a - dst·b
	FNMAdd213 Op = 0x2ac // b - a·dst
	FNMAdd231 Op = 0x2bc // dst - a·b
)

const (
	loadOp  Op = 0x110 // movupd register, memory
	storeOp Op = 0x111 // movupd memory, register
	moveOp  Op = 0x128 // movapd register, register
)

// base is a general register that holds an address, by its number in the encoding.
type base uint8

const (
	tableBase  base = 2 // rdx: table of inputs or outputs
	narrowBase base = 6 // rsi
	wideBase   base = 7 // rdi
)

// Operand is the last operand of an instruction: a vector register or an address.
type Operand struct {
	memory bool
	reg    uint8
	base   base
	offset int32 // bytes
}

// Reg is a vector register.
func Reg(r uint8) Operand { return Operand{reg: r} }

// Narrow is an address, in bytes, in the memory that all groups of samples share.
func Narrow(offset int) Operand {
	return Operand{memory: true, base: narrowBase, offset: int32(offset)}
}

// Wide is an address, in bytes, in the memory that moves on with the samples.
func Wide(offset int) Operand { return Operand{memory: true, base: wideBase, offset: int32(offset)} }

// Assembler appends instructions on vectors of Bytes bytes to Code.
type Assembler struct {
	Code  []byte
	Bytes int // 32: 16 registers of AVX2; 64: 32 registers of AVX-512
}

// Registers is the number of vector registers.
func (s *Assembler) Registers() int { return s.Bytes / 2 }

// Op appends an arithmetic instruction.
func (s *Assembler) Op(op Op, dst, a uint8, b Operand) { s.vector(op, dst, a, b) }

// Load appends a load, Store a store of a register.
func (s *Assembler) Load(dst uint8, from Operand) { s.vector(loadOp, dst, 0, from) }

// Store appends a store of a register.
func (s *Assembler) Store(to Operand, from uint8) { s.vector(storeOp, from, 0, to) }

// Move appends a copy of a register.
func (s *Assembler) Move(dst, from uint8) { s.vector(moveOp, dst, 0, Reg(from)) }

// In appends a load of the samples of entry k of the table, at their offset.
func (s *Assembler) In(dst uint8, k int) { s.entry(loadOp, dst, k) }

// Out appends a store of a register to entry k of the table, at the offset of the samples, and asks for the next line of
// the cache there: outputs of a large program are out of the nearest cache before their next samples come.
func (s *Assembler) Out(k int, from uint8) {
	s.entry(storeOp, from, k)
	s.Code = append(s.Code, 0x0f, 0x0d, 0x4c, 0x08, 0x40) // prefetchw [rax + rcx + 64]
}

// entry appends a load or store between a register and samples of the table.
func (s *Assembler) entry(op Op, reg uint8, k int) {
	s.Code = append(s.Code, 0x48, 0x8b) // mov rax, [rdx + 8·k]
	s.address(0, Operand{memory: true, base: tableBase, offset: int32(8 * k)}, 1)
	s.prefix(op, reg, 0, Operand{memory: true})
	s.Code = append(s.Code, byte(op&0xff), reg&7<<3|4, 0x08) // at [rax + rcx]
}

// Return ends the code.
func (s *Assembler) Return() { s.Code = append(s.Code, 0xc3) }

// vector appends an instruction with registers dst and a and an operand of either kind.
func (s *Assembler) vector(op Op, dst, a uint8, b Operand) {
	s.prefix(op, dst, a, b)
	s.Code = append(s.Code, byte(op&0xff))
	if !b.memory {
		s.Code = append(s.Code, 0xc0|dst&7<<3|b.reg&7)
		return
	}
	unit := 1
	if s.Bytes == 64 {
		unit = 64 // EVEX counts short displacements in vectors
	}
	s.address(dst&7, b, unit)
}

// prefix appends the VEX or EVEX prefix of an instruction on packed float64. Fields of register numbers are stored
// inverted; all base registers are below 8.
func (s *Assembler) prefix(op Op, dst, a uint8, b Operand) {
	bit := func(v uint8, k uint) byte { return ^v >> k & 1 }
	x, y := byte(1), byte(1)
	if !b.memory {
		x, y = bit(b.reg, 4), bit(b.reg, 3)
	}
	opmap := byte(op >> 8)
	if s.Bytes == 64 {
		s.Code = append(s.Code, 0x62, bit(dst, 3)<<7|x<<6|y<<5|bit(dst, 4)<<4|opmap, 0x85|^a&15<<3, 0x40|bit(a, 4)<<3)
		return
	}
	s.Code = append(s.Code, 0xc4, bit(dst, 3)<<7|0x40|y<<5|opmap, 0x85|^a&15<<3)
}

// address appends the bytes of an address with a displacement, short where that is a small multiple of unit.
func (s *Assembler) address(reg uint8, b Operand, unit int) {
	if d := int(b.offset); d%unit == 0 && d/unit >= -128 && d/unit < 128 {
		s.Code = append(s.Code, 0x40|reg<<3|byte(b.base), byte(d/unit))
		return
	}
	d := uint32(b.offset)
	s.Code = append(s.Code, 0x80|reg<<3|byte(b.base), byte(d), byte(d>>8), byte(d>>16), byte(d>>24))
}
