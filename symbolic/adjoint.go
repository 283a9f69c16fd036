package symbolic

import "fmt"

// Adjoint returns the program of the gradient of a weighted sum of this program's
// entries, by reverse accumulation:
//
//	g[i] = Σₖ w[k]·∂out[k]/∂in[i]
//
// Its inputs are those of the program and then one weight w[k] for each entry of
// the outputs, output by output and row by row; its one output is a vector with an
// entry for each input of the program. The sign of a value counts as constant. It
// panics for inverse circular functions, whose derivatives no model needs.
func (p *Program) Adjoint() *Program {
	g := NewGraph()
	args := make([]Node, len(p.Inputs))
	for i, in := range p.Inputs {
		args[i] = g.Input(in)
	}
	value := p.replay(g, args)
	inputBar, codeBar := make([]Node, len(p.Inputs)), make([]Node, len(p.Code))
	raise := func(r Ref, by Node) {
		switch r.Kind {
		case InputRef:
			inputBar[r.Index] = g.Add(inputBar[r.Index], by)
		case ValueRef:
			codeBar[r.Index] = g.Add(codeBar[r.Index], by)
		}
	}
	k := 0
	for i := range p.Outputs {
		for _, r := range p.Outputs[i].Entries {
			w := g.Input(Input{Name: fmt.Sprintf("w%d", k+1), Kind: Motion, Group: "w", Index: k})
			args = append(args, w)
			raise(r, w)
			k++
		}
	}
	for i := len(p.Code) - 1; i >= 0; i-- {
		in, bar := p.Code[i], codeBar[i]
		if bar == 0 {
			continue
		}
		a, b := value(in.A), value(in.B)
		switch in.Op {
		case OpAdd:
			raise(in.A, bar)
			raise(in.B, bar)
		case OpSub:
			raise(in.A, bar)
			raise(in.B, -bar)
		case OpMul:
			raise(in.A, g.Mul(bar, b))
			raise(in.B, g.Mul(bar, a))
		case OpDiv:
			by := g.Div(bar, b)
			raise(in.A, by)
			raise(in.B, -g.Mul(by, value(Ref{ValueRef, int32(i)})))
		case OpNeg:
			raise(in.A, -bar)
		case OpSin:
			raise(in.A, g.Mul(bar, g.Cos(a)))
		case OpCos:
			raise(in.A, -g.Mul(bar, g.Sin(a)))
		case OpSqrt:
			raise(in.A, g.Div(bar, g.Mul(g.Int(2), value(Ref{ValueRef, int32(i)}))))
		case OpAbs:
			raise(in.A, g.Mul(bar, g.Sign(a)))
		case OpSign:
		default:
			panic(fmt.Sprintf("symbolic: no adjoint of %s", in.Op))
		}
	}
	return g.Program(p.Name+"_adjoint", args, Result{Name: "gradient", Rows: len(inputBar), Cols: 1, Entries: inputBar})
}
