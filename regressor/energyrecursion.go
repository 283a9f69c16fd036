package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
)

// energyState is the motion of a link, without accelerations, from which energies and momenta follow, for every sample
// of a batch of lanes. The angular velocity is linkState's w, the joints' screws its a and v.
type energyState struct {
	v      lanes.Vec   // velocity of the origin
	g      lanes.Vec   // gravity in the link's frame
	height []float64   // −g·P, the potential of a unit mass at the origin
	nw, nv lanes.Vec   // -w, -v
	da, dv []lanes.Vec // per row: rates of change of the joint's screw
}

func (c *chain) newEnergyStates() []energyState {
	states := make([]energyState, len(c.links))
	for j := range states {
		st := &states[j]
		for _, v := range []*lanes.Vec{&st.v, &st.g, &st.nw, &st.nv} {
			*v = lanes.NewVec(Lanes)
		}
		st.height = make([]float64, Lanes)
		for range c.links[j].rows {
			st.da, st.dv = append(st.da, lanes.NewVec(Lanes)), append(st.dv, lanes.NewVec(Lanes))
		}
	}
	return states
}

// moveVelocities runs the recursion of velocities and heights at link j; if screws is set, also that of the joints'
// screws and their rates of change.
func (c *chain) moveVelocities(j int, ws *Workspace, screws bool) {
	p, st, en, n := &c.links[j], &ws.links[j], &ws.energy[j], ws.n
	sin, cos, pos := p.place(ws)
	w, v, g := lanes.Cut(&st.w, n), lanes.Cut(&en.v, n), lanes.Cut(&en.g, n)
	if p.antecedent < 0 {
		base := lanes.Cut(&ws.tmp2, n)
		for k := range 3 {
			lanes.Fill(w[k], 0)
			lanes.Fill(v[k], 0)
			lanes.Fill(base[k], c.gravity[k])
		}
		lanes.RotateT(&g, &base, &p.r, cos, sin)
		p.raise(en.height[:n], nil, &base, &pos)
	} else {
		ant, as := &ws.links[p.antecedent], &ws.energy[p.antecedent]
		aw, av, ag := lanes.Cut(&ant.w, n), lanes.Cut(&as.v, n), lanes.Cut(&as.g, n)
		lanes.RotateT(&w, &aw, &p.r, cos, sin)
		lanes.RotateT(&g, &ag, &p.r, cos, sin)
		sum := lanes.Cut(&ws.tmp2, n)
		p.shift(&sum, &av, &aw, &pos)
		lanes.RotateT(&v, &sum, &p.r, cos, sin)
		p.raise(en.height[:n], as.height[:n], &ag, &pos)
	}
	var rate []float64
	if p.coord >= 0 {
		rate = p.scaled(ws.rate, ws.batch.DQ, ws)
	}
	switch p.kind {
	case robot.Revolute:
		lanes.Axpy(w[2], 1, rate)
	case robot.Prismatic:
		lanes.Axpy(v[2], 1, rate)
	}
	for k := range 3 {
		for i := range n {
			en.nw[k][i], en.nv[k][i] = -w[k][i], -v[k][i]
		}
	}
	if screws {
		p.moveScrews(st, ws, &pos, sin, cos)
		p.moveScrewRates(st, en, ws, &pos, sin, cos)
	}
}

// raise sets dst = below − g·(the joint's offset), both in the antecedent's frame.
func (p *link) raise(dst, below []float64, g, pos *lanes.Vec) {
	for i := range dst {
		x, y, z := p.p[0], p.p[1], p.p[2]
		if p.kind == robot.Prismatic {
			x, y, z = pos[0][i], pos[1][i], pos[2][i]
		}
		dst[i] = -(g[0][i]*x + g[1][i]*y + g[2][i]*z)
	}
	if below != nil {
		lanes.Axpy(dst, 1, below)
	}
}

// moveScrewRates carries the rates of change of the screws of the joints before
// this one to this frame and adds the joint's own: the twist of a link acting on
// a screw that is fixed in it,
//
//	ω×a  and  ω×v + V×a
func (p *link) moveScrewRates(st *linkState, en *energyState, ws *Workspace, pos *lanes.Vec, s, c []float64) {
	n := ws.n
	for i := range p.rows {
		row := &p.rows[i]
		da, dv := lanes.Cut(&en.da[i], n), lanes.Cut(&en.dv[i], n)
		if row.before >= 0 {
			ant := &ws.energy[p.antecedent]
			aa, av := lanes.Cut(&ant.da[row.before], n), lanes.Cut(&ant.dv[row.before], n)
			sum := lanes.Cut(&ws.tmp2, n)
			p.shift(&sum, &av, &aa, pos)
			lanes.RotateT(&dv, &sum, &p.r, c, s)
			lanes.RotateT(&da, &aa, &p.r, c, s)
		} else {
			for k := range 3 {
				lanes.Fill(da[k], 0)
				lanes.Fill(dv[k], 0)
			}
		}
		if row.coord != p.coord {
			continue
		}
		switch p.kind {
		case robot.Revolute:
			lanes.Axpy(da[0], p.ratio, st.w[1][:n])
			lanes.Axpy(da[1], -p.ratio, st.w[0][:n])
			lanes.Axpy(dv[0], p.ratio, en.v[1][:n])
			lanes.Axpy(dv[1], -p.ratio, en.v[0][:n])
		case robot.Prismatic:
			lanes.Axpy(dv[0], p.ratio, st.w[1][:n])
			lanes.Axpy(dv[1], -p.ratio, st.w[0][:n])
		}
	}
}
