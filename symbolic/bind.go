package symbolic

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// largestValue bounds values of inputs, so that products of a few of them stay finite.
const largestValue = 1e30

// ValueError is the error for a value of an input that is not finite, or too large to calculate with.
type ValueError struct {
	Input string
	Value float64
}

// Error names the input and its value.
func (e *ValueError) Error() string {
	return fmt.Sprintf("%s is %g: a value that is written as a number must be finite and at most %g", e.Input, e.Value, largestValue)
}

// Bind returns the program with inputs replaced by their values, simplified
// anew; the inputs that are left keep their order. Values of inputs that it does
// not have are passed over. The errors are that of ctx, and a *ValueError.
func (p *Program) Bind(ctx context.Context, values map[string]float64) (q *Program, err error) {
	for _, in := range p.Inputs {
		if v, ok := values[in.Name]; ok && !(math.Abs(v) <= largestValue) {
			return nil, &ValueError{in.Name, v}
		}
	}
	g := NewGraph()
	err = g.Within(ctx, func() { q = p.bound(g, values) })
	return q, err
}

// bound returns the program on a fresh graph, with values for some inputs.
func (p *Program) bound(g *Graph, values map[string]float64) *Program {
	inputs := make([]Node, len(p.Inputs))
	var args []Node
	for i, in := range p.Inputs {
		if v, ok := values[in.Name]; ok {
			inputs[i] = g.Float(v)
			continue
		}
		inputs[i] = g.Input(in)
		args = append(args, inputs[i])
	}
	values0 := p.replay(g, inputs)
	results := make([]Result, len(p.Outputs))
	for i := range p.Outputs {
		o := &p.Outputs[i]
		results[i] = Result{Name: o.Name, Rows: o.Rows, Cols: o.Cols, Unit: o.Unit, Doc: o.Doc, RowNames: o.RowNames, ColNames: o.ColNames}
		for _, r := range o.Entries {
			results[i].Entries = append(results[i].Entries, values0(r))
		}
	}
	q := g.Program(p.Name, args, results...)
	q.Doc = slices.Clone(p.Doc)
	return q
}

// replay runs the program on a graph, and returns where its values are.
func (p *Program) replay(g *Graph, inputs []Node) func(Ref) Node {
	values := make([]Node, len(p.Code))
	consts := make([]Node, len(p.Consts))
	for i, c := range p.Consts {
		if e, err := Parse(c.Exact); c.Exact != "" && err == nil {
			k := exactly(e)
			consts[i] = g.constant(k)
			continue
		}
		consts[i] = g.Float(c.Value)
	}
	get := func(r Ref) Node {
		switch r.Kind {
		case InputRef:
			return inputs[r.Index]
		case ValueRef:
			return values[r.Index]
		}
		return consts[r.Index]
	}
	for i, in := range p.Code {
		values[i] = g.operate(in.Op, get(in.A), get(in.B))
		if in.Name != "" {
			g.Name(values[i], in.Name)
		}
	}
	return get
}

// operate applies an operation of a program.
func (g *Graph) operate(op Op, a, b Node) Node {
	switch op {
	case OpAdd:
		return g.Add(a, b)
	case OpSub:
		return g.Add(a, -b)
	case OpMul:
		return g.Mul(a, b)
	case OpDiv:
		return g.Div(a, b)
	case OpNeg:
		return -a
	case OpSin:
		return g.Sin(a)
	case OpCos:
		return g.Cos(a)
	case OpSqrt:
		return g.Sqrt(a)
	case OpAbs:
		return g.Abs(a)
	case OpSign:
		return g.Sign(a)
	case OpAsin:
		return g.Asin(a)
	case OpAcos:
		return g.Acos(a)
	case OpAtan2:
		return g.Atan2(a, b)
	}
	return g.Atan(a)
}
