package codegen

import (
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/symbolic"
)

// moving returns the motion of the tree at the program's rates and accelerations.
func (m *maker) moving() recursion.Rates { return recursion.Rates{DQ: m.t.DQ, DDQ: m.t.DDQ} }

func (m *maker) inverseDynamics() *symbolic.Program {
	params := m.parameters()
	tau := m.t.Torques(m.t.Motions(m.moving(), m.t.Gravity), params)
	m.driveTorques(tau, m.moving())
	return m.program("inverse_dynamics", [][]symbolic.Node{m.q, m.dq, m.ddq},
		m.perJoint("tau", "torques (N·m) and forces (N) of the joints", m.closed.onDriven(m.g, tau)))
}

// rest returns the torques without accelerations.
func (m *maker) rest(params []recursion.Params) []symbolic.Node {
	motion := m.closed.atSteadyRates(m.t)
	tau := m.t.Torques(m.t.Motions(motion, m.t.Gravity), params)
	m.driveTorques(tau, motion)
	return m.closed.onDriven(m.g, tau)
}

func (m *maker) bias() *symbolic.Program {
	return m.program("bias", [][]symbolic.Node{m.q, m.dq},
		m.perJoint("H", "Coriolis, centrifugal, gravity and friction torques (N·m) and forces (N)", m.rest(m.parameters())))
}

// inertia returns the inertia matrix with rotors.
func (m *maker) inertia(params []recursion.Params) [][]symbolic.Node {
	return m.closed.between(m.g, m.treeInertia(params))
}

// treeInertia returns the inertia matrix of the tree's coordinates.
func (m *maker) treeInertia(params []recursion.Params) [][]symbolic.Node {
	a := m.t.JointInertia(m.t.Composite(params))
	for _, d := range m.drives {
		if d.of.Term != regressor.Ia {
			continue
		}
		for _, v := range d.weights {
			for _, w := range d.weights {
				a[v.coord][w.coord] = m.g.Add(a[v.coord][w.coord], m.g.Mul(m.chi[d.column], m.g.Mul(v.w, w.w)))
			}
		}
	}
	return a
}

func (m *maker) inertiaMatrix() *symbolic.Program {
	return m.program("inertia_matrix", [][]symbolic.Node{m.q}, m.matrix("A", "inertia matrix", m.inertia(m.parameters()), m.joints))
}

// torqueInput returns a joint's torque as an argument.
func (m *maker) torqueInput(joint int) symbolic.Node {
	unit := "N·m"
	if m.prismatic[joint] {
		unit = "N"
	}
	return m.g.Input(symbolic.Input{Name: label("tau", joint), Kind: symbolic.Motion, Group: "tau", Index: joint, Unit: unit, Doc: "torque or force of joint " + m.joints[joint]})
}

func (m *maker) forwardDynamics() *symbolic.Program {
	params := m.parameters()
	a, h := m.inertia(params), m.rest(params)
	var tau []symbolic.Node
	for c := range m.joints {
		tau = append(tau, m.torqueInput(c))
		h[c] = m.g.Sub(tau[c], h[c])
	}
	return m.program("forward_dynamics", [][]symbolic.Node{m.q, m.dq, tau},
		m.perJoint("ddq", "accelerations of the joints (rad/s², m/s²)", m.t.Solve(a, h)))
}

func (m *maker) lagrange() *symbolic.Program {
	params := m.parameters()
	body := m.t.Composite(params)
	n := len(m.joints)
	a := m.treeInertia(params)
	h := m.closed.reduceRates(m.g, m.q, a, m.t.Coriolis(body))
	q := m.t.GravityTorques(body, m.t.Motions(recursion.Rates{}, m.t.Gravity))
	m.driveTorques(q, recursion.Rates{})
	coriolis, centrifugal := make([][]symbolic.Node, n), make([][]symbolic.Node, n)
	var pairs, squares []string
	for i := range n {
		for j := range n {
			if i == 0 {
				squares = append(squares, label("dq", j)+"²")
			}
			centrifugal[i] = append(centrifugal[i], h[i][j][j])
			for k := j + 1; k < n; k++ {
				if i == 0 {
					pairs = append(pairs, label("dq", j)+"·"+label("dq", k))
				}
				coriolis[i] = append(coriolis[i], h[i][j][k])
			}
		}
	}
	results := []symbolic.Result{m.matrix("A", "inertia matrix", m.closed.between(m.g, a), m.joints)}
	if n > 1 { // one joint has no products of two rates, and languages no empty arrays
		results = append(results, m.matrix("B", "coefficients of products of two rates", coriolis, pairs))
	}
	return m.program("lagrange", [][]symbolic.Node{m.q}, append(results,
		m.matrix("C", "coefficients of squares of rates", centrifugal, squares),
		m.perJoint("Q", "gravity torques and offsets (N·m, N)", m.closed.onDriven(m.g, q)))...)
}
