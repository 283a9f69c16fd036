package regressor

import (
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
