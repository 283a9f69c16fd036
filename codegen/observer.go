package codegen

import (
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/symbolic"
)

// observerStep makes one step in time of the momentum observer (De Luca and Mattone 2003)
//
//	r = F'·D1·K + F·(D2·K - tau),  F(s) = k/(s+k),  F'(s) = k·s/(s+k)
//
// realised by Tustin's rule, with a state a joint in the transposed direct form. r are the torques that the surroundings exert.
func (m *maker) observerStep() *symbolic.Program {
	g := m.g
	p, rest := m.momenta() // of one column
	k := g.Input(symbolic.Input{Name: "k", Kind: symbolic.Setting, Group: "filter", Index: 0, Unit: "rad/s", Doc: "bandwidth of the observer"})
	period := g.Input(symbolic.Input{Name: "T", Kind: symbolic.Setting, Group: "filter", Index: 1, Unit: "s", Doc: "time since the sample before"})
	h := g.Mul(g.Rat(1, 2), g.Mul(k, period))
	inverse := g.Div(symbolic.One, g.Add(symbolic.One, h))
	pole, gain, slope := g.Mul(g.Sub(symbolic.One, h), inverse), g.Mul(h, inverse), g.Mul(k, inverse)
	var tau, before, r, after []symbolic.Node
	for i := range m.joints {
		tau = append(tau, m.torqueInput(i))
		before = append(before, g.Input(symbolic.Input{Name: label("z", i), Kind: symbolic.State, Group: "z", Index: i, Doc: "state of the filter after the sample before"}))
		u, change := g.Mul(gain, g.Sub(rest[i][0], tau[i])), g.Mul(slope, p[i][0])
		r = append(r, g.Add(g.Add(u, change), before[i]))
		after = append(after, g.Add(g.Sub(u, change), g.Mul(pole, r[i])))
	}
	return m.program("observer_step", [][]symbolic.Node{m.q, m.dq, tau, {k, period}, before},
		symbolic.Result{Name: "r", Rows: len(r), Cols: 1, Entries: r, Doc: "torques (N·m) and forces (N) that the surroundings exert on the joints, through the low-pass"},
		symbolic.Result{Name: "z_next", Rows: len(after), Cols: 1, Entries: after, Doc: "state of the filter after this sample"})
}

// momenta returns the generalized momenta p = D1·K, and D2·K: tau = d/dt p + D2·K, as matrices of one column.
func (m *maker) momenta() (p, rest [][]symbolic.Node) {
	params, motion := m.parameters(), recursion.Rates{DQ: m.t.DQ}
	ofLinks, besides := m.t.Momenta(m.t.Motions(motion, m.t.Gravity), params)
	for c := range ofLinks {
		p, rest = append(p, ofLinks[c:c+1]), append(rest, besides[c:c+1])
	}
	for i := range m.drives {
		d := &m.drives[i]
		x, to := m.coordinate(d, motion), rest
		v := x.DS
		if d.of.Term == regressor.Ia {
			to = p
		} else {
			v = m.torque(d, x)
		}
		for _, w := range d.weights {
			to[w.coord][0] = m.g.Add(to[w.coord][0], m.g.Mul(m.chi[d.column], m.g.Mul(w.w, v)))
		}
	}
	return m.closed.momenta(m.g, p, rest)
}
