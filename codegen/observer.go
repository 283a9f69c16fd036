package codegen

import (
	"ident/symbolic"
)

// observerStep makes one step in time of the momentum observer (De Luca and Mattone 2003)
//
//	r = F'·D1·K + F·(D2·K - tau),  F(s) = k/(s+k),  F'(s) = k·s/(s+k)
//
// realised by Tustin's rule, with a state a joint in the transposed direct form. r are the torques that the surroundings exert.
func (m rowMaker) observerStep() *symbolic.Program {
	g := m.g
	d1, d2 := m.d1d2()
	k := g.Input(symbolic.Input{Name: "k", Kind: symbolic.Setting, Group: "filter", Index: 0, Unit: "rad/s", Doc: "bandwidth of the observer"})
	period := g.Input(symbolic.Input{Name: "T", Kind: symbolic.Setting, Group: "filter", Index: 1, Unit: "s", Doc: "time since the sample before"})
	m.parameters()
	h := g.Mul(g.Rat(1, 2), g.Mul(k, period))
	inverse := g.Div(symbolic.One, g.Add(symbolic.One, h))
	pole, gain, slope := g.Mul(g.Sub(symbolic.One, h), inverse), g.Mul(h, inverse), g.Mul(k, inverse)
	var tau, before, r, after []symbolic.Node
	for i := range m.joints {
		tau = append(tau, m.torqueInput(i))
		before = append(before, g.Input(symbolic.Input{Name: label("z", i), Kind: symbolic.State, Group: "z", Index: i, Doc: "state of the filter after the sample before"}))
		var p, rest symbolic.Node
		for c, x := range m.chi {
			p, rest = g.Add(p, g.Mul(d1[i][c], x)), g.Add(rest, g.Mul(d2[i][c], x))
		}
		u, change := g.Mul(gain, g.Sub(rest, tau[i])), g.Mul(slope, p)
		r = append(r, g.Add(g.Add(u, change), before[i]))
		after = append(after, g.Add(g.Sub(u, change), g.Mul(pole, r[i])))
	}
	return m.program("observer_step", [][]symbolic.Node{m.q, m.dq, tau, {k, period}, before},
		symbolic.Result{Name: "r", Rows: len(r), Cols: 1, Entries: r, Doc: "torques (N·m) and forces (N) that the surroundings exert on the joints, through the low-pass"},
		symbolic.Result{Name: "z_next", Rows: len(after), Cols: 1, Entries: after, Doc: "state of the filter after this sample"})
}
