package regressor

import "fmt"

// Eval fills the block with the regressor for the motion q, dq, ddq: one slice for each row's joint, with b.Rows
// samples. It allocates nothing.
func (m *Model) Eval(b *Block, q, dq, ddq [][]float64, ws *Workspace) {
	m.EvalBatch(b, Batch{Q: q, DQ: dq, DDQ: ddq}, ws)
}

// EvalBatch is Eval for models whose terms need more than the motion. It panics if the batch lacks a channel that they
// need.
func (m *Model) EvalBatch(b *Block, in Batch, ws *Workspace) {
	m.checkMotion("ddq", in.DDQ, b.Rows)
	m.checkBatch(&in, b.Rows)
	b.check(m, ws)
	if m.loops != nil {
		m.loops.eval(b, &in, ws)
		return
	}
	ws.batch = in
	fill := func(p part) { p.torque(b, ws) }
	if m.programs != nil {
		m.programs.dynamic().run(nil, b, ws, in.Q, in.DQ, in.DDQ)
		m.sweep(m.programs.rest, b.Rows, ws, nil, fill)
		return
	}
	m.sweep(m.parts, b.Rows, ws, func(link int) { m.chain.move(link, ws) }, fill)
}

// EvalMomentum fills d1 and d2, blocks of the model's shape, with the momentum
// regressor and with the torques that do not change momenta:
//
//	τ = d/dt(D1·χ) + D2·χ,   D1 = ∂e/∂q̇,   D2 = −∂e/∂q + ∂u/∂q + friction
//
// e and u are the kinetic and potential energies of unit parameters. Neither
// block contains an acceleration, and in.DDQ is not used. Nothing is allocated
// after the first call with a workspace.
//
// With S_i the screw of joint i and P the momentum of a unit parameter, both at
// the origin and in the axes of the link's frame, D1 = S_i·P, and since the axis
// of joint i is fixed in link i, which moves with the twist V_i,
//
//	−∂e/∂q_i = −(V_i × S_i)·P
//
// so both come from one recursion outward, which carries S_i and V_i×S_i along.
func (m *Model) EvalMomentum(d1, d2 *Block, in Batch, ws *Workspace) {
	m.checkBatch(&in, d1.Rows)
	m.checkBatch(&in, d2.Rows)
	d1.check(m, ws)
	d2.check(m, ws)
	if m.loops != nil {
		m.loops.momentum(d1, d2, &in, ws)
		return
	}
	if ws.energy == nil {
		ws.energy = m.chain.newEnergyStates()
	}
	in.DDQ = nil
	ws.batch = in
	fill := func(p part) { p.momentum(d1, d2, ws) }
	if m.programs != nil {
		m.programs.momentum().run(d1, d2, ws, in.Q, in.DQ)
		m.sweep(m.programs.rest, d1.Rows, ws, nil, fill)
		return
	}
	m.sweep(m.parts, d1.Rows, ws, func(link int) { m.chain.moveVelocities(link, ws, true) }, fill)
}

// EvalEnergy fills a block of NewEnergyBlock with one row per sample, so that
//
//	q̇ᵀτ = d/dt(h·χ) + p·χ
//
// A column for which Stored is true holds h: the kinetic and potential energy of
// its parameter at value one (Gautier and Khalil 1988). The other columns hold p:
// the power that such a parameter absorbs. Accelerations are not used. The zero
// of the potentials is arbitrary: only differences of h have a meaning.
func (m *Model) EvalEnergy(h *Block, in Batch, ws *Workspace) {
	m.checkBatch(&in, h.Rows)
	if len(h.Joint) != 1 || len(h.Joint[0]) != len(m.columns) || len(ws.links) != len(m.chain.links) {
		panic(fmt.Sprintf("regressor: the energies of %d columns want a block of NewEnergyBlock and a workspace of the same model", len(m.columns)))
	}
	if m.loops != nil {
		m.loops.energy(h, &in, ws)
		return
	}
	if ws.energy == nil {
		ws.energy = m.chain.newEnergyStates()
	}
	in.DDQ = nil
	ws.batch = in
	m.sweep(m.parts, h.Rows, ws, func(link int) { m.chain.moveVelocities(link, ws, false) }, func(p part) { p.energy(h, ws) })
}

// Stored reports, for each column, whether its parameter stores energy. If so, EvalEnergy gives that energy; otherwise
// the power that it absorbs.
func (m *Model) Stored() []bool {
	if m.loops != nil {
		return m.loops.tree.Stored()
	}
	stored := make([]bool, len(m.columns))
	for _, p := range m.parts {
		for _, c := range p.where().columns {
			stored[c] = p.stores()
		}
	}
	return stored
}

// sweep evaluates parts for the workspace's batch, Lanes samples at a time. move computes the motion of a link, outward
// along the tree; fill then computes the columns of its parts while that is in the cache. With a nil move the parts need
// no motion.
func (m *Model) sweep(parts []part, rows int, ws *Workspace, move func(link int), fill func(p part)) {
	for ws.first = 0; ws.first < rows; ws.first += Lanes {
		ws.n = min(Lanes, rows-ws.first)
		next := 0
		for j := range m.chain.links {
			if !m.used[j] || move == nil {
				continue
			}
			move(j)
			for ; next < len(parts) && parts[next].where().link == j; next++ {
				fill(parts[next])
			}
		}
		for _, p := range parts[next:] {
			fill(p)
		}
	}
}
