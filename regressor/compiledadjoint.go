package regressor

import "ident/symbolic"

// adjointProgram is working memory of the compiled Pullback for one goroutine.
type adjointProgram struct {
	of      *symbolic.Machine
	scratch *symbolic.Scratch
	in, out [][]float64 // out: the gradient by q, dq and ddq, joint by joint
}

// pullback adds the gradient of the links' columns.
func (p *programs) pullback(gamma *Block, ad *Adjoint) {
	a, columns := &ad.program, p.dynamic()
	machine := p.adjoint()
	motion, grad := [3][][]float64{ad.motion.q, ad.motion.dq, ad.motion.ddq}, [3][][]float64{ad.grad.q, ad.grad.dq, ad.grad.ddq}
	if a.of != machine {
		*a = adjointProgram{of: machine, scratch: machine.NewScratch(), out: make([][]float64, machine.Entries())}
	}
	if len(a.out) > 0 && len(a.out[0]) < gamma.Rows {
		for i := range a.out {
			a.out[i] = make([]float64, gamma.Rows)
		}
	}
	a.in = a.in[:0]
	for _, v := range motion {
		a.in = append(a.in, v...)
	}
	for _, e := range columns.entries {
		a.in = append(a.in, gamma.Joint[e.row][e.at])
	}
	machine.Run(a.out, a.in, gamma.Rows, a.scratch)
	at := 0
	for _, g := range grad {
		for _, to := range g {
			for t, v := range a.out[at][:gamma.Rows] {
				to[t] += v
			}
			at++
		}
	}
}
