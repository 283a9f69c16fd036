package codegen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/mechanics/loops"
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/robot"
	"ident/symbolic"
)

// buildLoops makes loop-solution or loop-constraints.
func buildLoops(ctx context.Context, model Model, r *robot.Robot, opt Options) (p *symbolic.Program, err error) {
	if !r.Closed() {
		return nil, fmt.Errorf("robot %q: %w: it has no closed loops", r.Name, ErrLoopless)
	}
	if model == LoopSolution {
		m, err := newMaker(r, opt, false)
		if err == nil && !m.closed.newton {
			if err := m.g.Within(ctx, func() { p = m.solution() }); err != nil {
				return nil, fmt.Errorf("model %s of robot %q: %w", model, r.Name, err)
			}
			m.t.GravityInputs = nil
			p.Doc = m.header(model)
			return p, nil
		}
		if err != nil && !errors.Is(err, loops.ErrNoFormulas) {
			return nil, err
		}
	}
	numeric, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		return nil, err
	}
	tracker := numeric.Loops()
	x, err := newExtended(tracker)
	if err != nil {
		return nil, err
	}
	build := func() { p = x.constraints() }
	if model == LoopSolution {
		build = func() { p = x.newtonStep(tracker) }
	}
	if err := x.G.Within(ctx, build); err != nil {
		return nil, fmt.Errorf("model %s of robot %q: %w", model, r.Name, err)
	}
	p.Doc = append([]string{fmt.Sprintf("%s of robot %s", model, r.Name), "joints, those of cuts last: " + strings.Join(x.names, " "), "SI units: rad, m, s"}, p.Doc...)
	return p, nil
}

// solution gives the motion of the tree from that of the driven joints, by formulas.
func (m *maker) solution() *symbolic.Program {
	f, tree := m.closed, len(m.closed.names)
	vector := func(name, doc string, v []symbolic.Node, names []string) symbolic.Result {
		return symbolic.Result{Name: name, Rows: len(v), Cols: 1, Entries: v, Doc: doc, RowNames: names}
	}
	var g []symbolic.Node
	for _, row := range f.Jacobian[:tree] {
		g = append(g, row...)
	}
	return m.program("loop_solution", [][]symbolic.Node{m.q, m.dq, m.ddq},
		vector("q_tree", "positions of the tree's joints (rad, m), angles up to whole turns", f.Position[:tree], f.names),
		vector("dq_tree", "their velocities (rad/s, m/s)", f.Rate[:tree], f.names),
		vector("ddq_tree", "their accelerations (rad/s², m/s²)", f.Acceleration[:tree], f.names),
		symbolic.Result{Name: "G", Rows: tree, Cols: len(m.joints), Entries: g, Doc: "derivative of the tree's positions by the driven ones: tau = G'·tau_tree", RowNames: f.names, ColNames: m.joints},
		vector("guard", "positive where the formulas hold: triangles far enough from flat, in their own assembly", f.Guards, nil))
}

// extended is a closed robot's tree with the frames of the cuts as links, on a graph of its own.
type extended struct {
	recursion.Kinematics
	cuts  []loops.Cut
	names []string
}

func newExtended(tracker *loops.Tracker) (*extended, error) {
	r, cuts := tracker.Closure().Extended()
	t, err := recursion.New(r, recursion.Options{})
	if err != nil {
		return nil, err
	}
	return &extended{recursion.Kinematics{Tree: t}, cuts, tracker.Closure().Joints()}, nil
}

// equations returns, a row each, the mismatch of the loops, its derivative by the coordinates and its
// acceleration at steady rates, and names of the rows. With O and e the origins and axes of the two
// frames of a cut, along the axes of the last link that carries both,
//
//	O_a − O_b,  ½·Σ e_b × e_a
//
// the second being the sine of the angle between them times its axis. Spherical cuts have the first
// alone, couplings are linear.
func (x *extended) equations() (phi []symbolic.Node, jac [][]symbolic.Node, psi []symbolic.Node, rows []string) {
	ms := x.Motions(recursion.Rates{DQ: x.DQ}, recursion.Vec{})
	g := x.G
	for i, cut := range x.cuts {
		name := fmt.Sprintf("loop%d", i+1)
		if cut.Linear != nil {
			v := g.Float(cut.Offset)
			row := make([]symbolic.Node, len(x.Q))
			for c := range row {
				row[c] = g.Float(cut.Linear[c])
				v = g.Add(v, g.Mul(row[c], x.Q[c]))
			}
			phi, jac, psi, rows = append(phi, v), append(jac, row), append(psi, 0), append(rows, name)
			continue
		}
		common := x.Common(cut.Frame, cut.Meets)
		var place [2]recursion.Frame
		var screws [2][]recursion.Screw
		var drift [2]recursion.Screw
		for side, link := range []int{cut.Frame, cut.Meets} {
			place[side] = x.Place(common, link)
			screws[side] = x.Beyond(common, link)
			if link >= 0 {
				drift[side] = recursion.Screw{A: x.Turned(link, common, ms[link].DW), V: x.Turned(link, common, ms[link].DV)}
			}
		}
		var skew recursion.Vec
		for a := range 3 {
			p, q := place[1].Axes[a], place[0].Axes[a]
			for k := range 3 {
				i, j := (k+1)%3, (k+2)%3
				skew[k] = g.Add(skew[k], g.Mul(g.Rat(1, 2), g.Sub(g.Mul(p[i], q[j]), g.Mul(p[j], q[i]))))
			}
		}
		add := func(what string, v recursion.Vec, of func(s *recursion.Screw) recursion.Vec) {
			for k := range 3 {
				row := make([]symbolic.Node, len(x.Q))
				for c := range row {
					row[c] = g.Sub(of(&screws[0][c])[k], of(&screws[1][c])[k])
				}
				phi, jac, rows = append(phi, v[k]), append(jac, row), append(rows, name+what+"xyz"[k:k+1])
				psi = append(psi, g.Sub(of(&drift[0])[k], of(&drift[1])[k]))
			}
		}
		var apart recursion.Vec
		for k := range apart {
			apart[k] = g.Sub(place[0].Origin[k], place[1].Origin[k])
		}
		add(" ", apart, func(s *recursion.Screw) recursion.Vec { return s.V })
		if !cut.Spherical {
			add(" r", skew, func(s *recursion.Screw) recursion.Vec { return s.A })
		}
	}
	return phi, jac, psi, rows
}

// constraints returns the program of the equations.
func (x *extended) constraints() *symbolic.Program {
	phi, jac, psi, rows := x.equations()
	var all []symbolic.Node
	for _, row := range jac {
		all = append(all, row...)
	}
	n := len(phi)
	return x.G.Program("loop_constraints", slices.Concat(x.Q, x.DQ),
		symbolic.Result{Name: "phi", Rows: n, Cols: 1, Entries: phi, Doc: "mismatch of the loops (m, rad): zero where they are closed", RowNames: rows},
		symbolic.Result{Name: "W", Rows: n, Cols: len(x.Q), Entries: all, Doc: "its derivative by the coordinates, those of cut joints last, where the loops are closed: W·dq = 0", RowNames: rows, ColNames: x.names},
		symbolic.Result{Name: "psi", Rows: n, Cols: 1, Entries: psi, Doc: "its acceleration at steady rates: W·ddq + psi = 0", RowNames: rows})
}

// newtonStep is one step of Newton's method on the mismatch, the driven joints held. The rows that are
// independent, and the order of the elimination, are those of largest pivots at the robot's assembly.
func (x *extended) newtonStep(tracker *loops.Tracker) *symbolic.Program {
	phi, jac, _, rows := x.equations()
	start := tracker.Start().Q
	var unknown []int
	for c := range x.Q {
		if !slices.Contains(tracker.Driven(), c) {
			unknown = append(unknown, c)
		}
	}
	pivots := x.pivots(jac, unknown, start)
	step := make([]symbolic.Node, len(x.Q))
	for i, v := range x.eliminate(jac, phi, pivots) {
		step[pivots[i].col] = -v
	}
	next := make([]symbolic.Node, len(x.Q))
	for c := range next {
		next[c] = x.G.Add(x.Q[c], step[c])
	}
	p := x.G.Program("loop_solution", x.Q,
		symbolic.Result{Name: "q_next", Rows: len(next), Cols: 1, Entries: next, Doc: "coordinates after a step of Newton's method, those of cut joints last; the driven joints stay", RowNames: x.names},
		symbolic.Result{Name: "phi", Rows: len(phi), Cols: 1, Entries: phi, Doc: "mismatch of the loops (m, rad) before the step", RowNames: rows})
	closed := make([]string, len(start))
	for i, q := range start {
		closed[i] = fmt.Sprintf("%.12g", q)
	}
	p.Doc = []string{"the loops have no formulas: call it until phi is small, from a closed state near by, at first from the assembly", "assembly: " + strings.Join(closed, " ")}
	return p
}

// pivot is a row and a column of an elimination.
type pivot struct{ row, col int }

// pivots finds rows and columns of largest pivots at a state.
func (x *extended) pivots(jac [][]symbolic.Node, unknown []int, at []float64) []pivot {
	return largestPivots(x.G, jac, unknown, x.Q, at)
}

// largestPivots eliminates the columns of a matrix by rows of largest pivot, at values of the graph's inputs.
func largestPivots(g *symbolic.Graph, matrix [][]symbolic.Node, columns []int, inputs []symbolic.Node, at []float64) []pivot {
	var all []symbolic.Node
	for _, row := range matrix {
		all = append(all, row...)
	}
	width := len(matrix[0])
	p := g.Program("probe", inputs, symbolic.Result{Name: "W", Rows: len(matrix), Cols: width, Entries: all})
	v := p.Eval(at)[0]
	m := make([][]float64, len(matrix))
	for i := range m {
		m[i] = v[i*width : (i+1)*width]
	}
	var out []pivot
	usedRow, usedCol := make([]bool, len(m)), make([]bool, width)
	for range min(len(columns), len(m)) {
		best, size := pivot{-1, -1}, 0.0
		for i := range m {
			for _, c := range columns {
				if !usedRow[i] && !usedCol[c] && math.Abs(m[i][c]) > size {
					best, size = pivot{i, c}, math.Abs(m[i][c])
				}
			}
		}
		if best.row < 0 {
			break
		}
		out = append(out, best)
		usedRow[best.row], usedCol[best.col] = true, true
		for i := range m {
			if usedRow[i] {
				continue
			}
			f := m[i][best.col] / m[best.row][best.col]
			for _, c := range columns {
				m[i][c] -= f * m[best.row][c]
			}
		}
	}
	return out
}

// eliminate solves the rows of the pivots for the columns of the pivots.
func (x *extended) eliminate(jac [][]symbolic.Node, right []symbolic.Node, pivots []pivot) []symbolic.Node {
	return eliminated(x.G, jac, right, pivots)
}

func eliminated(g *symbolic.Graph, jac [][]symbolic.Node, right []symbolic.Node, pivots []pivot) []symbolic.Node {
	n := len(pivots)
	m, b := make([][]symbolic.Node, n), make([]symbolic.Node, n)
	for i, p := range pivots {
		b[i] = right[p.row]
		for _, q := range pivots {
			m[i] = append(m[i], jac[p.row][q.col])
		}
	}
	for k := range n {
		over := g.Div(symbolic.One, m[k][k])
		for i := k + 1; i < n; i++ {
			if m[i][k] == 0 {
				continue
			}
			f := g.Mul(m[i][k], over)
			for c := k + 1; c < n; c++ {
				m[i][c] = g.Sub(m[i][c], g.Mul(f, m[k][c]))
			}
			b[i] = g.Sub(b[i], g.Mul(f, b[k]))
		}
	}
	for k := n - 1; k >= 0; k-- {
		for c := k + 1; c < n; c++ {
			b[k] = g.Sub(b[k], g.Mul(m[k][c], b[c]))
		}
		b[k] = g.Div(b[k], m[k][k])
	}
	return b
}

// ErrLoopless is wrapped by the errors for models of loops of a tree.
var ErrLoopless = errors.New("no such model of a tree")
