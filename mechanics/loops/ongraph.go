package loops

import (
	"fmt"

	"ident/symbolic"
)

// Formulas are the formulas of a tracker's loops on a graph: positions, rates and accelerations of all
// coordinates from those of the driven joints. Slices have one entry per coordinate, those of cut joints
// last. They hold in the tracker's assembly, where every entry of Guards is positive: triangles are far
// enough from flat there.
type Formulas struct {
	Driven []int // coordinates whose motion is given
	// Position is the angle, rad, or the length, m. Cos and Sin are those of the angles that have no
	// form but that of a vector, with Position = atan2(Sin, Cos), and both zero for the others.
	Position, Cos, Sin []symbolic.Node
	Rate               []symbolic.Node
	Acceleration       []symbolic.Node
	// Jacobian is G = ∂q/∂q_driven, a row per coordinate and a column a driven joint, and JacobianRate
	// its derivative by time.
	Jacobian, JacobianRate [][]symbolic.Node
	Guards                 []symbolic.Node
}

// ErrNoFormulas is returned by OnGraph where loops need Newton's method; see Tracker.Explicit.
var ErrNoFormulas = fmt.Errorf("its loops have no formulas: they are not all plane with three joints to be found each, one of them revolute at least")

// OnGraph puts the formulas of all loops on a graph, for positions, rates and accelerations of the
// driven joints there. It returns ErrNoFormulas where some loop has none, and panics where the nodes are
// not one a driven joint.
func (t *Tracker) OnGraph(g *symbolic.Graph, q, dq, ddq []symbolic.Node) (*Formulas, error) {
	if n := len(t.driven); len(q) != n || len(dq) != n || len(ddq) != n {
		panic(fmt.Sprintf("loops: positions of %d, rates of %d and accelerations of %d joints for %d driven ones", len(q), len(dq), len(ddq), n))
	}
	ref := t.reference(t.Start())
	// Nodes exist once, so the second solution costs its rates of G alone.
	first, second := t.newSolver(g, q, dq, ddq), t.newSolver(g, q, dq, nil)
	if !t.Explicit() || !t.solveOn(first, ref) || !t.solveOn(second, ref) {
		return nil, fmt.Errorf("robot %q: %w", t.c.robot, ErrNoFormulas)
	}
	n := len(t.c.unit)
	f := &Formulas{Driven: t.driven, Position: first.at, Cos: make([]symbolic.Node, n), Sin: make([]symbolic.Node, n), Rate: first.rate,
		Acceleration: first.acc, Jacobian: first.jacobian, JacobianRate: second.jacobianRate, Guards: first.guard}
	for k := range n {
		if !first.closedForm[k] {
			f.Cos[k], f.Sin[k] = first.phase[k].x, first.phase[k].y
			f.Position[k] = g.Atan2(f.Sin[k], f.Cos[k])
		}
	}
	return f, nil
}
