package source

import (
	"fmt"

	"ident/symbolic"
)

// words writes the values of a program as text.
type words struct {
	d     *dialect
	f     *function
	names *names
	users []int    // how many operands and outputs a value is
	into  []bool   // may be written where it is used
	entry []string // the name of the output's entry that a value is, "" for others
	where []string // the text of each input
	text  []string // of each value where it is used
	level []int
	lines []assignment
}

// Levels of binding: an operation of a higher level needs no parentheses within a
// lower one.
const (
	levelSum = iota + 1
	levelProduct
	levelAtom
)

// inlineLength is how long the text of a value may be to stand within another:
// a line of two of them fits 132 columns, the limit of Fortran.
const inlineLength = 48

func newWords(d *dialect, f *function, names *names) *words {
	p := f.program
	w := &words{d: d, f: f, names: names, users: make([]int, len(p.Code)), into: make([]bool, len(p.Code)),
		entry: make([]string, len(p.Code)), where: make([]string, len(p.Inputs)), text: make([]string, len(p.Code)), level: make([]int, len(p.Code))}
	for _, a := range f.args {
		for i := range a.inputs {
			w.where[a.first+i] = a.name
			if !a.scalar {
				w.where[a.first+i] = d.element(a.name, i)
			}
		}
	}
	use := func(r symbolic.Ref, inline bool) {
		if r.Kind == symbolic.ValueRef {
			w.users[r.Index]++
			w.into[r.Index] = inline
		}
	}
	for _, in := range p.Code {
		// The sign of a value is written with the value twice in some languages.
		inline := in.Op != symbolic.OpSign
		use(in.A, inline)
		if in.Op.Binary() {
			use(in.B, inline)
		}
	}
	for i := range p.Outputs {
		o := &p.Outputs[i]
		for row := range o.Rows {
			for col := range o.Cols {
				r := o.At(row, col)
				use(r, false)
				if r.Kind == symbolic.ValueRef && w.entry[r.Index] == "" {
					w.entry[r.Index] = o.EntryName(row, col)
				}
			}
		}
	}
	return w
}

// operand returns the text of an operand and how tightly it binds.
func (w *words) operand(r symbolic.Ref) (string, int) {
	switch r.Kind {
	case symbolic.InputRef:
		return w.where[r.Index], levelAtom
	case symbolic.ValueRef:
		return w.text[r.Index], w.level[r.Index]
	}
	c := w.f.program.Consts[r.Index].Value
	if c < 0 {
		return w.d.number(c), levelSum
	}
	return w.d.number(c), levelAtom
}

// bound returns the text of an operand of something that binds at a level, in
// parentheses if it binds less.
func (w *words) bound(r symbolic.Ref, level int) string {
	text, at := w.operand(r)
	if at < level {
		return "(" + text + ")"
	}
	return text
}

// instruction writes value i: on a line of its own, or where it is used.
func (w *words) instruction(i int) {
	in := w.f.program.Code[i]
	text, level := "", levelAtom
	switch in.Op {
	case symbolic.OpAdd:
		text, level = w.bound(in.A, levelSum)+" + "+w.bound(in.B, levelProduct), levelSum
	case symbolic.OpSub:
		text, level = w.bound(in.A, levelSum)+" - "+w.bound(in.B, levelProduct), levelSum
	case symbolic.OpMul:
		text, level = w.bound(in.A, levelProduct)+"*"+w.bound(in.B, levelAtom), levelProduct
	case symbolic.OpDiv:
		text, level = w.bound(in.A, levelProduct)+"/"+w.bound(in.B, levelAtom), levelProduct
	case symbolic.OpNeg:
		text, level = "-"+w.bound(in.A, levelProduct), levelSum
	case symbolic.OpAtan2:
		y, _ := w.operand(in.A)
		x, _ := w.operand(in.B)
		text = fmt.Sprintf(w.d.function[in.Op], y, x)
	default:
		arg, _ := w.operand(in.A)
		text = fmt.Sprintf(w.d.function[in.Op], arg)
	}
	if w.users[i] == 1 && w.into[i] && in.Name == "" && len(text) <= inlineLength && !in.Op.Trigonometric() {
		w.text[i], w.level[i] = text, level
		return
	}
	name := ""
	switch {
	case in.Name != "":
		name = w.names.choose(in.Name)
	case w.entry[i] != "":
		name = w.names.choose(w.entry[i])
	default:
		name = w.names.fresh()
	}
	w.lines = append(w.lines, assignment{name, text})
	w.text[i], w.level[i] = name, levelAtom
}
