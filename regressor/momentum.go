package regressor

// EvalMomentum fills d1 and d2, blocks of the model's shape, with the momentum
// regressor and with what forces other than inertial ones the torques balance:
//
//	τ = d/dt(D1·χ) + D2·χ,   D1 = ∂e/∂q̇,   D2 = −∂e/∂q + ∂u/∂q + friction
//
// e and u are the kinetic and potential energies of unit parameters. Neither
// block contains an acceleration, and in.DDQ is not looked at. Nothing is
// allocated after the first call with a workspace.
//
// With S_i the screw of joint i and P the momentum of a unit parameter, both at
// the origin and in the axes of the link's frame, D1 = S_i·P, and since the axis
// of joint i is fixed in link i, which moves with the twist V_i,
//
//	−∂e/∂q_i = −(V_i × S_i)·P
//
// so both come from one recursion outward, which carries S_i and V_i×S_i along.
func (m *Model) EvalMomentum(d1, d2 *Block, in Batch, ws *Workspace) {
	m.check(d1, &in, ws)
	m.check(d2, &in, ws)
	if m.loops != nil {
		m.momentumClosed(d1, d2, &in, ws)
		return
	}
	m.slow(ws)
	in.DDQ = nil
	if m.programs != nil {
		m.programs.momentum().run(d1, d2, ws, in.Q, in.DQ)
	}
	for first := 0; first < d1.Rows; first += Lanes {
		n := min(Lanes, d1.Rows-first)
		for j := range m.links {
			if !m.links[j].used || m.programs != nil {
				continue
			}
			m.moveSlow(j, &in, ws, true, first, n)
			p := &m.links[j]
			m.writeMomentum(j, p.params, false, d1, d2, ws, first, n)
			if len(p.payload) > 0 {
				m.writeMomentum(j, p.payload, true, d1, d2, ws, first, n)
				for i := range p.rows {
					m.carry(d1.Joint[p.rows[i].coord], p.rows[i].payload, &in, first, n)
					m.carry(d2.Joint[p.rows[i].coord], p.rows[i].payload, &in, first, n)
				}
			}
		}
		for i := range m.drives {
			d := &m.drives[i]
			x := m.strokeOf(d, &in, ws, first, n)
			rest := d.law.rest
			if rest == nil && d.law.momentum == nil {
				rest = d.law.torque
			}
			d.spread(d1, x, d.law.momentum, first, n)
			d.spread(d2, x, rest, first, n)
		}
		for i := range m.rotors {
			m.rotorMomentum(&m.rotors[i], d1, d2, &in, ws, first, n)
		}
		for i := range m.wrenches {
			p := &m.wrenches[i]
			for k, row := range m.links[p.link].rows {
				clear(d1.Joint[row.coord][p.at[k]][first : first+n])
			}
			m.evalWrench(p, d2, &in, ws, first, n)
		}
		for i := range m.contacts {
			p := &m.contacts[i]
			for k, row := range m.links[p.link].rows {
				clear(d1.Joint[row.coord][p.at[k]][first : first+n])
			}
			m.evalContact(p, d2, &in, ws, first, n)
		}
	}
}

// writeMomentum stores the columns of one body in the rows of its joints.
func (m *Model) writeMomentum(j int, params []slot, payload bool, d1, d2 *Block, ws *Workspace, first, n int) {
	p, st, sl := &m.links[j], &ws.links[j], &ws.slow[j]
	var sum pairs
	for i := range p.rows {
		row := &p.rows[i]
		at := row.at
		if payload {
			at = row.payload
		}
		for s := range params {
			param := params[s].param
			a, b := d1.Joint[row.coord][at[s]][first:first+n], d2.Joint[row.coord][at[s]][first:first+n]
			sl.momentum(&sum, st, param, &st.a[i], &st.v[i])
			sum.sum(a, 1)
			sl.momentum(&sum, st, param, &sl.da[i], &sl.dv[i])
			sum.sum(b, -1)
			sl.weigh(b, param, &st.a[i], &st.v[i])
		}
	}
}

// rotorMomentum writes the columns of a rotor: its energy in rotor.go gives
//
//	D1 of the driven joint  n²·q̇ + n·ω·u      D1 of joint k  n·q̇·a·u
//	D2 of joint k          −n·q̇·(ω_k×a)·u
func (m *Model) rotorMomentum(p *rotorPlan, d1, d2 *Block, in *Batch, ws *Workspace, first, n int) {
	rate := in.DQ[p.coord][first : first+n]
	for _, c := range p.coords {
		clear(p.row(d1, c, first, n))
		clear(p.row(d2, c, first, n))
	}
	own := p.row(d1, p.coord, first, n)
	for l := range own {
		own[l] = p.gear * p.gear * rate[l]
	}
	if p.carrier < 0 {
		return
	}
	st, sl, u, g := &ws.links[p.carrier], &ws.slow[p.carrier], p.axis, p.gear
	for l := range own {
		own[l] += g * (u[0]*st.w[0][l] + u[1]*st.w[1][l] + u[2]*st.w[2][l])
	}
	for i := range m.links[p.carrier].rows {
		c := m.links[p.carrier].rows[i].coord
		x, y := p.row(d1, c, first, n), p.row(d2, c, first, n)
		a, da := &st.a[i], &sl.da[i]
		for l := range x {
			x[l] += g * rate[l] * (u[0]*a[0][l] + u[1]*a[1][l] + u[2]*a[2][l])
			y[l] -= g * rate[l] * (u[0]*da[0][l] + u[1]*da[1][l] + u[2]*da[2][l])
		}
	}
}
