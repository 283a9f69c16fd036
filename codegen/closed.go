package codegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/mechanics/loops"
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// closing is a closed robot's part of a maker: the formulas of its loops, with the dependent joints'
// accelerations at steady rates of the driven ones.
type closing struct {
	*loops.Formulas
	tracker *loops.Tracker
	steady  []symbolic.Node
	names   []string    // joints of the tree
	at      []float64   // positions of the driven joints at the assembly
	cuts    []loops.Cut // where the frames at the cuts are links of the tree too
	newton  bool        // no formulas: positions of all joints are arguments, and JacobianRate is not known
	phi     []symbolic.Node
}

// closeLoops puts the tree of a closed robot on the graph with its coordinates as functions of the
// driven joints', with cuts behind its links the frames at the cuts. The geometry is numeric, as the
// formulas of the loops are.
func (m *maker) closeLoops(opt Options, cuts bool) error {
	if opt.Geometry {
		return fmt.Errorf("robot %q: its loops are closed with numbers; give every symbol of its geometry a value, and keep none as an argument", m.r.Name)
	}
	model, err := regressor.NewDynamic(m.r, []regressor.Term{regressor.Links})
	if err != nil {
		return err
	}
	tracker := model.Loops()
	c := tracker.Closure()
	tree, cutTree := c.DOF(), m.r.Cut()
	var extended []loops.Cut
	if cuts {
		tree = c.DOF() + c.Cuts()
		cutTree, extended = c.Extended()
	}
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
		m.closed = &closing{Formulas: f, tracker: tracker, steady: still.Acceleration[:tree], names: c.Joints()[:tree], cuts: extended}
		start := tracker.Start().Q
		for _, k := range tracker.Driven() {
			m.closed.at = append(m.closed.at, start[k])
		}
		return &recursion.Coordinates{Q: f.Position[:tree], DQ: f.Rate[:tree], DDQ: f.Acceleration[:tree], Cos: f.Cos[:tree], Sin: f.Sin[:tree]}, nil
	}
	if m.t, err = recursion.New(cutTree, recursion.Options{Gravity: opt.Gravity, Coordinates: coordinates}); errors.Is(err, loops.ErrNoFormulas) && !cuts {
		m.q, m.dq, m.ddq = nil, nil, nil
		return m.closeByNewton(opt, tracker)
	} else if err != nil {
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

// atSteadyRates returns the motion of the tree at the program's rates alone: where loops are closed the
// dependent joints have accelerations all the same.
func (c *closing) atSteadyRates(t *recursion.Tree) recursion.Rates {
	if c == nil {
		return recursion.Rates{DQ: t.DQ}
	}
	return recursion.Rates{DQ: t.DQ, DDQ: c.steady}
}

// doc says how the loops are closed.
func (c *closing) doc() []string {
	if c == nil {
		return nil
	}
	if c.newton {
		return []string{"closed loops without formulas: q are the positions of all joints, " + strings.Join(c.names, " ") + ", in a closed state, as the Newton step",
			"of the model loop-solution gives them; rates, accelerations and torques are those of the driven joints"}
	}
	return []string{"closed loops: the joints are the driven ones, the tree's joints are " + strings.Join(c.names, " "),
		"one assembly of the loops, where every entry of the model loop-solution's guard is positive"}
}

// onDriven returns Gᵀ·v for one entry per coordinate of the tree: torques of the driven joints, or a
// row of a Jacobian by them. A tree's, of a nil closing, are its own.
func (c *closing) onDriven(g *symbolic.Graph, v []symbolic.Node) []symbolic.Node {
	if c == nil {
		return v
	}
	out := make([]symbolic.Node, len(c.Driven))
	for k, x := range v {
		for i := range out {
			out[i] = g.Add(out[i], g.Mul(c.Jacobian[k][i], x))
		}
	}
	return out
}

// along returns G·v, the tree's values of those of the driven joints; of a tree, of a nil closing, its own.
func (c *closing) along(g *symbolic.Graph, v []symbolic.Node) []symbolic.Node {
	if c == nil {
		return v
	}
	out := make([]symbolic.Node, len(c.steady))
	for k := range out {
		for i, x := range v {
			out[k] = g.Add(out[k], g.Mul(c.Jacobian[k][i], x))
		}
	}
	return out
}

// accelerations returns those of the tree's joints at accelerations of the driven ones and the program's rates.
func (c *closing) accelerations(g *symbolic.Graph, driven []symbolic.Node) []symbolic.Node {
	out := c.along(g, driven)
	if c == nil {
		return out
	}
	for k := range out {
		out[k] = g.Add(c.steady[k], out[k])
	}
	return out
}

// ofDriven returns the driven joints' of the positions that are arguments, which are all joints' where loops have no formulas.
func (c *closing) ofDriven(q []symbolic.Node) []symbolic.Node {
	if c == nil || !c.newton {
		return q
	}
	out := make([]symbolic.Node, len(c.Driven))
	for i, k := range c.Driven {
		out[i] = q[k]
	}
	return out
}

// rows returns Gᵀ·D.
func (c *closing) rows(g *symbolic.Graph, d [][]symbolic.Node) [][]symbolic.Node {
	if c == nil {
		return d
	}
	return transposedTimes(g, c.Jacobian, d)
}

// transposedTimes returns Gᵀ·D for rows of G and of D by coordinates of the tree.
func transposedTimes(g *symbolic.Graph, by, d [][]symbolic.Node) [][]symbolic.Node {
	out := make([][]symbolic.Node, len(by[0]))
	for i := range out {
		out[i] = make([]symbolic.Node, len(d[0]))
		for k := range d {
			for c, x := range d[k] {
				out[i][c] = g.Add(out[i][c], g.Mul(by[k][i], x))
			}
		}
	}
	return out
}

// momenta returns Gᵀ·D1 and Gᵀ·D2 − Ġᵀ·D1: of d/dt(Gᵀ·D1) the part that is no torque.
func (c *closing) momenta(g *symbolic.Graph, d1, d2 [][]symbolic.Node) (a, b [][]symbolic.Node) {
	if c == nil {
		return d1, d2
	}
	a, b = c.rows(g, d1), c.rows(g, d2)
	for i, row := range transposedTimes(g, c.JacobianRate, d1) {
		for k, x := range row {
			b[i][k] = g.Sub(b[i][k], x)
		}
	}
	return a, b
}

// between returns Gᵀ·A·G for a symmetric matrix of the tree's coordinates.
func (c *closing) between(g *symbolic.Graph, a [][]symbolic.Node) [][]symbolic.Node {
	if c == nil {
		return a
	}
	half := c.rows(g, a) // Gᵀ·A
	out := make([][]symbolic.Node, len(half))
	for i := range half {
		out[i] = c.onDriven(g, half[i])
	}
	// Products of G are summed in another order across the diagonal.
	for i := range out {
		for j := range i {
			out[i][j] = out[j][i]
		}
	}
	return out
}

// closeByNewton puts the tree of a robot whose loops have no formulas on the graph. The positions of all coordinates, those of cut joints last, are arguments, in a
// closed state that the caller has found (loop-solution has the step for it). Rates and accelerations of the dependent joints follow from the driven ones' by
// the loops' equations W·dq = 0 and W·ddq + psi = 0, with the rows and pivots that are largest at the robot's assembly.
func (m *maker) closeByNewton(opt Options, tracker *loops.Tracker) error {
	c := tracker.Closure()
	ext, cuts := c.Extended()
	all := c.DOF() + c.Cuts()
	m.g = symbolic.NewGraph()
	for k := range all {
		unit := "m"
		if c.IsRevolute(k) {
			unit = "rad"
		}
		m.q = append(m.q, m.g.Input(symbolic.Input{Name: label("q", k), Kind: symbolic.Motion, Group: "q", Index: k, Unit: unit, Doc: "position of joint " + c.Joints()[k]}))
	}
	for i, k := range tracker.Driven() {
		unit := "m"
		if c.IsRevolute(k) {
			unit = "rad"
		}
		m.dq = append(m.dq, m.g.Input(symbolic.Input{Name: label("dq", i), Kind: symbolic.Motion, Group: "dq", Index: i, Unit: unit + "/s", Doc: "velocity of joint " + c.Joints()[k]}))
		m.ddq = append(m.ddq, m.g.Input(symbolic.Input{Name: label("ddq", i), Kind: symbolic.Motion, Group: "ddq", Index: i, Unit: unit + "/s²", Doc: "acceleration of joint " + c.Joints()[k]}))
	}
	on := func(r *robot.Robot, n int, dq, ddq []symbolic.Node) (*recursion.Tree, error) {
		none := make([]symbolic.Node, n)
		return recursion.New(r, recursion.Options{Gravity: opt.Gravity, Graph: m.g, Coordinates: func(*symbolic.Graph) (*recursion.Coordinates, error) {
			return &recursion.Coordinates{Q: m.q[:n], DQ: dq[:n], DDQ: ddq[:n], Cos: none, Sin: none}, nil
		}})
	}
	none := make([]symbolic.Node, all)
	still, err := on(ext, all, none, none)
	if err != nil {
		return err
	}
	phi, w, _, _ := (&extended{recursion.Kinematics{Tree: still}, cuts, c.Joints()}).equations()
	start := tracker.Start().Q
	var unknown []int
	for k := range all {
		if !slices.Contains(tracker.Driven(), k) {
			unknown = append(unknown, k)
		}
	}
	pivots := largestPivots(m.g, w, unknown, m.q, start)
	if len(pivots) != len(unknown) {
		return fmt.Errorf("robot %q: %w: its loops do not determine all joints at the assembly", m.r.Name, loops.ErrNoFormulas)
	}
	// solved returns all coordinates' values with W·x = −right and those of the driven joints given.
	solved := func(right, driven []symbolic.Node) []symbolic.Node {
		negative := make([]symbolic.Node, len(right))
		for i := range right {
			negative[i] = -right[i]
			for d, k := range tracker.Driven() {
				negative[i] = m.g.Sub(negative[i], m.g.Mul(w[i][k], driven[d]))
			}
		}
		out := make([]symbolic.Node, all)
		for d, k := range tracker.Driven() {
			out[k] = driven[d]
		}
		for i, v := range eliminated(m.g, w, negative, pivots) {
			out[pivots[i].col] = v
		}
		return out
	}
	n := len(tracker.Driven())
	jacobian := make([][]symbolic.Node, all)
	rate := make([]symbolic.Node, all)
	for d := range n {
		one := make([]symbolic.Node, n)
		one[d] = symbolic.One
		for k, v := range solved(make([]symbolic.Node, len(w)), one) {
			jacobian[k] = append(jacobian[k], v)
			rate[k] = m.g.Add(rate[k], m.g.Mul(v, m.dq[d]))
		}
	}
	moving, err := on(ext, all, rate, none)
	if err != nil {
		return err
	}
	_, _, psi, _ := (&extended{recursion.Kinematics{Tree: moving}, cuts, c.Joints()}).equations()
	steady := solved(psi, make([]symbolic.Node, n))
	acceleration := make([]symbolic.Node, all)
	for k := range all {
		acceleration[k] = steady[k]
		for d := range n {
			acceleration[k] = m.g.Add(acceleration[k], m.g.Mul(jacobian[k][d], m.ddq[d]))
		}
	}
	if m.t, err = on(m.r.Cut(), c.DOF(), rate, acceleration); err != nil {
		return err
	}
	m.closed = &closing{Formulas: &loops.Formulas{Driven: tracker.Driven(), Position: m.q, Rate: rate, Acceleration: acceleration, Jacobian: jacobian[:c.DOF()]},
		tracker: tracker, steady: steady[:c.DOF()], names: c.Joints(), at: start, newton: true, phi: phi}
	for _, k := range tracker.Driven() {
		m.drivenBy(k)
	}
	return nil
}
