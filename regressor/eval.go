package regressor

import (
	"fmt"

	"ident/internal/lanes"
	"ident/robot"
)

// Workspace is the scratch memory of one goroutine's evaluations.
type Workspace struct {
	links []linkState
	sin   []float64
	cos   []float64
	rate  []float64 // of the joint at hand
	acc   []float64
	pos   lanes.Vec // origin of the link's frame in its antecedent's
	tmp   lanes.Vec
	tmp2  lanes.Vec
	// A contact's normal as it is turned from link to link.
	normal [2]lanes.Vec
	ones   []float64
	zeros  []float64
	sums   [3][]float64 // a shared drive's coordinate, rate and acceleration
	// What terms of joints are evaluated from, and what a drive's column needs.
	stroke  stroke
	slow    []slowState    // of EvalMomentum and EvalEnergy, made at their first use
	program programScratch // of a compiled model, likewise
	closed  *closedState   // of a robot with closed loops
}

// linkState is the motion of a link at every sample of a batch of lanes, in
// the link's own frame.
type linkState struct {
	w, dw, dv lanes.Vec // angular velocity and acceleration, acceleration of the origin less gravity
	u         [9][]float64
	neg       lanes.Vec    // -dv
	extra     [9][]float64 // products of rates that the inertia columns need
	a, v      []lanes.Vec  // per row: the angular and the linear part of the joint's screw at the origin
	prod      [6][]float64
}

// NewWorkspace allocates scratch memory for the model.
func (m *Model) NewWorkspace() *Workspace {
	if m.loops != nil {
		return &Workspace{closed: m.loops.newState()}
	}
	ws := &Workspace{links: make([]linkState, len(m.links)), pos: lanes.NewVec(Lanes), tmp: lanes.NewVec(Lanes), tmp2: lanes.NewVec(Lanes), normal: [2]lanes.Vec{lanes.NewVec(Lanes), lanes.NewVec(Lanes)}}
	for _, p := range []*[]float64{&ws.sin, &ws.cos, &ws.rate, &ws.acc, &ws.ones, &ws.zeros, &ws.sums[0], &ws.sums[1], &ws.sums[2]} {
		*p = make([]float64, Lanes)
	}
	lanes.Fill(ws.ones, 1)
	for j := range ws.links {
		st := &ws.links[j]
		st.w, st.dw, st.dv, st.neg = lanes.NewVec(Lanes), lanes.NewVec(Lanes), lanes.NewVec(Lanes), lanes.NewVec(Lanes)
		for _, g := range [][][]float64{st.u[:], st.extra[:], st.prod[:]} {
			for i := range g {
				g[i] = make([]float64, Lanes)
			}
		}
		for range m.links[j].rows {
			st.a = append(st.a, lanes.NewVec(Lanes))
			st.v = append(st.v, lanes.NewVec(Lanes))
		}
	}
	return ws
}

// Batch is a batch of samples: the motion, and what some terms need beside it
// (Model.Needs).
type Batch struct {
	Q, DQ, DDQ      [][]float64  // one slice a coordinate
	Load            [][]float64  // measured torque, one slice a coordinate
	Current         [][]float64  // motor current, likewise
	Wrench          [6][]float64 // external force and moment on the link that the term names
	PayloadAttached []float64    // 1 where the payload is on its link, 0 where not
	Contact         [2][]float64 // along each normal: 1 where the contact is closed, 0 where not, or a measured force
}

// Eval fills the block with the regressor at the motion q, dq, ddq, each one
// slice a row's joint, with b.Rows samples. It allocates nothing.
func (m *Model) Eval(b *Block, q, dq, ddq [][]float64, ws *Workspace) {
	m.EvalBatch(b, Batch{Q: q, DQ: dq, DDQ: ddq}, ws)
}

// EvalBatch is Eval for models whose terms need more than the motion. What they
// need and the batch lacks is a panic.
func (m *Model) EvalBatch(b *Block, in Batch, ws *Workspace) {
	m.checkBatch("ddq", in.DDQ, b.Rows)
	m.check(b, &in, ws)
	if m.loops != nil {
		m.evalClosed(b, &in, ws)
		return
	}
	if m.programs != nil {
		m.programs.dynamic().run(nil, b, ws, in.Q, in.DQ, in.DDQ)
	}
	for first := 0; first < b.Rows; first += Lanes {
		n := min(Lanes, b.Rows-first)
		for j := range m.links {
			if m.links[j].used && m.programs == nil {
				m.evalLink(j, b, in.Q, in.DQ, in.DDQ, ws, first, n)
			}
		}
		for i := range m.drives {
			d := &m.drives[i]
			d.spread(b, m.strokeOf(d, &in, ws, first, n), d.law.torque, first, n)
		}
		for i := range m.rotors {
			m.evalRotor(&m.rotors[i], b, &in, ws, first, n)
		}
		for i := range m.wrenches {
			m.evalWrench(&m.wrenches[i], b, &in, ws, first, n)
		}
		for i := range m.contacts {
			m.evalContact(&m.contacts[i], b, &in, ws, first, n)
		}
		m.writePayloads(b, &in, ws, first, n)
	}
}

// check panics where a batch, a block or a workspace does not fit the model.
func (m *Model) check(b *Block, in *Batch, ws *Workspace) {
	m.checkBatch("q", in.Q, b.Rows)
	m.checkBatch("dq", in.DQ, b.Rows)
	if len(b.Joint) != len(m.mask) || len(ws.links) != len(m.links) {
		panic(fmt.Sprintf("regressor: block of %d joints or workspace of %d links made for another model", len(b.Joint), len(ws.links)))
	}
	m.checkNeeds(in, b.Rows)
}

// checkNeeds panics where a batch lacks what the model's terms need.
func (m *Model) checkNeeds(in *Batch, rows int) {
	if m.needs&NeedLoad != 0 {
		m.checkBatch("load", in.Load, rows)
	}
	if m.needs&NeedCurrent != 0 {
		m.checkBatch("current", in.Current, rows)
	}
	if m.needs&NeedWrench != 0 {
		for k := range in.Wrench {
			if len(in.Wrench[k]) != rows {
				panic(fmt.Sprintf("regressor: wrench component %d has %d samples, the block %d", k+1, len(in.Wrench[k]), rows))
			}
		}
	}
	tree := m
	if m.loops != nil {
		tree = m.loops.tree
	}
	for i := range tree.contacts {
		if k := tree.contacts[i].which; len(in.Contact[k]) != rows {
			panic(fmt.Sprintf("regressor: contact along normal %d has %d samples, the block %d", k+1, len(in.Contact[k]), rows))
		}
	}
	if m.needs&NeedPayload != 0 && len(in.PayloadAttached) != rows {
		panic(fmt.Sprintf("regressor: %d samples say whether the payload is on, the block has %d", len(in.PayloadAttached), rows))
	}
}

// evalLink runs the recursion at one link and writes its columns.
func (m *Model) evalLink(j int, b *Block, q, dq, ddq [][]float64, ws *Workspace, first, n int) {
	p, st := &m.links[j], &ws.links[j]
	s, c, pos := p.place(q, ws, first, n)
	var rate, acc []float64
	if p.coord >= 0 {
		rate, acc = p.scaled(ws.rate, dq, first, n), p.scaled(ws.acc, ddq, first, n)
	}
	w, dw, dv := lanes.Cut(&st.w, n), lanes.Cut(&st.dw, n), lanes.Cut(&st.dv, n)
	if p.antecedent < 0 {
		for k := range 3 {
			lanes.Fill(w[k], 0)
			lanes.Fill(dw[k], 0)
		}
		g := ws.tmp2
		for k := range 3 {
			lanes.Fill(g[k][:n], -m.gravity[k])
		}
		g = lanes.Cut(&g, n)
		lanes.RotateT(&dv, &g, &p.r, c, s)
	} else {
		ant := &ws.links[p.antecedent]
		aw, adw, adv := lanes.Cut(&ant.w, n), lanes.Cut(&ant.dw, n), lanes.Cut(&ant.dv, n)
		lanes.RotateT(&w, &aw, &p.r, c, s)
		lanes.RotateT(&dw, &adw, &p.r, c, s)
		sum := lanes.Cut(&ws.tmp2, n)
		if p.kind == robot.Prismatic {
			shiftOrigin(&sum, &adv, &ant.u, &pos, n)
		} else {
			shiftOriginConst(&sum, &adv, &ant.u, &p.p, n)
		}
		lanes.RotateT(&dv, &sum, &p.r, c, s)
	}
	if p.kind == robot.Revolute {
		for i := range n {
			dw[0][i] += w[1][i] * rate[i]
			dw[1][i] -= w[0][i] * rate[i]
			dw[2][i] += acc[i]
			w[2][i] += rate[i]
		}
	} else if p.kind == robot.Prismatic {
		for i := range n {
			dv[0][i] += 2 * w[1][i] * rate[i]
			dv[1][i] -= 2 * w[0][i] * rate[i]
			dv[2][i] += acc[i]
		}
	}
	st.products(n)
	m.moveScrews(p, st, ws, &pos, s, c, n)
	for i := range p.rows {
		row := &p.rows[i]
		m.writeRow(p, st, row, p.params, row.at, b.Joint[row.coord], i, first, n)
	}
}

// writePayloads stores the columns of payloads: a link's, where it is on.
func (m *Model) writePayloads(b *Block, in *Batch, ws *Workspace, first, n int) {
	for j := range m.links {
		p := &m.links[j]
		if len(p.payload) == 0 {
			continue
		}
		for i := range p.rows {
			row := &p.rows[i]
			m.writeRow(p, &ws.links[j], row, p.payload, row.payload, b.Joint[row.coord], i, first, n)
			m.carry(b.Joint[row.coord], row.payload, in, first, n)
		}
	}
}

// carry multiplies columns by whether the payload is on.
func (m *Model) carry(cols [][]float64, at []int, in *Batch, first, n int) {
	on := in.PayloadAttached[first : first+n]
	for _, c := range at {
		dst := cols[c][first : first+n]
		for l := range dst {
			dst[l] *= on[l]
		}
	}
}

// place fills sine and cosine of the link's joint and the origin of its frame in
// its antecedent's.
func (p *linkPlan) place(q [][]float64, ws *Workspace, first, n int) (s, c []float64, pos lanes.Vec) {
	s, c = ws.sin[:n], ws.cos[:n]
	switch p.kind {
	case robot.Revolute:
		angle := q[p.coord][first : first+n]
		if p.ratio != 1 || p.offset != 0 {
			for i := range n {
				ws.tmp[0][i] = p.ratio*angle[i] + p.offset
			}
			angle = ws.tmp[0][:n]
		}
		lanes.Sincos(s, c, angle)
	default:
		copy(s, ws.zeros)
		copy(c, ws.ones)
	}
	if p.kind == robot.Prismatic {
		for i := range n {
			d := p.ratio*q[p.coord][first+i] + p.offset
			for k := range 3 {
				ws.pos[k][i] = p.p[k] + d*p.r[k][2]
			}
		}
	}
	return s, c, lanes.Cut(&ws.pos, n)
}

// scaled returns a derivative of the joint's own variable: the coordinate's,
// times the ratio, in the given memory where that is not one.
func (p *linkPlan) scaled(memory []float64, v [][]float64, first, n int) []float64 {
	x := v[p.coord][first : first+n]
	if p.ratio == 1 {
		return x
	}
	for i := range x {
		memory[i] = p.ratio * x[i]
	}
	return memory[:n]
}

// moveScrews carries the screws of the joints before this one to this frame
// and adds the joint's own.
func (m *Model) moveScrews(p *linkPlan, st *linkState, ws *Workspace, pos *lanes.Vec, s, c []float64, n int) {
	for i := range p.rows {
		row := &p.rows[i]
		a, v := lanes.Cut(&st.a[i], n), lanes.Cut(&st.v[i], n)
		if row.before >= 0 {
			ant := &ws.links[p.antecedent]
			aa, av := lanes.Cut(&ant.a[row.before], n), lanes.Cut(&ant.v[row.before], n)
			sum := lanes.Cut(&ws.tmp2, n)
			if p.kind == robot.Prismatic {
				lanes.CrossAdd(&sum, &av, &aa, pos)
			} else {
				lanes.CrossAddConst(&sum, &av, &aa, &p.p)
			}
			lanes.RotateT(&v, &sum, &p.r, c, s)
			lanes.RotateT(&a, &aa, &p.r, c, s)
		} else {
			for k := range 3 {
				lanes.Fill(a[k], 0)
				lanes.Fill(v[k], 0)
			}
		}
		if row.coord == p.coord {
			along := a[2]
			if p.kind == robot.Prismatic {
				along = v[2]
			}
			for l := range along {
				along[l] += p.ratio
			}
		}
	}
}

// writeRow stores the columns of one link in one joint's block: the power of
// each unit parameter's wrench along the joint's screw.
func (m *Model) writeRow(p *linkPlan, st *linkState, row *rowPlan, params []slot, at []int, cols [][]float64, i, first, n int) {
	a, v := &st.a[i], &st.v[i]
	alone := p.own && row.coord == p.coord && p.kind == robot.Revolute
	for s := range params {
		dst := cols[at[s]][first : first+n]
		param := params[s].param
		if alone {
			st.writeOwn(dst, param)
			continue
		}
		switch {
		case param <= robot.ZZ:
			w := st.inertiaWrench(param)
			lanes.Dot3(dst, a, &w)
		case param == robot.M:
			lanes.Dot3(dst, v, &st.dv)
		default:
			x, y := st.momentWrench(param, a, v)
			lanes.Dot5(dst, &x, &y)
		}
	}
}
