package codegen

import (
	"fmt"

	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/symbolic"
)

func label(what string, c int) string { return fmt.Sprintf("%s%d", what, c+1) }

// rowMaker makes the regressors.
type rowMaker struct{ *maker }

// rows returns a matrix of zeros, one row per coordinate and one column a
// parameter.
func (m rowMaker) rows() [][]symbolic.Node {
	out := make([][]symbolic.Node, len(m.t.Coords))
	for i := range out {
		out[i] = make([]symbolic.Node, len(m.columns))
	}
	return out
}

func (m rowMaker) dynamicRegressor() *symbolic.Program {
	d := m.rows()
	ms := m.t.Motions(m.moving(), m.t.Gravity)
	screws := m.t.Screws()
	for c, col := range m.columns {
		if col.Term == regressor.Links {
			n, f := m.t.UnitWrench(&ms[col.Link], col.Param)
			for k, i := range m.t.Path(col.Link) {
				d[i][c] = m.t.Along(n, f, &screws[col.Link][k])
			}
		}
	}
	m.driveRows(d, m.moving())
	d = m.closed.rows(m.g, d)
	if len(m.t.External) == 0 {
		return m.program("dynamic_regressor", [][]symbolic.Node{m.q, m.dq, m.ddq}, m.matrix("D", "tau = D·K", d, m.names))
	}
	tau := m.closed.onDriven(m.g, m.t.Torques(ms, make([]recursion.Params, len(ms))))
	return m.program("dynamic_regressor", [][]symbolic.Node{m.q, m.dq, m.ddq}, m.matrix("D", "tau = D·K + tau_e", d, m.names),
		m.perJoint("tau_e", "torques (N·m) and forces (N) of the external wrenches", tau))
}

func (m rowMaker) energyRegressor() *symbolic.Program {
	h, lost := make([]symbolic.Node, len(m.columns)), make([]symbolic.Node, len(m.columns))
	motion := recursion.Rates{DQ: m.t.DQ}
	ms := m.t.Motions(motion, m.t.Gravity)
	for c, col := range m.columns {
		if col.Term == regressor.Links {
			h[c] = m.t.Energy(&ms[col.Link], col.Param)
		}
	}
	for i := range m.drives {
		d := &m.drives[i]
		x := m.coordinate(d, motion)
		if e, ok := d.of.Energy(x); ok {
			h[d.column] = e
		} else {
			lost[d.column] = m.g.Mul(x.DS, m.torque(d, x))
		}
	}
	return m.program("energy_regressor", [][]symbolic.Node{m.q, m.dq},
		m.row("h", "∫dqᵀ·tau dt = (Δh + ∫p dt)·K (J); zero for parameters that store no energy", h),
		m.row("p", "power of the parameters that store no energy (W)", lost))
}

// row returns a result with one row.
func (m rowMaker) row(name, doc string, v []symbolic.Node) symbolic.Result {
	return symbolic.Result{Name: name, Rows: 1, Cols: len(v), Entries: v, Doc: doc, ColNames: m.names}
}

func (m rowMaker) powerRegressor() *symbolic.Program {
	out := make([]symbolic.Node, len(m.columns))
	ms := m.t.Motions(m.moving(), m.t.Gravity)
	for c, col := range m.columns {
		if col.Term == regressor.Links {
			n, f := m.t.UnitWrench(&ms[col.Link], col.Param)
			s := ms[col.Link].Twist()
			out[c] = m.t.Along(n, f, &s)
		}
	}
	for i := range m.drives {
		x := m.coordinate(&m.drives[i], m.moving())
		out[m.drives[i].column] = m.g.Mul(x.DS, m.torque(&m.drives[i], x))
	}
	return m.program("power_regressor", [][]symbolic.Node{m.q, m.dq, m.ddq}, m.row("P", "dqᵀ·tau = P·K (W)", out))
}

// d1d2 returns the two matrices of tau = (d/dt D1 + D2)·K.
func (m rowMaker) d1d2() (d1, d2 [][]symbolic.Node) {
	d1, d2 = m.rows(), m.rows()
	ms := m.t.Motions(recursion.Rates{DQ: m.t.DQ}, m.t.Gravity)
	screws, changes := m.t.Screws(), m.t.Variations(ms)
	for c, col := range m.columns {
		if col.Term != regressor.Links {
			continue
		}
		j, p := col.Link, col.Param
		twist := ms[j].Twist()
		for k, i := range m.t.Path(j) {
			d1[i][c] = m.t.Bilinear(&screws[j][k], &twist, p)
			d2[i][c] = m.g.Sub(m.t.Weight(&ms[j], &screws[j][k], p), m.t.Bilinear(&changes[j][k], &twist, p))
		}
	}
	for i := range m.drives {
		d := &m.drives[i]
		x := m.coordinate(d, recursion.Rates{DQ: m.t.DQ})
		if d.of.Term == regressor.Ia {
			m.spread(d1, d, x.DS)
		} else {
			m.spread(d2, d, m.torque(d, x))
		}
	}
	return m.closed.momenta(m.g, d1, d2)
}

// byMomenta makes the filtered and the momentum model, which need the same.
func (m rowMaker) byMomenta(model string) *symbolic.Program {
	d1, d2 := m.d1d2()
	name, doc1, doc2 := "filtered_regressor", "F·tau = (F'·D1 + F·D2)·K, F' being F with a derivative", "as D1"
	if model == string(MomentumRegressor) {
		name, doc1, doc2 = "momentum_regressor", "∫tau dt = (D1(t) - D1(0) + ∫D2 dt)·K; D1·K are the generalized momenta", "as D1"
	}
	return m.program(name, [][]symbolic.Node{m.q, m.dq}, m.matrix("D1", doc1, d1, m.names), m.matrix("D2", doc2, d2, m.names))
}

// filteredStep makes one step in time of the filtered model with
//
//	F(s) = a²/(s+a)²,  F'(s) = a²·s/(s+a)²
//
// realised by Tustin's rule with κ = 2/T:
//
//	F(z)  = a²·(1+z⁻¹)²/((κ+a)+(a-κ)·z⁻¹)²
//	F'(z) = a²·κ·(1-z⁻²)/((κ+a)+(a-κ)·z⁻¹)²
//
// An entry of W that is not structurally zero has two states, in the
// transposed direct form.
func (m rowMaker) filteredStep() *symbolic.Program {
	g := m.g
	d1, d2 := m.d1d2()
	a := g.Input(symbolic.Input{Name: "a", Kind: symbolic.Setting, Group: "filter", Index: 0, Unit: "rad/s", Doc: "cut-off of the filter"})
	period := g.Input(symbolic.Input{Name: "T", Kind: symbolic.Setting, Group: "filter", Index: 1, Unit: "s", Doc: "sampling period"})
	kappa := g.Div(g.Int(2), period)
	inverse := g.Div(symbolic.One, g.Add(kappa, a))
	pole := g.Mul(g.Sub(kappa, a), inverse)
	gain := g.Mul(a, inverse)
	gain = g.Mul(gain, gain)
	a1, a2 := g.Mul(g.Int(2), pole), g.Mul(pole, pole)
	var before, after []symbolic.Node
	w := make([][]symbolic.Node, len(m.joints))
	for i := range w {
		w[i] = make([]symbolic.Node, len(m.columns))
	}
	state := func() symbolic.Node {
		n := len(before)
		before = append(before, g.Input(symbolic.Input{Name: label("z", n), Kind: symbolic.State, Group: "z", Index: n, Doc: "state of the filter after the sample before; zero at first"}))
		return before[n]
	}
	for i := range w {
		for c := range w[i] {
			if d1[i][c] == 0 && d2[i][c] == 0 {
				continue
			}
			s1, s2 := state(), state()
			slope := g.Mul(kappa, d1[i][c])
			y := g.Add(g.Mul(gain, g.Add(slope, d2[i][c])), s1)
			w[i][c] = y
			after = append(after,
				g.Add(g.Add(g.Mul(gain, g.Mul(g.Int(2), d2[i][c])), g.Mul(a1, y)), s2),
				g.Sub(g.Mul(gain, g.Sub(d2[i][c], slope)), g.Mul(a2, y)))
		}
	}
	return m.program("filtered_step", [][]symbolic.Node{m.q, m.dq, {a, period}, before},
		m.matrix("W", "F·tau = W·K with F(s) = a²/(s+a)²", w, m.names),
		symbolic.Result{Name: "z_next", Rows: len(after), Cols: 1, Entries: after, Doc: "state of the filter after this sample"})
}
