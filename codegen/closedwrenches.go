package codegen

import (
	"fmt"
	"slices"
	"strings"

	"ident/mechanics/recursion"
	"ident/symbolic"
)

// holdCuts makes external wrenches of the forces at the cuts, on the links that are their frames. With J the derivative
// of the mismatch and τ the torques of the tree, the passive coordinates give
//
//	J_pᵀ·λ = τ_p
//
// It has fewer rows than λ has components if a loop is overconstrained, as a plane loop is. Then the components with
// the largest pivots at the assembly carry τ, and the others are zero.
func (m wrenchMaker) holdCuts(tau []symbolic.Node) {
	x := extended{recursion.Kinematics{Tree: m.t}, m.closed.cuts, m.closed.names}
	_, jac, _, _ := x.equations()
	var passive [][]symbolic.Node // rows of Jᵀ
	var right []symbolic.Node
	for k := range m.t.Coords {
		if slices.Contains(m.closed.Driven, k) {
			continue
		}
		row := make([]symbolic.Node, len(jac))
		for i := range jac {
			row[i] = jac[i][k]
		}
		passive, right = append(passive, row), append(right, tau[k])
	}
	columns := make([]int, len(jac))
	for i := range columns {
		columns[i] = i
	}
	lambda := make([]symbolic.Node, len(jac))
	pivots := largestPivots(m.g, passive, columns, m.q, m.closed.at)
	for i, v := range eliminated(m.g, passive, right, pivots) {
		lambda[pivots[i].col] = v
	}
	if m.t.External == nil {
		m.t.External = map[int]recursion.Wrench{}
	}
	at := 0
	for _, cut := range m.closed.cuts {
		force, moment := recursion.Vec(lambda[at:at+3]), recursion.Vec{}
		if at += 3; !cut.Spherical {
			moment = recursion.Vec(lambda[at : at+3])
			at += 3
		}
		common := x.Common(cut.Frame, cut.Meets)
		for side, link := range []int{cut.Frame, cut.Meets} {
			place := x.Place(common, link)
			var w recursion.Wrench
			for a := range 3 {
				for k := range 3 {
					w.F[a] = m.g.Add(w.F[a], m.g.Mul(place.Axes[a][k], force[k]))
					w.N[a] = m.g.Add(w.N[a], m.g.Mul(place.Axes[a][k], moment[k]))
				}
				if side == 0 { // the frame receives λ, and exerts its opposite
					w.F[a], w.N[a] = -w.F[a], -w.N[a]
				}
			}
			m.t.External[link] = w
		}
	}
}

// closedWrenches gives the wrenches in the joints of a closed robot: those of the tree with the forces at its cuts.
func (m wrenchMaker) closedWrenches(ms []recursion.Motion, params []recursion.Params) (joints []recursion.Wrench, names, doc []string) {
	tau, _, _ := m.t.Wrenches(ms, params)
	m.driveTorques(tau, m.moving())
	m.holdCuts(tau)
	_, all, _ := m.t.Wrenches(ms, params)
	own := len(m.r.Links)
	joints = all[:own:own]
	for j := range own {
		names = append(names, m.r.Links[j].Name)
	}
	for i, cut := range m.closed.cuts {
		joints, names = append(joints, all[cut.Meets]), append(names, "cut "+m.r.LoopName(i)) // which passes on the force that the frame receives
	}
	if free := m.undetermined(names); len(free) > 0 {
		doc = []string{"the motion does not determine, and the forces at the cuts leave out: " + strings.Join(free, ", ")}
	}
	return joints, names, doc
}

// undetermined names the components that the motion does not determine, at the assembly and at states about it.
func (m wrenchMaker) undetermined(names []string) []string {
	tracker := m.closed.tracker
	c := tracker.Closure()
	start := tracker.Start().Q
	shared := make([][6]bool, len(names))
	still := make([]float64, len(c.Active()))
	for step := range 4 {
		q := slices.Clone(start)
		for i, k := range tracker.Driven() {
			q[k] += 0.03 * float64(step*(2*(i%2)-1)) // rad or m, to both sides
		}
		q, err := c.Close(q, tracker.Driven())
		if err != nil {
			continue // out of reach: skip it, the other states are enough
		}
		motion, err := c.Motion(q)
		if err != nil {
			continue
		}
		for j, w := range motion.JointWrenches(still, still, nil) {
			for k, free := range w.Undetermined {
				shared[j][k] = shared[j][k] || free
			}
		}
	}
	var out []string
	for j, free := range shared {
		var parts []string
		for k, name := range [6]string{"fx", "fy", "fz", "nx", "ny", "nz"} {
			if free[k] {
				parts = append(parts, name)
			}
		}
		if len(parts) > 0 {
			out = append(out, fmt.Sprintf("%s of %s", strings.Join(parts, " "), names[j]))
		}
	}
	return out
}
