package symbolic

// A program for the processor's registers names every result of a step, where the machine's tape has one accumulator: the
// operations and their order are those of the tape, and so are the bits.

// operation is a step on named values: z is the addend of fused operations and the old accumulator of none else.
type operation struct {
	code    uint64 // codeMul, Div, Add, Sub, FMA, FNMA, FMS; codeStore (x to its place in memory) and codeOut of x
	x, y, z int32  // values, -1 where there is none
	to      int32  // value that is made, or -1
	out     int32  // of codeOut
}

// place is the place of a value in memory.
type place struct {
	kind placeKind
	slot int32 // of Lanes samples for wide, of a vector for narrow
}

type placeKind uint8

const (
	nowhere placeKind = iota
	wide              // with all samples of a block: inputs, results of functions, and values that outlive a stretch
	narrow            // with the samples of one vector: constants, and values without a register
)

// stretch is a part of a program without a call.
type stretch []operation

// straight is a program on named values.
type straight struct {
	stretches []stretch
	places    []place // in memory from the start: of inputs, constants and results of functions
}

// straighten names the values of a schedule. slotOf has the wide slots, of constants none.
func straighten(s *schedule, slotOf map[Ref]int32) *straight {
	c := &straight{}
	value := map[Ref]int32{}
	add := func(p place) int32 {
		c.places = append(c.places, p)
		return int32(len(c.places) - 1)
	}
	read := func(r Ref) int32 {
		v, ok := value[r]
		if !ok {
			p := place{wide, slotOf[r]}
			if r.Kind == ConstRef {
				p = place{narrow, r.Index}
			}
			v = add(p)
			value[r] = v
		}
		return v
	}
	var now stretch
	acc := int32(-1)
	for _, v := range s.steps {
		o := operation{code: v.code, x: -1, y: -1, z: -1, to: -1, out: v.out}
		switch v.code {
		case codeEnd:
			c.stretches = append(c.stretches, now)
			now = nil
			continue
		case codeLoad:
			acc = read(v.a)
			continue
		case codeStore:
			value[v.a] = acc
			if _, ok := slotOf[v.a]; !ok {
				continue
			}
			o.x, o.out = acc, slotOf[v.a]
		case codeOut:
			o.x = acc
		case codeMul, codeDiv:
			o.x, o.y = read(v.a), read(v.b)
		case codeAdd, codeSub:
			o.x, o.y = acc, read(v.a)
		case codeScale:
			o.code, o.x, o.y = codeMul, acc, read(v.a)
		case codeRSub:
			o.code, o.x, o.y = codeSub, read(v.a), acc
		default:
			o.x, o.y, o.z = read(v.a), read(v.b), acc
		}
		if v.code != codeStore && v.code != codeOut {
			o.to = add(place{})
			acc = o.to
		}
		now = append(now, o)
	}
	return c
}

// outliving tells the values that need a wide slot: those that calls read or make, and those that are read in a later
// stretch than the one that makes them.
func (s *schedule) outliving() map[Ref]bool {
	out := map[Ref]bool{}
	made := map[Ref]int{}
	group := 0
	for i := range s.steps {
		v := &s.steps[i]
		switch v.code {
		case codeStore:
			made[v.a] = group
		case codeEnd:
			if group < len(s.calls) {
				for _, c := range s.calls[group] {
					for _, r := range c.operands() {
						out[r] = true
					}
					for _, to := range []int32{c.to, c.other} {
						if to >= 0 {
							out[Ref{ValueRef, to}] = true
						}
					}
				}
			}
			group++
		default:
			for _, r := range v.reads() {
				if in, ok := made[r]; ok && in != group {
					out[r] = true
				}
			}
		}
	}
	return out
}
