package regressor

import (
	"ident/internal/lanes"
	"ident/robot"
)

// slowState is what energy and momentum of a link are made of at every sample of
// a batch of lanes: no accelerations. The turning rate is linkState's w, the
// screws of the joints its a and v.
type slowState struct {
	v      lanes.Vec // velocity of the origin
	g      lanes.Vec // gravity in the link's frame
	height []float64 // −g·P, the potential of a unit mass at the origin
	nw, nv lanes.Vec // -w, -v
	da, dv []lanes.Vec
}

func (m *Model) slow(ws *Workspace) []slowState {
	if ws.slow == nil {
		ws.slow = make([]slowState, len(m.links))
		for j := range ws.slow {
			st := &ws.slow[j]
			for _, v := range []*lanes.Vec{&st.v, &st.g, &st.nw, &st.nv} {
				*v = lanes.NewVec(Lanes)
			}
			st.height = make([]float64, Lanes)
			for range m.links[j].rows {
				st.da, st.dv = append(st.da, lanes.NewVec(Lanes)), append(st.dv, lanes.NewVec(Lanes))
			}
		}
	}
	return ws.slow
}

// moveSlow runs the recursion of velocities at one link; with screws, also that
// of the joints' screws and of their rates of change.
func (m *Model) moveSlow(j int, in *Batch, ws *Workspace, screws bool, first, n int) {
	p, st, sl := &m.links[j], &ws.links[j], &ws.slow[j]
	s, c, pos := p.place(in.Q, ws, first, n)
	w, v, g := lanes.Cut(&st.w, n), lanes.Cut(&sl.v, n), lanes.Cut(&sl.g, n)
	if p.antecedent < 0 {
		base := lanes.Cut(&ws.tmp2, n)
		for k := range 3 {
			lanes.Fill(w[k], 0)
			lanes.Fill(v[k], 0)
			lanes.Fill(base[k], m.gravity[k])
		}
		lanes.RotateT(&g, &base, &p.r, c, s)
		p.raise(sl.height[:n], nil, &base, &pos)
	} else {
		ant, as := &ws.links[p.antecedent], &ws.slow[p.antecedent]
		aw, av, ag := lanes.Cut(&ant.w, n), lanes.Cut(&as.v, n), lanes.Cut(&as.g, n)
		lanes.RotateT(&w, &aw, &p.r, c, s)
		lanes.RotateT(&g, &ag, &p.r, c, s)
		sum := lanes.Cut(&ws.tmp2, n)
		p.shift(&sum, &av, &aw, &pos)
		lanes.RotateT(&v, &sum, &p.r, c, s)
		p.raise(sl.height[:n], as.height[:n], &ag, &pos)
	}
	var rate []float64
	if p.coord >= 0 {
		rate = p.scaled(ws.rate, in.DQ, first, n)
	}
	switch p.kind {
	case robot.Revolute:
		lanes.Axpy(w[2], 1, rate)
	case robot.Prismatic:
		lanes.Axpy(v[2], 1, rate)
	}
	for k := range 3 {
		for i := range n {
			sl.nw[k][i], sl.nv[k][i] = -w[k][i], -v[k][i]
		}
	}
	if screws {
		m.moveScrews(p, st, ws, &pos, s, c, n)
		m.moveScrewRates(j, ws, &pos, s, c, n)
	}
}

// shift is dst = v + w × the joint's offset: the velocity of a point of the
// antecedent.
func (p *linkPlan) shift(dst, v, w, pos *lanes.Vec) {
	if p.kind == robot.Prismatic {
		lanes.CrossAdd(dst, v, w, pos)
	} else {
		lanes.CrossAddConst(dst, v, w, &p.p)
	}
}

// raise is dst = below − g·(the joint's offset), both in the antecedent's frame.
func (p *linkPlan) raise(dst, below []float64, g, pos *lanes.Vec) {
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
func (m *Model) moveScrewRates(j int, ws *Workspace, pos *lanes.Vec, s, c []float64, n int) {
	p, st, sl := &m.links[j], &ws.links[j], &ws.slow[j]
	for i := range p.rows {
		row := &p.rows[i]
		da, dv := lanes.Cut(&sl.da[i], n), lanes.Cut(&sl.dv[i], n)
		if row.before >= 0 {
			ant := &ws.slow[p.antecedent]
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
			lanes.Axpy(dv[0], p.ratio, sl.v[1][:n])
			lanes.Axpy(dv[1], -p.ratio, sl.v[0][:n])
		case robot.Prismatic:
			lanes.Axpy(dv[0], p.ratio, st.w[1][:n])
			lanes.Axpy(dv[1], -p.ratio, st.w[0][:n])
		}
	}
}

// pairs are slices whose products add up to a column.
type pairs struct {
	x, y [6][]float64
	n    int
}

func (p *pairs) add(x, y []float64) {
	p.x[p.n], p.y[p.n] = x, y
	p.n++
}

// sum is dst = factor·Σ x·y.
func (p *pairs) sum(dst []float64, factor float64) {
	n := len(dst)
	clear(dst)
	for k := range p.n {
		x, y := p.x[k][:n], p.y[k][:n]
		for i := range dst {
			dst[i] += x[i] * y[i]
		}
	}
	if factor != 1 {
		for i := range dst {
			dst[i] *= factor
		}
	}
}

// momentum pairs the screw (a, v) with the momentum of a unit of a link's
// parameter about the origin of its frame: with the ten parameters J, l, m
//
//	angular  J·ω + l×V      linear  ω×l + m·V
func (sl *slowState) momentum(out *pairs, st *linkState, param int, a, v *lanes.Vec) {
	w := &st.w
	out.n = 0
	switch param {
	case robot.XX:
		out.add(a[0], w[0])
	case robot.XY:
		out.add(a[0], w[1])
		out.add(a[1], w[0])
	case robot.XZ:
		out.add(a[0], w[2])
		out.add(a[2], w[0])
	case robot.YY:
		out.add(a[1], w[1])
	case robot.YZ:
		out.add(a[1], w[2])
		out.add(a[2], w[1])
	case robot.ZZ:
		out.add(a[2], w[2])
	case robot.MX:
		out.add(a[1], sl.nv[2])
		out.add(a[2], sl.v[1])
		out.add(v[1], w[2])
		out.add(v[2], sl.nw[1])
	case robot.MY:
		out.add(a[0], sl.v[2])
		out.add(a[2], sl.nv[0])
		out.add(v[0], sl.nw[2])
		out.add(v[2], w[0])
	case robot.MZ:
		out.add(a[0], sl.nv[1])
		out.add(a[1], sl.v[0])
		out.add(v[0], w[1])
		out.add(v[1], sl.nw[0])
	default:
		for k := range 3 {
			out.add(v[k], sl.v[k])
		}
	}
}

// weigh subtracts from dst the power of gravity on a unit of a link's parameter
// along the screw (a, v): g·v for the mass, g·(a×k) for a first moment along k.
func (sl *slowState) weigh(dst []float64, param int, a, v *lanes.Vec) {
	n := len(dst)
	switch {
	case param == robot.M:
		for i := range dst {
			dst[i] -= sl.g[0][i]*v[0][i] + sl.g[1][i]*v[1][i] + sl.g[2][i]*v[2][i]
		}
	case param >= robot.MX:
		k := param - robot.MX
		p, q := (k+1)%3, (k+2)%3
		gp, gq, ap, aq := sl.g[p][:n], sl.g[q][:n], a[p][:n], a[q][:n]
		for i := range dst {
			dst[i] -= gp[i]*aq[i] - gq[i]*ap[i]
		}
	}
}
