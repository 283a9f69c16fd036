package regressor

import (
	"math"

	"ident/internal/lanes"
	"ident/robot"
)

// linkState is the motion of a link, in its own frame, at every sample of a batch of lanes.
type linkState struct {
	w, dw, dv lanes.Vec // angular velocity and acceleration, acceleration of the origin less gravity
	u         [9][]float64
	neg       lanes.Vec    // -dv
	extra     [9][]float64 // products of rates that the inertia columns need
	a, v      []lanes.Vec  // per row: the angular and the linear part of the joint's screw at the origin
	prod      [6][]float64
}

func (c *chain) newStates() []linkState {
	states := make([]linkState, len(c.links))
	for j := range states {
		st := &states[j]
		st.w, st.dw, st.dv, st.neg = lanes.NewVec(Lanes), lanes.NewVec(Lanes), lanes.NewVec(Lanes), lanes.NewVec(Lanes)
		for _, g := range [][][]float64{st.u[:], st.extra[:], st.prod[:]} {
			for i := range g {
				g[i] = make([]float64, Lanes)
			}
		}
		for range c.links[j].rows {
			st.a = append(st.a, lanes.NewVec(Lanes))
			st.v = append(st.v, lanes.NewVec(Lanes))
		}
	}
	return states
}

// move runs the recursion of velocities and accelerations at link j, and that of the joints' screws.
func (c *chain) move(j int, ws *Workspace) {
	p, st, n := &c.links[j], &ws.links[j], ws.n
	if n == 1 {
		c.moveAt(p, st, ws)
		return
	}
	sin, cos, pos := p.place(ws)
	var rate, acc []float64
	if p.coord >= 0 {
		rate, acc = p.scaled(ws.rate, ws.batch.DQ, ws), p.scaled(ws.acc, ws.batch.DDQ, ws)
	}
	w, dw, dv := lanes.Cut(&st.w, n), lanes.Cut(&st.dw, n), lanes.Cut(&st.dv, n)
	if p.antecedent < 0 {
		for k := range 3 {
			lanes.Fill(w[k], 0)
			lanes.Fill(dw[k], 0)
		}
		g := lanes.Cut(&ws.tmp2, n)
		for k := range 3 {
			lanes.Fill(g[k], -c.gravity[k])
		}
		lanes.RotateT(&dv, &g, &p.r, cos, sin)
	} else {
		ant := &ws.links[p.antecedent]
		aw, adw, adv := lanes.Cut(&ant.w, n), lanes.Cut(&ant.dw, n), lanes.Cut(&ant.dv, n)
		lanes.RotateT(&w, &aw, &p.r, cos, sin)
		lanes.RotateT(&dw, &adw, &p.r, cos, sin)
		sum := lanes.Cut(&ws.tmp2, n)
		if p.kind == robot.Prismatic {
			shiftOrigin(&sum, &adv, &ant.u, &pos, n)
		} else {
			shiftOriginConst(&sum, &adv, &ant.u, &p.p, n)
		}
		lanes.RotateT(&dv, &sum, &p.r, cos, sin)
	}
	switch p.kind {
	case robot.Revolute:
		for i := range n {
			dw[0][i] += w[1][i] * rate[i]
			dw[1][i] -= w[0][i] * rate[i]
			dw[2][i] += acc[i]
			w[2][i] += rate[i]
		}
	case robot.Prismatic:
		for i := range n {
			dv[0][i] += 2 * w[1][i] * rate[i]
			dv[1][i] -= 2 * w[0][i] * rate[i]
			dv[2][i] += acc[i]
		}
	}
	st.products(n)
	p.moveScrews(st, ws, &pos, sin, cos)
}

// moveAt is move for one sample, without a call for each lane. Sums have the order of move's.
func (c *chain) moveAt(p *link, st *linkState, ws *Workspace) {
	at, in := ws.first, &ws.batch
	sin, cos, pos, rate, acc := 0.0, 1.0, p.p, 0.0, 0.0
	if p.coord >= 0 {
		s := p.ratio*in.Q[p.coord][at] + p.offset
		rate, acc = p.ratio*in.DQ[p.coord][at], p.ratio*in.DDQ[p.coord][at]
		switch p.kind {
		case robot.Revolute:
			sin, cos = math.Sincos(s)
		case robot.Prismatic:
			for k := range pos {
				pos[k] += s * p.r[k][2]
			}
		}
	}
	var w, dw, dv [3]float64
	var ant *linkState
	if p.antecedent < 0 {
		dv = p.turn(-c.gravity[0], -c.gravity[1], -c.gravity[2], sin, cos)
	} else {
		ant = &ws.links[p.antecedent]
		w = p.turn(ant.w[0][0], ant.w[1][0], ant.w[2][0], sin, cos)
		dw = p.turn(ant.dw[0][0], ant.dw[1][0], ant.dw[2][0], sin, cos)
		var sum [3]float64
		for k := range sum {
			u := ant.u[3*k:]
			sum[k] = ant.dv[k][0] + u[0][0]*pos[0] + u[1][0]*pos[1] + u[2][0]*pos[2]
		}
		dv = p.turn(sum[0], sum[1], sum[2], sin, cos)
	}
	switch p.kind {
	case robot.Revolute:
		dw[0] += w[1] * rate
		dw[1] -= w[0] * rate
		dw[2] += acc
		w[2] += rate
	case robot.Prismatic:
		dv[0] += 2 * w[1] * rate
		dv[1] -= 2 * w[0] * rate
		dv[2] += acc
	}
	put(&st.w, w)
	put(&st.dw, dw)
	put(&st.dv, dv)
	st.products(1)
	for i, row := range p.rows {
		var a, v [3]float64
		if row.before >= 0 {
			x, y := first(&ant.a[row.before]), first(&ant.v[row.before])
			a = p.turn(x[0], x[1], x[2], sin, cos)
			v = p.turn(y[0]+x[1]*pos[2]-x[2]*pos[1], y[1]+x[2]*pos[0]-x[0]*pos[2], y[2]+x[0]*pos[1]-x[1]*pos[0], sin, cos)
		}
		if row.coord == p.coord {
			if p.kind == robot.Prismatic {
				v[2] += p.ratio
			} else {
				a[2] += p.ratio
			}
		}
		put(&st.a[i], a)
		put(&st.v[i], v)
	}
}

// turn returns a vector of the antecedent's frame in the link's, as lanes.RotateT does.
func (p *link) turn(x, y, z, sin, cos float64) [3]float64 {
	r := &p.r
	u := r[0][0]*x + r[1][0]*y + r[2][0]*z
	v := r[0][1]*x + r[1][1]*y + r[2][1]*z
	return [3]float64{cos*u + sin*v, cos*v - sin*u, r[0][2]*x + r[1][2]*y + r[2][2]*z}
}

// put sets the first sample of a vector.
func put(v *lanes.Vec, x [3]float64) { v[0][0], v[1][0], v[2][0] = x[0], x[1], x[2] }
