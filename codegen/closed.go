package codegen

import (
	"fmt"
	"strings"

	"ident/internal/recursion"
	"ident/loops"
	"ident/regressor"
	"ident/symbolic"
)

// closing is a closed robot's part of a maker: the formulas of its loops, with the dependent joints'
// accelerations at steady rates of the driven ones.
type closing struct {
	*loops.Formulas
	steady []symbolic.Node
	names  []string // joints of the tree
	cut    []string // joints of the cuts
}

// closeLoops puts the tree of a closed robot on the graph with its coordinates as functions of the
// driven joints'. The geometry is numeric, as the formulas of the loops are.
func (m *maker) closeLoops(opt Options) error {
	if opt.Geometry {
		return fmt.Errorf("robot %q: its loops are closed with numbers; give every symbol of its geometry a value, and keep none as an argument", m.r.Name)
	}
	model, err := regressor.NewDynamic(m.r, []regressor.Term{regressor.Links})
	if err != nil {
		return err
	}
	tracker := model.Loops()
	c := tracker.Closure()
	tree := c.DOF()
	coordinates := func(g *symbolic.Graph) (*recursion.Coordinates, error) {
		m.g = g
		for _, k := range tracker.Driven() {
			m.motionInput(c.Joints()[k], c.IsRevolute(k))
		}
		f, err := tracker.OnGraph(g, m.q, m.dq, m.ddq)
		if err != nil {
			return nil, err
		}
		still, err := tracker.OnGraph(g, m.q, m.dq, make([]symbolic.Node, len(m.q)))
		if err != nil {
			return nil, err
		}
		m.closed = &closing{Formulas: f, steady: still.Acceleration[:tree], names: c.Joints()[:tree], cut: c.Joints()[tree:]}
		return &recursion.Coordinates{Q: f.Position[:tree], DQ: f.Rate[:tree], DDQ: f.Acceleration[:tree], Cos: f.Cos[:tree], Sin: f.Sin[:tree]}, nil
	}
	if m.t, err = recursion.New(m.r.Cut(), recursion.Options{Gravity: opt.Gravity, Coordinates: coordinates}); err != nil {
		return err
	}
	for _, k := range tracker.Driven() {
		m.drivenBy(k)
	}
	return nil
}

// motionInput declares position, rate and acceleration of the next driven joint.
func (m *maker) motionInput(joint string, revolute bool) {
	unit := "m"
	if revolute {
		unit = "rad"
	}
	i := len(m.q)
	input := func(group, unit, doc string) symbolic.Node {
		return m.g.Input(symbolic.Input{Name: label(group, i), Kind: symbolic.Motion, Group: group, Index: i, Unit: unit, Doc: doc + " of joint " + joint})
	}
	m.q = append(m.q, input("q", unit, "position"))
	m.dq = append(m.dq, input("dq", unit+"/s", "velocity"))
	m.ddq = append(m.ddq, input("ddq", unit+"/s²", "acceleration"))
}

// closedDoc says how the loops are closed.
func (m *maker) closedDoc() []string {
	if m.closed == nil {
		return nil
	}
	return []string{"closed loops: the joints are the driven ones, the tree's joints are " + strings.Join(m.closed.names, " "),
		"one assembly of the loops, where every entry of the model loop-solution's guard is positive"}
}

// onDriven returns Gᵀ·v for one entry a coordinate of the tree: torques of the driven joints, or a
// row of a Jacobian by them. A tree's are its own.
func (m *maker) onDriven(v []symbolic.Node) []symbolic.Node {
	if m.closed == nil {
		return v
	}
	out := make([]symbolic.Node, len(m.joints))
	for k, x := range v {
		for i := range out {
			out[i] = m.g.Add(out[i], m.g.Mul(m.closed.Jacobian[k][i], x))
		}
	}
	return out
}

// rowsOnDriven returns Gᵀ·D.
func (m *maker) rowsOnDriven(d [][]symbolic.Node) [][]symbolic.Node {
	return m.weighted(d, false)
}

// weighted returns Gᵀ·D, or with rate Ġᵀ·D.
func (m *maker) weighted(d [][]symbolic.Node, rate bool) [][]symbolic.Node {
	if m.closed == nil {
		return d
	}
	by := m.closed.Jacobian
	if rate {
		by = m.closed.JacobianRate
	}
	out := make([][]symbolic.Node, len(m.joints))
	for i := range out {
		out[i] = make([]symbolic.Node, len(d[0]))
		for k := range d {
			for c, x := range d[k] {
				out[i][c] = m.g.Add(out[i][c], m.g.Mul(by[k][i], x))
			}
		}
	}
	return out
}

// momentaOnDriven returns Gᵀ·D1 and Gᵀ·D2 − Ġᵀ·D1: of d/dt(Gᵀ·D1) the part that is no torque.
func (m *maker) momentaOnDriven(d1, d2 [][]symbolic.Node) (a, b [][]symbolic.Node) {
	if m.closed == nil {
		return d1, d2
	}
	a, b = m.weighted(d1, false), m.weighted(d2, false)
	for i, row := range m.weighted(d1, true) {
		for c, x := range row {
			b[i][c] = m.g.Sub(b[i][c], x)
		}
	}
	return a, b
}

// betweenDriven returns Gᵀ·A·G for a symmetric matrix of the tree's coordinates.
func (m *maker) betweenDriven(a [][]symbolic.Node) [][]symbolic.Node {
	if m.closed == nil {
		return a
	}
	half := m.rowsOnDriven(a) // Gᵀ·A
	out := make([][]symbolic.Node, len(half))
	for i := range half {
		out[i] = m.onDriven(half[i])
	}
	// Products of G are summed in another order across the diagonal.
	for i := range out {
		for j := range i {
			out[i][j] = out[j][i]
		}
	}
	return out
}
