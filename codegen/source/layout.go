package source

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"ident/symbolic"
)

// argument is an argument of a function: a vector of a group's inputs, or a
// scalar.
type argument struct {
	name   string
	scalar bool
	first  int // index of its first input
	inputs []symbolic.Input
}

// argumentsOf lists a program's arguments by the names that they have there.
func argumentsOf(p *symbolic.Program) []argument {
	var args []argument
	for i, in := range p.Inputs {
		if !alone(in) && len(args) > 0 && !args[len(args)-1].scalar && args[len(args)-1].name == in.Group {
			a := &args[len(args)-1]
			a.inputs = append(a.inputs, in)
			continue
		}
		a := argument{name: in.Group, first: i, inputs: []symbolic.Input{in}}
		if alone(in) {
			a.name, a.scalar = in.Name, true
		}
		args = append(args, a)
	}
	return args
}

// alone reports whether an input is an argument of its own: inputs without a group,
// and the symbols of the geometry, which have names in the robot's file.
func alone(in symbolic.Input) bool { return in.Group == "" || in.Kind == symbolic.Geometry }

// entry is an element of an output and the name of its value.
type entry struct {
	row, col int
	value    string
}

// result is an output under the name that it has in the text.
type result struct {
	*symbolic.Output
	name    string
	entries []entry // row by row, zeros too
}

// function is a program laid out in a language: names chosen, short values
// written where they are used.
type function struct {
	program *symbolic.Program
	args    []argument
	results []result
	lines   []assignment
	ctx     context.Context // lines may be missing once it is done
}

// assignment defines a value.
type assignment struct {
	name, text string
}

// every is the number of lines between two looks at a context.
const every = 4096

// assignments returns the lines, up to the end of the context.
func (f *function) assignments() iter.Seq[assignment] {
	return func(yield func(assignment) bool) {
		for i, l := range f.lines {
			if i%every == 0 && f.ctx.Err() != nil || !yield(l) {
				return
			}
		}
	}
}

// scalar reports whether a result is one number. Results that are by joint or by parameter keep their axes where there is one
// of these: callers of the model of a robot of any size then write the same.
func (r *result) scalar() bool { return r.Scalar() }
func (r *result) vector() bool { return r.Vector() }

// layOut chooses the names of a program in a language and writes its values.
func (d *dialect) layOut(p *symbolic.Program, reserved ...string) *function {
	names := d.names(reserved...)
	f := &function{program: p, args: argumentsOf(p), ctx: d.ctx}
	for i := range f.args {
		f.args[i].name = names.choose(f.args[i].name)
	}
	f.results = make([]result, len(p.Outputs))
	for i := range p.Outputs {
		f.results[i] = result{Output: &p.Outputs[i], name: names.choose(p.Outputs[i].Name)}
	}
	w := newWords(d, f, names)
	for i := range p.Code {
		if i%every == 0 && d.ctx.Err() != nil {
			return f
		}
		w.instruction(i)
	}
	f.lines = w.lines
	for i := range f.results {
		r := &f.results[i]
		for row := range r.Rows {
			for col := range r.Cols {
				text, _ := w.operand(r.At(row, col))
				r.entries = append(r.entries, entry{row, col, text})
			}
		}
	}
	return f
}

// names gives every value a name of its own.
type names struct {
	d     *dialect
	taken map[string]bool
	next  int
}

func (d *dialect) names(reserved ...string) *names {
	n := &names{d: d, taken: map[string]bool{}}
	for _, list := range [][]string{d.keywords, d.taken, reserved} {
		for _, k := range list {
			n.taken[d.fold(k)] = true
		}
	}
	return n
}

// choose returns the name, with a number after it where it is taken.
func (n *names) choose(name string) string {
	name = strings.TrimLeft(name, "_")
	if !identifier(name) {
		name = "x"
	}
	if len(name) > longest-8 {
		name = name[:longest-8]
	}
	chosen := name
	for i := 2; n.taken[n.d.fold(chosen)]; i++ {
		chosen = fmt.Sprintf("%s_%d", name, i)
	}
	n.taken[n.d.fold(chosen)] = true
	return chosen
}

// fresh returns a name for a value without one.
func (n *names) fresh() string {
	for {
		n.next++
		name := fmt.Sprintf("t%d", n.next)
		if !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
}
