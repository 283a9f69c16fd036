package symbolic

import "slices"

// The machine that runs a compiled program has one accumulator, which holds a
// value for every sample of a block, and memory. Sums of products stay in it:
// an instruction of the program whose value is used once need never be stored.
const (
	codeEnd   = iota // back to the caller, for function calls
	codeLoad         // acc = a
	codeMul          // acc = a·b
	codeDiv          // acc = a/b
	codeAdd          // acc = acc + a
	codeSub          // acc = acc - a
	codeRSub         // acc = a - acc
	codeScale        // acc = acc·a
	codeFMA          // acc = acc + a·b, rounded once, as all below
	codeFNMA         // acc = acc - a·b
	codeFMS          // acc = a·b - acc
	codeStore        // a = acc
	codeOut          // output a = acc
	numCodes
)

// virtual is a step before memory is assigned: operands are those of the
// program, a stored value being its own.
type virtual struct {
	code uint64
	a, b Ref
	out  int32 // output that codeOut writes
}

// functionCall is an operation outside the arithmetic, on values in memory. A sine and
// a cosine of one angle are one call, to and other.
type functionCall struct {
	op        Op
	to, other int32 // instructions; other is -1 where there is none
	from      Ref
	second    Ref // second operand, for operations of two
}

// operands returns the values that a call reads from memory.
func (c *functionCall) operands() []Ref {
	if c.op.Binary() {
		return []Ref{c.from, c.second}
	}
	return []Ref{c.from}
}

// schedule turns a program into steps. Functions come first, layer by layer; then
// outputs column by column, each preceded by the operands that are still missing,
// so that a quantity lives near its use.
type schedule struct {
	p       *Program
	uses    []int
	fold    []bool // whether an instruction is computed where it is used
	done    []bool
	entries [][]int32 // for each instruction, the outputs that have its value
	steps   []virtual
	calls   [][]functionCall // one a codeEnd but the last
}

func newSchedule(p *Program) *schedule {
	s := &schedule{p: p, uses: make([]int, len(p.Code)), fold: make([]bool, len(p.Code)), done: make([]bool, len(p.Code)), entries: make([][]int32, len(p.Code))}
	arithmetic := make([]int, len(p.Code)) // uses by sums and products
	sums := make([]int, len(p.Code))       // uses by sums
	for _, in := range p.Code {
		for k, r := range [2]Ref{in.A, in.B} {
			if r.Kind != ValueRef || k == 1 && !in.Op.Binary() {
				continue
			}
			s.uses[r.Index]++
			switch in.Op {
			case OpAdd, OpSub:
				sums[r.Index]++
				arithmetic[r.Index]++
			case OpMul, OpNeg:
				arithmetic[r.Index]++
			}
		}
	}
	at := int32(0)
	for _, o := range p.Outputs {
		for _, r := range o.Entries {
			if r.Kind == ValueRef {
				s.entries[r.Index] = append(s.entries[r.Index], at)
			}
			at++
		}
	}
	for i, in := range p.Code {
		if s.entries[i] != nil || s.uses[i] != arithmetic[i] {
			continue
		}
		switch in.Op {
		case OpAdd, OpSub, OpNeg:
			s.fold[i] = s.uses[i] == 1
		case OpMul:
			// A product of two values in memory costs a sum no more than the
			// stored product would, so it may be computed twice.
			plain := !s.folded(in.A) && !s.folded(in.B)
			s.fold[i] = s.uses[i] == 1 || plain && s.uses[i] == 2 && sums[i] == 2
		}
	}
	s.functions()
	s.outputs()
	s.steps = append(s.steps, virtual{code: codeEnd})
	return s
}

func (s *schedule) folded(r Ref) bool {
	return r.Kind == ValueRef && s.fold[r.Index] && !s.done[r.Index]
}

// product reports whether an operand is a product that a sum can take in.
func (s *schedule) product(r Ref) bool {
	if !s.folded(r) {
		return false
	}
	in := s.p.Code[r.Index]
	return in.Op == OpMul && !s.folded(in.A) && !s.folded(in.B)
}

// isCall reports whether an operation is a function call, which the accumulator cannot do.
func (op Op) isCall() bool { return op > OpNeg }

// functions schedules the calls, each after the arithmetic of its operands.
func (s *schedule) functions() {
	layer := make([]int, len(s.p.Code))
	depth := 0
	for i, in := range s.p.Code {
		for k, r := range [2]Ref{in.A, in.B} {
			if r.Kind == ValueRef && (k == 0 || in.Op.Binary()) {
				layer[i] = max(layer[i], layer[r.Index])
			}
		}
		if in.Op.isCall() {
			layer[i]++
		}
		depth = max(depth, layer[i])
	}
	for d := 1; d <= depth; d++ {
		var group []functionCall
		for i, in := range s.p.Code {
			if !in.Op.isCall() || layer[i] != d || s.done[i] {
				continue
			}
			c := functionCall{in.Op, int32(i), -1, in.A, in.B}
			for _, r := range c.operands() {
				s.need(r)
			}
			if in.Op == OpSin || in.Op == OpCos {
				for j := i + 1; j < len(s.p.Code); j++ {
					if x := s.p.Code[j]; x.A == in.A && x.Op == OpSin+OpCos-in.Op {
						c.other = int32(j)
						s.done[j] = true
						break
					}
				}
			}
			s.done[i] = true
			group = append(group, c)
		}
		s.calls = append(s.calls, group)
		s.steps = append(s.steps, virtual{code: codeEnd})
	}
}

// outputs schedules the outputs that are still missing, columns of matrices one
// after the other.
func (s *schedule) outputs() {
	at := int32(0)
	for _, o := range s.p.Outputs {
		for c := range o.Cols {
			for r := range o.Rows {
				e := o.At(r, c)
				if e.IsZero() {
					continue
				}
				if e.Kind == ValueRef && !s.done[e.Index] {
					s.emit(e.Index)
				} else if e.Kind != ValueRef || s.p.Code[e.Index].Op.isCall() {
					s.steps = append(s.steps, virtual{code: codeLoad, a: e}, virtual{code: codeOut, out: at + int32(r*o.Cols+c)})
				}
			}
		}
		at += int32(len(o.Entries))
	}
}

// need makes sure that an operand is in memory.
func (s *schedule) need(r Ref) {
	if r.Kind == ValueRef && !s.done[r.Index] {
		s.emit(r.Index)
	}
}

// emit computes a value, and stores it for its users and as output.
func (s *schedule) emit(i int32) {
	s.leaves(i)
	s.compute(i)
	s.done[i] = true
	for _, out := range s.entries[i] {
		s.steps = append(s.steps, virtual{code: codeOut, out: out})
	}
	if s.uses[i] > 0 {
		s.steps = append(s.steps, virtual{code: codeStore, a: Ref{ValueRef, i}})
	}
}

// leaves computes all values in memory that the value's operands come down to.
func (s *schedule) leaves(i int32) {
	in := s.p.Code[i]
	for k, r := range [2]Ref{in.A, in.B} {
		if k == 1 && !in.Op.Binary() || r.Kind != ValueRef || s.done[r.Index] {
			continue
		}
		if s.fold[r.Index] {
			s.leaves(r.Index)
		} else {
			s.emit(r.Index)
		}
	}
}

func (s *schedule) step(code uint64, a, b Ref) {
	s.steps = append(s.steps, virtual{code: code, a: a, b: b})
}

// compute leaves a value in the accumulator. Folded operands that must be
// stored after all are stored before the accumulator is in use.
func (s *schedule) compute(i int32) {
	in := s.p.Code[i]
	a, b := in.A, in.B
	switch in.Op {
	case OpMul:
		if s.folded(a) && s.folded(b) {
			s.emit(b.Index)
		}
		switch {
		case s.folded(a):
			s.compute(a.Index)
			s.step(codeScale, b, Ref{})
		case s.folded(b):
			s.compute(b.Index)
			s.step(codeScale, a, Ref{})
		default:
			s.step(codeMul, a, b)
		}
	case OpDiv:
		s.step(codeDiv, a, b)
	case OpNeg:
		s.sum(Ref{}, a, true)
	default:
		s.sum(a, b, in.Op == OpSub)
	}
}

// sum leaves a + b or a - b in the accumulator.
func (s *schedule) sum(a, b Ref, minus bool) {
	hard := func(r Ref) bool { return s.folded(r) && !s.product(r) }
	if hard(a) && hard(b) {
		s.emit(b.Index)
	}
	if hard(b) || !hard(a) && !s.folded(b) && s.product(a) {
		// b first, then a: acc = a ± acc
		s.start(b)
		switch {
		case s.product(a) && minus:
			s.step(codeFMS, s.p.Code[a.Index].A, s.p.Code[a.Index].B)
		case s.product(a):
			s.step(codeFMA, s.p.Code[a.Index].A, s.p.Code[a.Index].B)
		case minus:
			s.step(codeRSub, a, Ref{})
		default:
			s.step(codeAdd, a, Ref{})
		}
		return
	}
	s.start(a)
	switch {
	case s.product(b) && minus:
		s.step(codeFNMA, s.p.Code[b.Index].A, s.p.Code[b.Index].B)
	case s.product(b):
		s.step(codeFMA, s.p.Code[b.Index].A, s.p.Code[b.Index].B)
	case minus:
		s.step(codeSub, b, Ref{})
	default:
		s.step(codeAdd, b, Ref{})
	}
}

// start leaves an operand in the accumulator.
func (s *schedule) start(r Ref) {
	if s.folded(r) {
		s.compute(r.Index)
	} else {
		s.step(codeLoad, r, Ref{})
	}
}

// reads returns the operands that a step reads from memory.
func (v *virtual) reads() []Ref {
	switch v.code {
	case codeEnd, codeStore, codeOut:
		return nil
	case codeMul, codeDiv, codeFMA, codeFNMA, codeFMS:
		return []Ref{v.a, v.b}
	}
	return []Ref{v.a}
}

// steady reports whether an input is usually the same for all samples: its slot is
// kept from block to block.
func (in *Input) steady() bool { return in.Kind != Motion && in.Kind != State }

// allocate gives every value in memory a slot. A slot is free again after the last read; the one freed last is taken first,
// while it is in the cache.
func (s *schedule) allocate() (slotOf map[Ref]int32, slots int32) {
	slotOf = map[Ref]int32{}
	last := map[Ref]int{}
	var constants []Ref
	for t := range s.steps {
		for _, r := range s.steps[t].reads() {
			last[r] = t
			if r.Kind == ConstRef && !slices.Contains(constants, r) {
				constants = append(constants, r)
			}
		}
	}
	end := 0
	for t, group := 0, 0; t < len(s.steps); t++ {
		if s.steps[t].code == codeEnd && group < len(s.calls) {
			for _, c := range s.calls[group] {
				for _, r := range c.operands() {
					last[r] = max(last[r], t)
					if r.Kind == ConstRef && !slices.Contains(constants, r) {
						constants = append(constants, r)
					}
				}
			}
			group++
		}
		end = t
	}
	var free []int32
	take := func(r Ref) {
		if len(free) > 0 {
			slotOf[r] = free[len(free)-1]
			free = free[:len(free)-1]
			return
		}
		slotOf[r] = slots
		slots++
	}
	for _, c := range constants {
		take(c)
	}
	for i := range s.p.Inputs {
		r := Ref{InputRef, int32(i)}
		if _, used := last[r]; used {
			take(r)
		}
	}
	release := func(r Ref, t int) {
		if r.Kind != ConstRef && !(r.Kind == InputRef && s.p.Inputs[r.Index].steady()) && last[r] == t && t < end {
			if at, ok := slotOf[r]; ok && !slices.Contains(free, at) {
				free = append(free, at)
			}
		}
	}
	group := 0
	for t := range s.steps {
		v := &s.steps[t]
		switch v.code {
		case codeStore:
			take(v.a)
		case codeEnd:
			if group < len(s.calls) {
				for _, c := range s.calls[group] {
					take(Ref{ValueRef, c.to})
					if c.other >= 0 {
						take(Ref{ValueRef, c.other})
					}
				}
				for _, c := range s.calls[group] {
					for _, r := range c.operands() {
						release(r, t)
					}
				}
				group++
			}
		default:
			for _, r := range v.reads() {
				release(r, t)
			}
		}
	}
	return slotOf, slots
}
