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
	ones  []float64
	zeros []float64
	sums  [2][]float64 // a shared drive's rate and acceleration
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
	ws := &Workspace{links: make([]linkState, len(m.links)), pos: lanes.NewVec(Lanes), tmp: lanes.NewVec(Lanes), tmp2: lanes.NewVec(Lanes)}
	for _, p := range []*[]float64{&ws.sin, &ws.cos, &ws.rate, &ws.acc, &ws.ones, &ws.zeros, &ws.sums[0], &ws.sums[1]} {
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

// Eval fills the block with the regressor at the motion q, dq, ddq, each one
// slice a row's joint, with b.Rows samples. It allocates nothing.
func (m *Model) Eval(b *Block, q, dq, ddq [][]float64, ws *Workspace) {
	m.checkBatch("q", q, b.Rows)
	m.checkBatch("dq", dq, b.Rows)
	m.checkBatch("ddq", ddq, b.Rows)
	if len(b.Joint) != len(m.mask) || len(ws.links) != len(m.links) {
		panic(fmt.Sprintf("regressor: block of %d joints or workspace of %d links made for another model", len(b.Joint), len(ws.links)))
	}
	for first := 0; first < b.Rows; first += Lanes {
		n := min(Lanes, b.Rows-first)
		for j := range m.links {
			if m.links[j].used {
				m.evalLink(j, b, q, dq, ddq, ws, first, n)
			}
		}
		for i := range m.drives {
			m.evalDrive(&m.drives[i], b, dq, ddq, ws, first, n)
		}
	}
}

// evalLink runs the recursion at one link and writes its columns.
func (m *Model) evalLink(j int, b *Block, q, dq, ddq [][]float64, ws *Workspace, first, n int) {
	p, st := &m.links[j], &ws.links[j]
	s, c := ws.sin[:n], ws.cos[:n]
	var rate, acc []float64
	if p.coord >= 0 {
		rate, acc = dq[p.coord][first:first+n], ddq[p.coord][first:first+n]
		if p.ratio != 1 {
			for i := range n {
				ws.rate[i], ws.acc[i] = p.ratio*rate[i], p.ratio*acc[i]
			}
			rate, acc = ws.rate[:n], ws.acc[:n]
		}
	}
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
	pos := lanes.Cut(&ws.pos, n)
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
		m.writeRow(p, st, row, b.Joint[row.coord], i, first, n)
	}
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
func (m *Model) writeRow(p *linkPlan, st *linkState, row *rowPlan, cols [][]float64, i, first, n int) {
	a, v := &st.a[i], &st.v[i]
	alone := p.own && row.coord == p.coord && p.kind == robot.Revolute
	for s := range p.params {
		dst := cols[row.at[s]][first : first+n]
		param := p.params[s].param
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

// evalDrive writes a column of a drive: rotor inertia, friction or offset.
func (m *Model) evalDrive(d *drivePlan, b *Block, dq, ddq [][]float64, ws *Workspace, first, n int) {
	rate, acc := ws.sums[0][:n], ws.sums[1][:n]
	if len(d.weights) == 1 && d.weights[0].w == 1 {
		k := d.weights[0].coord
		rate, acc = dq[k][first:first+n], ddq[k][first:first+n]
	} else {
		lanes.Fill(rate, 0)
		lanes.Fill(acc, 0)
		for _, w := range d.weights {
			lanes.Axpy(rate, w.w, dq[w.coord][first:first+n])
			lanes.Axpy(acc, w.w, ddq[w.coord][first:first+n])
		}
	}
	for k, w := range d.weights {
		dst := b.Joint[w.coord][d.at[k]][first : first+n]
		switch d.term {
		case Ia:
			for i := range dst {
				dst[i] = w.w * acc[i]
			}
		case Fv:
			for i := range dst {
				dst[i] = w.w * rate[i]
			}
		case Fs:
			for i := range dst {
				dst[i] = w.w * sign(rate[i])
			}
		case Fo:
			lanes.Fill(dst, w.w)
		}
	}
}

// sign is -1, 0 or 1; NaN stays NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}
