package loops

import (
	"fmt"
	"slices"

	"ident/symbolic"
)

// formulas close all loops of a tracker, as programs that run on blocks of
// samples. Their outputs are, in order: guards, cosine and sine of each of angles,
// positions in closed form, the entries of G, rates of the tree's dependent
// coordinates, and their accelerations or the rates of G.
type formulas struct {
	angles     []angle // coordinates whose position is the angle of a vector
	closedForm []int   // coordinates whose position needs no angle
	unknown    []int   // dependent coordinates of the tree
	guards     int     // outputs that are positive where the formulas hold
	pairs      int
	program    [2]*symbolic.Machine // withAccelerations, withJacobianRate
}

const (
	withAccelerations = 0
	withJacobianRate  = 1
)

// angle is a coordinate with the pairs of G in its row.
type angle struct {
	coord int
	pairs []int
}

// newFormulas looks for formulas of all loops; nil where there are none. It takes
// from the tracker's pairs those that the formulas show to be zero.
func (t *Tracker) newFormulas(ref reference) *formulas {
	e := &formulas{}
	for kind := range e.program {
		s, args := t.solveLoops(ref, kind)
		if s == nil {
			return nil
		}
		if kind == withAccelerations {
			t.dropZeroPairs(s)
			e.list(t, s)
		}
		out := e.outputs(t, s, kind)
		e.program[kind] = symbolic.Compile(s.g.Program("closing", args, symbolic.Result{Name: "c", Rows: 1, Cols: len(out), Entries: out}))
	}
	return e
}

// outputs lists the nodes of a program's outputs.
func (e *formulas) outputs(t *Tracker, s *solver, kind int) []symbolic.Node {
	out := slices.Clone(s.guard)
	for _, a := range e.angles {
		out = append(out, s.phase[a.coord].x, s.phase[a.coord].y)
	}
	for _, k := range e.closedForm {
		out = append(out, s.at[k])
	}
	for _, p := range t.pairs {
		out = append(out, s.jacobian[p.Coord][p.Driven])
	}
	for _, k := range e.unknown {
		out = append(out, s.rate[k])
	}
	if kind == withAccelerations {
		for _, k := range e.unknown {
			out = append(out, s.acc[k])
		}
		return out
	}
	for _, p := range t.pairs {
		out = append(out, s.jacobianRate[p.Coord][p.Driven])
	}
	return out
}

// dropZeroPairs drops the pairs that the formulas show to be zero: those of
// joints in loops that drives outside of them do not move.
func (t *Tracker) dropZeroPairs(s *solver) {
	var kept []Pair
	for i, p := range t.pairs {
		if t.absent[i] = s.jacobian[p.Coord][p.Driven] == 0; !t.absent[i] {
			kept = append(kept, p)
		}
	}
	t.pairs = kept
}

func (e *formulas) list(t *Tracker, s *solver) {
	e.guards, e.pairs = len(s.guard), len(t.pairs)
	for k := range t.c.unit {
		if slices.Contains(t.driven, k) {
			continue
		}
		if k < t.c.dof {
			e.unknown = append(e.unknown, k)
		}
		if s.closedForm[k] {
			e.closedForm = append(e.closedForm, k)
			continue
		}
		a := angle{coord: k}
		for i, p := range t.pairs {
			if p.Coord == k {
				a.pairs = append(a.pairs, i)
			}
		}
		e.angles = append(e.angles, a)
	}
}

// solveLoops solves all loops on a graph of its own, whose inputs are positions, rates and
// accelerations of the driven joints; nil where it cannot.
func (t *Tracker) solveLoops(ref reference, kind int) (*solver, []symbolic.Node) {
	g := symbolic.NewGraph()
	var args []symbolic.Node
	input := func(group string) []symbolic.Node {
		var to []symbolic.Node
		for i := range t.driven {
			to = append(to, g.Input(symbolic.Input{Name: fmt.Sprintf("%s%d", group, i+1), Group: group, Index: i}))
		}
		args = append(args, to...)
		return to
	}
	q, dq := input("q"), input("dq")
	var ddq []symbolic.Node
	if kind == withAccelerations {
		ddq = input("ddq")
	}
	s := t.newSolver(g, q, dq, ddq)
	if !t.solveOn(s, ref) {
		return nil, nil
	}
	return s, args
}

// solveOn solves all loops with a solver; it returns false where it cannot.
func (t *Tracker) solveOn(s *solver, ref reference) bool {
	for _, g := range t.groups {
		left := make([]*contour, len(g.loops))
		for i := range g.loops {
			left[i] = &g.loops[i]
		}
		for len(left) > 0 {
			rest := slices.DeleteFunc(slices.Clone(left), func(con *contour) bool { return s.solve(con, ref, t.c.unit) })
			if len(rest) == len(left) {
				return false
			}
			left = rest
		}
	}
	return true
}

// newSolver returns a solver that knows the driven joints. It finds accelerations where theirs are
// given, and rates of G otherwise.
func (t *Tracker) newSolver(g *symbolic.Graph, q, dq, ddq []symbolic.Node) *solver {
	n, nd := len(t.c.unit), len(t.driven)
	s := &solver{g: g, known: make([]bool, n), at: make([]symbolic.Node, n), closedForm: make([]bool, n),
		phase: make([]cplx, n), rate: make([]symbolic.Node, n)}
	table := func() [][]symbolic.Node {
		rows := make([][]symbolic.Node, n)
		for k := range rows {
			rows[k] = make([]symbolic.Node, nd)
		}
		return rows
	}
	s.jacobian = table()
	if ddq != nil {
		s.acc = make([]symbolic.Node, n)
	} else {
		s.jacobianRate = table()
	}
	for i, k := range t.driven {
		s.at[k], s.rate[k] = q[i], dq[i]
		if ddq != nil {
			s.acc[k] = ddq[i]
		}
		s.known[k], s.closedForm[k] = true, true
		s.jacobian[k][i] = symbolic.One
	}
	return s
}

// solve solves one loop if the others have left it few enough unknowns.
func (s *solver) solve(con *contour, ref reference, unit []float64) bool {
	if con.linear != nil {
		return s.coupling(con, unit)
	}
	if con.plane == nil || con.spherical {
		return false
	}
	pl := con.plane.clone()
	pl.sides[0].walk(ref.q)
	pl.sides[1].walk(ref.q)
	return s.dyad(pl, ref)
}
