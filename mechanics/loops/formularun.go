package loops

import (
	"math"

	"ident/symbolic"
)

// formulaRun is the memory of one goroutine for the programs of formulas.
type formulaRun struct {
	scratch [2]*symbolic.Scratch
	in, out [][]float64
	vectors [][]float64 // guards, cosines and sines, positions in closed form
	unused  [][]float64 // takes rates of G for a path without them
	last    []float64   // G at the last sample
	next    []float64   // angles of a sample
	room    int         // samples
}

func (x *formulaRun) grow(e *formulas, n int) {
	if n <= x.room {
		return
	}
	rows := func(k int) [][]float64 { return Rows(make([]float64, k*n), n) }
	x.room = n
	x.vectors, x.unused = rows(e.guards+2*len(e.angles)+len(e.closedForm)), rows(e.pairs)
	if x.last != nil {
		return
	}
	x.last, x.next = make([]float64, e.pairs), make([]float64, len(e.angles))
	for i, m := range e.program {
		x.scratch[i] = m.NewScratch()
	}
}

// holds reports whether the formulas hold at sample l, every triangle far enough
// from flat.
func (x *formulaRun) holds(e *formulas, l int) bool {
	for _, g := range x.vectors[:e.guards] {
		if !(g[l] > 0) {
			return false
		}
	}
	return true
}

// run evaluates the formulas at n samples of the driven joints' motion, without
// regard to whole turns and to whether they hold.
func (e *formulas) run(x *formulaRun, p *Path, m *Drive, first, n int) {
	x.grow(e, n)
	x.in, x.out = x.in[:0], x.out[:0]
	kind := withJacobianRate
	lists := [3][][]float64{m.Q, m.DQ}
	if m.DDQ != nil {
		kind, lists[2] = withAccelerations, m.DDQ
	}
	for _, list := range lists {
		for _, v := range list {
			x.in = append(x.in, v[first:first+n])
		}
	}
	add := func(list [][]float64) {
		for _, v := range list {
			x.out = append(x.out, v[:n])
		}
	}
	add(x.vectors)
	add(p.Jacobian)
	for _, k := range e.unknown {
		x.out = append(x.out, p.DQ[k][:n])
	}
	switch {
	case kind == withAccelerations:
		for _, k := range e.unknown {
			x.out = append(x.out, p.DDQ[k][:n])
		}
	case p.JacobianRate != nil:
		add(p.JacobianRate)
	default:
		add(x.unused)
	}
	e.program[kind].Run(x.out, x.in, n, x.scratch[kind])
}

// onTurnOf brings an angle to the turn of a near one.
func onTurnOf(angle, near float64) float64 {
	return angle + 2*math.Pi*math.RoundToEven((near-angle)/(2*math.Pi))
}
