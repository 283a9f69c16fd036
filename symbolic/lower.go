package symbolic

import "fmt"

// Result is an output of a graph, as Output is of a program, with nodes as
// entries.
type Result struct {
	Name       string
	Rows, Cols int
	Entries    []Node // row by row
	Unit       string
	Doc        string
	RowNames   []string
	ColNames   []string
}

// Program makes straight-line code of the nodes that the results need, and no
// others, in the order in which the nodes were made; a sine and a cosine of one
// angle stand side by side. Inputs are those of args, in that order, used or not,
// so that vectors are complete. It panics where the results need an input that
// args does not have, and where a result has not Rows·Cols entries.
func (g *Graph) Program(name string, args []Node, results ...Result) *Program {
	l := &lowering{g: g, live: make([]bool, len(g.nodes)), flipped: make([]bool, len(g.nodes)), at: make([]Ref, len(g.nodes))}
	p := &Program{Name: name}
	l.p = p
	listed := make([]bool, len(g.inputs))
	taken := map[string]bool{}
	for _, n := range args {
		v := g.nodes[n.abs()]
		if n < 0 || v.op != opInput || listed[v.a] {
			panic("symbolic: an argument of a program must be an input and must be given once")
		}
		listed[v.a] = true
		l.at[n] = Ref{InputRef, int32(len(p.Inputs))}
		p.Inputs = append(p.Inputs, g.inputs[v.a])
		taken[g.inputs[v.a].Name] = true
	}
	l.constants = map[string]int32{}
	l.constant(0)
	l.constant(One)
	for _, r := range results {
		if len(r.Entries) != r.Rows*r.Cols {
			panic(fmt.Sprintf("symbolic: result %s has %d entries, not %d×%d", r.Name, len(r.Entries), r.Rows, r.Cols))
		}
		for _, n := range r.Entries {
			l.live[n.abs()] = true
		}
	}
	for n := len(g.nodes) - 1; n >= 0; n-- {
		v := g.nodes[n]
		if !l.live[n] || v.op == opConst {
			continue
		}
		if v.op == opInput {
			if !listed[v.a] {
				panic(fmt.Sprintf("symbolic: program %s needs the input %s, which is not one of its arguments", name, g.inputs[v.a].Name))
			}
			continue
		}
		l.live[v.a.abs()] = true
		if v.op.Binary() {
			l.live[v.b.abs()] = true
		}
	}
	want := l.wanted(results)
	for n := range g.nodes {
		g.watch.step()
		l.emit(Node(n), want, taken)
	}
	for _, r := range results {
		o := Output{Name: r.Name, Rows: r.Rows, Cols: r.Cols, Unit: r.Unit, Doc: r.Doc, RowNames: r.RowNames, ColNames: r.ColNames}
		for _, n := range r.Entries {
			o.Entries = append(o.Entries, l.exact(n))
		}
		p.Outputs = append(p.Outputs, o)
	}
	return p
}

// lowering is the state of Graph.Program. A value may be stored with its sign
// flipped where that saves changing signs later.
type lowering struct {
	g         *Graph
	p         *Program
	live      []bool
	flipped   []bool
	at        []Ref // for each node that is stored, where
	constants map[string]int32
	negated   map[Node]Ref // values of which the other sign had to be stored too
}

// wanted returns, for each node, the number of users that need its own sign less
// those that need the other. Outputs must have theirs; products and sums pass the
// wish on to their operands.
func (l *lowering) wanted(results []Result) []int {
	want := make([]int, len(l.g.nodes))
	for _, r := range results {
		for _, n := range r.Entries {
			want[n.abs()] += 4 * int(n.sign())
		}
	}
	for n := len(l.g.nodes) - 1; n >= 0; n-- {
		v := l.g.nodes[n]
		if l.g.names[Node(n)] != "" {
			want[n] += 2 // a listing reads better when named values keep their sign
		}
		if !l.live[n] || want[n] == 0 {
			continue
		}
		s := 1
		if want[n] < 0 {
			s = -1
		}
		switch v.op {
		case OpMul, OpDiv:
			if l.g.nodes[v.a].op == opConst || l.g.nodes[v.a].op == opInput {
				want[v.b] += s
			} else {
				want[v.a] += s
			}
		case OpAdd:
			want[v.a] += s
			want[v.b.abs()] += s * int(v.b.sign())
		}
	}
	return want
}

// emit appends the instruction of a node, unless it is there already.
func (l *lowering) emit(n Node, want []int, taken map[string]bool) {
	v := l.g.nodes[n]
	if !l.live[n] || v.op == opConst || v.op == opInput || l.at[n] != (Ref{}) {
		return
	}
	in := Instruction{Op: v.op}
	switch v.op {
	case OpAdd:
		a, fa := l.operand(v.a)
		b, fb := l.operand(v.b)
		// A constant is stored with either sign.
		if l.g.nodes[v.a].op == opConst && fb {
			a, fa = l.constant(-v.a), true
		} else if l.g.nodes[v.b.abs()].op == opConst && fa {
			b, fb = l.constant(-v.b), true
		}
		if fa == fb {
			in.A, in.B, l.flipped[n] = a, b, fa
			break
		}
		// A difference, the way round that is wanted.
		plus, minus := a, b
		if fa {
			plus, minus = b, a
		}
		if l.flipped[n] = want[n] < 0; l.flipped[n] {
			plus, minus = minus, plus
		}
		in.Op, in.A, in.B = OpSub, plus, minus
	case OpMul:
		a, fa := l.operand(v.a)
		b, fb := l.operand(v.b)
		// A constant takes the sign that is wanted.
		if l.g.nodes[v.a].op == opConst && (fa != fb) != (want[n] < 0) {
			a, fa = l.constant(-v.a), !fa
		}
		in.A, in.B, l.flipped[n] = a, b, fa != fb
	case OpDiv:
		a, fa := l.operand(v.a)
		b, fb := l.operand(v.b)
		in.A, in.B, l.flipped[n] = a, b, fa != fb
	case OpSin, OpSign, OpAsin, OpAtan:
		a, fa := l.operand(v.a)
		in.A, l.flipped[n] = a, fa
	case OpCos, OpAbs:
		in.A, _ = l.operand(v.a)
	case OpAtan2:
		in.A, in.B = l.exact(v.a), l.exact(v.b)
	default:
		in.A = l.exact(v.a)
	}
	if name := l.g.names[n]; name != "" && !l.flipped[n] && !taken[name] {
		in.Name, taken[name] = name, true
	}
	l.at[n] = l.append(in)
	if v.op == OpSin || v.op == OpCos {
		other := OpSin + OpCos - v.op
		if c, ok := l.g.index[node{other, v.a, 0}]; ok {
			l.emit(c, want, taken)
		}
	}
}

func (l *lowering) append(in Instruction) Ref {
	l.p.Code = append(l.p.Code, in)
	return Ref{ValueRef, int32(len(l.p.Code) - 1)}
}

// operand returns where a node is stored, and whether it is stored with the other
// sign.
func (l *lowering) operand(n Node) (Ref, bool) {
	at := n.abs()
	if l.g.nodes[at].op == opConst {
		return l.constant(n), false
	}
	return l.at[at], l.flipped[at] != (n < 0)
}

// exact returns where a node is with its own sign.
func (l *lowering) exact(n Node) Ref {
	r, flipped := l.operand(n)
	if !flipped {
		return r
	}
	if l.negated == nil {
		l.negated = map[Node]Ref{}
	}
	at, ok := l.negated[n]
	if !ok {
		at = l.append(Instruction{Op: OpNeg, A: r})
		l.negated[n] = at
	}
	return at
}

// constant returns the operand of a constant.
func (l *lowering) constant(n Node) Ref {
	c, _ := l.g.constantOf(n)
	key := c.key()
	i, ok := l.constants[key]
	if !ok {
		i = int32(len(l.p.Consts))
		k := Constant{Value: c.value}
		if c.isExact {
			k.Exact = c.exact.String()
		}
		l.p.Consts = append(l.p.Consts, k)
		l.constants[key] = i
	}
	return Ref{ConstRef, i}
}
