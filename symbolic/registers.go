package symbolic

import (
	"math"

	"ident/internal/machinecode"
)

// generator turns stretches into machine code. A value is kept in a register from its making to its last use where there
// are registers enough; otherwise the one whose next use is furthest leaves (Belady 1966), into memory where it is not there
// already.
type generator struct {
	code   machinecode.Assembler
	places []place   // of each value, in memory
	uses   [][]int32 // of each value in the stretch: the operations still to come that read it
	reg    []int8    // of each value, -1 where it is in none
	made   []bool    // of each value: by an operation, so that its place in memory is free after the last use
	at     int32     // operation at hand
	held   []int32   // value in each register, -1 where it is free
	locked []bool    // of each register: operands of the operation at hand
	free   []int32   // narrow slots
	narrow int32     // slots, constants included
}

const never = math.MaxInt32

// newGenerator prepares registers of the width in bytes. Constants have the first narrow slots.
func newGenerator(bytes int, values []place, constants int) *generator {
	g := &generator{code: machinecode.Assembler{Bytes: bytes}, places: values, narrow: int32(constants)}
	g.uses, g.reg, g.made = make([][]int32, len(values)), make([]int8, len(values)), make([]bool, len(values))
	g.held, g.locked = make([]int32, g.code.Registers()), make([]bool, g.code.Registers())
	for r := range g.held {
		g.held[r] = -1
	}
	for v := range g.reg {
		g.reg[v] = -1
	}
	return g
}

// stretch appends the code of a stretch and returns where it starts.
func (g *generator) stretch(ops stretch) (entry int) {
	entry = len(g.code.Code)
	for i := range ops {
		for _, v := range ops[i].operands() {
			g.uses[v] = append(g.uses[v], int32(i))
		}
		if to := ops[i].to; to >= 0 {
			g.made[to] = true
		}
	}
	for i := range ops {
		g.at = int32(i)
		g.operation(&ops[i])
		clear(g.locked)
	}
	for r, v := range g.held {
		if v >= 0 {
			g.reg[v], g.held[r] = -1, -1
		}
	}
	g.code.Return()
	return entry
}

// operands returns the values that an operation reads, one read twice as two.
func (o *operation) operands() []int32 {
	switch {
	case o.z >= 0:
		return []int32{o.x, o.y, o.z}
	case o.y >= 0:
		return []int32{o.x, o.y}
	}
	return []int32{o.x}
}

// operation appends the instructions of an operation.
func (g *generator) operation(o *operation) {
	switch o.code {
	case codeOut:
		r := g.load(o.x)
		g.read(o)
		g.code.Out(int(o.out), r)
	case codeStore:
		r := g.load(o.x)
		g.move(o.x, place{wide, o.out})
		g.code.Store(g.address(o.x), r)
		g.read(o)
	case codeMul, codeAdd, codeSub, codeDiv:
		g.plain(o)
	default:
		g.fused(o)
	}
}

var plainOps = [numCodes]machinecode.Op{codeMul: machinecode.Mul, codeAdd: machinecode.Add, codeSub: machinecode.Sub, codeDiv: machinecode.Div}

// plain makes x∘y, of which y may lie in memory.
func (g *generator) plain(o *operation) {
	x, y := o.x, o.y
	if o.code == codeMul || o.code == codeAdd {
		x, y = g.registerFirst(x, y)
	}
	a, b := g.load(x), g.operand(y)
	var dst uint8
	switch {
	case g.last(x):
		dst = a
	case g.reg[y] >= 0 && g.last(y):
		dst = uint8(g.reg[y])
	default:
		dst = g.room()
	}
	g.read(o)
	g.put(o.to, dst)
	g.code.Op(plainOps[o.code], dst, a, b)
}

// fusedOps are the encodings of the fused operations: dst·b with addend a, and a·b with addend dst.
var fusedOps = [numCodes][3]machinecode.Op{
	codeFMA:  {machinecode.FMAdd132, machinecode.FMAdd213, machinecode.FMAdd231},
	codeFNMA: {machinecode.FNMAdd132, machinecode.FNMAdd213, machinecode.FNMAdd231},
	codeFMS:  {machinecode.FMSub132, machinecode.FMSub213, machinecode.FMSub231},
}

// fused makes ±x·y ± z. The result replaces one of the operands, so one that is read no more, or a copy of z.
func (g *generator) fused(o *operation) {
	ops := &fusedOps[o.code]
	x, y := g.registerFirst(o.x, o.y)
	if g.reg[y] >= 0 && g.last(y) && !g.last(x) {
		x, y = y, x
	}
	z := o.z
	var dst, a uint8
	var b machinecode.Operand
	op := ops[2]
	switch {
	case g.reg[z] >= 0 && g.last(z):
		dst, a = g.load(z), g.load(x)
		b = g.operand(y)
	case g.reg[x] >= 0 && g.last(x) && g.reg[z] >= 0: // dst·b with the addend in a register
		dst, a = g.load(x), g.load(z)
		b, op = g.operand(y), ops[0]
	case g.reg[x] >= 0 && g.last(x): // a·dst with the addend in memory
		dst, a = g.load(x), g.load(y)
		b, op = g.operand(z), ops[1]
	default:
		a, b = g.load(x), g.operand(y)
		if r := g.reg[z]; r >= 0 {
			g.locked[r] = true
			dst = g.room()
			g.code.Move(dst, uint8(r))
		} else {
			dst = g.room()
			g.code.Load(dst, g.address(z))
		}
	}
	g.read(o)
	g.put(o.to, dst)
	g.code.Op(op, dst, a, b)
}

// registerFirst orders two factors: one that is in a register, or else is read again sooner, comes first.
func (g *generator) registerFirst(x, y int32) (int32, int32) {
	if g.reg[x] < 0 && (g.reg[y] >= 0 || g.next(y) < g.next(x)) {
		return y, x
	}
	return x, y
}

// next is the next operation after this one that reads a value.
func (g *generator) next(v int32) int32 {
	for _, at := range g.uses[v] {
		if at > g.at {
			return at
		}
	}
	return never
}

func (g *generator) last(v int32) bool { return g.next(v) == never }

// address is the place of a value in memory.
func (g *generator) address(v int32) machinecode.Operand {
	p := g.places[v]
	if p.kind == wide {
		return machinecode.Wide(int(p.slot) * slotBytes)
	}
	return machinecode.Narrow(int(p.slot) * g.code.Bytes)
}

// load makes sure that an operand of this operation is in a register.
func (g *generator) load(v int32) uint8 {
	r := g.reg[v]
	if r < 0 {
		to := g.room()
		g.code.Load(to, g.address(v))
		g.put(v, to)
		r = int8(to)
	}
	g.locked[r] = true
	return uint8(r)
}

// soon is the number of operations within which a second use of a value in memory is worth a register.
const soon = 24

// operand is an operand that may stay in memory.
func (g *generator) operand(v int32) machinecode.Operand {
	if g.reg[v] < 0 && g.next(v)-g.at > soon {
		return g.address(v)
	}
	return machinecode.Reg(g.load(v))
}

// read ends the reads of an operation: values without further use give up register and slot.
func (g *generator) read(o *operation) {
	for _, v := range o.operands() {
		for len(g.uses[v]) > 0 && g.uses[v][0] <= g.at {
			g.uses[v] = g.uses[v][1:]
		}
		if len(g.uses[v]) > 0 {
			continue
		}
		if r := g.reg[v]; r >= 0 {
			g.reg[v], g.held[r] = -1, -1
		}
		if g.made[v] && g.places[v].kind == narrow {
			g.move(v, place{})
		}
	}
}

// move gives a value another place in memory, and its narrow slot to others.
func (g *generator) move(v int32, to place) {
	if p := g.places[v]; p.kind == narrow {
		g.free = append(g.free, p.slot)
	}
	g.places[v] = to
}

// put notes the register of a value.
func (g *generator) put(v int32, r uint8) { g.reg[v], g.held[r] = int8(r), v }

// room returns a register without a value, after one has left it if need be. A value that is in memory already is sent
// away in place of one that has to be stored unless it is read in less than half the time.
func (g *generator) room() uint8 {
	clean, dirty := -1, -1
	var cleanNext, dirtyNext int
	for r, v := range g.held {
		if g.locked[r] {
			continue
		}
		if v < 0 {
			g.locked[r] = true
			return uint8(r)
		}
		switch next := int(g.next(v)) - int(g.at); {
		case g.places[v].kind != nowhere:
			if clean < 0 || next > cleanNext {
				clean, cleanNext = r, next
			}
		case dirty < 0 || next > dirtyNext:
			dirty, dirtyNext = r, next
		}
	}
	r := clean
	if clean < 0 || dirty >= 0 && dirtyNext > 2*cleanNext {
		r = dirty
		v := g.held[r]
		g.places[v] = place{narrow, g.slot()}
		g.code.Store(g.address(v), uint8(r))
	}
	g.reg[g.held[r]], g.held[r] = -1, -1
	g.locked[r] = true
	return uint8(r)
}

// slot returns a narrow slot.
func (g *generator) slot() int32 {
	if n := len(g.free); n > 0 {
		s := g.free[n-1]
		g.free = g.free[:n-1]
		return s
	}
	g.narrow++
	return g.narrow - 1
}
