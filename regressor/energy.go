package regressor

import (
	"fmt"

	"ident/robot"
)

// NewEnergyBlock allocates a block for EvalEnergy: one row a sample with all
// columns, as those of a single joint.
func (m *Model) NewEnergyBlock(rows int) *Block {
	b := &Block{cap: rows, store: make([]float64, len(m.columns)*rows)}
	cols := make([][]float64, len(m.columns))
	for c := range cols {
		cols[c] = b.store[c*rows : (c+1)*rows : (c+1)*rows]
	}
	b.Joint = [][][]float64{cols}
	b.Resize(rows)
	return b
}

// Stored tells, for each column, whether its parameter stores energy: then
// EvalEnergy gives its energy, and otherwise the power that it takes.
func (m *Model) Stored() []bool {
	stored := make([]bool, len(m.columns))
	for c, col := range m.columns {
		switch col.Term {
		case Links, Payload, Ir:
			stored[c] = true
		case Wrench, Contact:
		default:
			d, _ := lookup(col.Term)
			stored[c] = d.params[col.Param].law.energy != nil
		}
	}
	return stored
}

// EvalEnergy fills a block of NewEnergyBlock with one row a sample: the energy
// of unit parameters that store it, kinetic and potential (Gautier and Khalil
// 1988), and the power of the others, so that
//
//	q̇ᵀτ = d/dt(h·χ) + p·χ
//
// h of the columns that Stored names and p of the rest. No acceleration is looked
// at. The potentials' zero is arbitrary: only differences of h say anything.
func (m *Model) EvalEnergy(h *Block, in Batch, ws *Workspace) {
	m.checkBatch("q", in.Q, h.Rows)
	m.checkBatch("dq", in.DQ, h.Rows)
	m.checkNeeds(&in, h.Rows)
	if len(h.Joint) != 1 || len(h.Joint[0]) != len(m.columns) || len(ws.links) != len(m.links) {
		panic(fmt.Sprintf("regressor: the energies of %d columns want a block of NewEnergyBlock and a workspace of the same model", len(m.columns)))
	}
	if m.loops != nil {
		m.energyClosed(h, &in, ws)
		return
	}
	m.slow(ws)
	in.DDQ = nil
	cols := h.Joint[0]
	for first := 0; first < h.Rows; first += Lanes {
		n := min(Lanes, h.Rows-first)
		for j := range m.links {
			p := &m.links[j]
			if !p.used {
				continue
			}
			m.moveSlow(j, &in, ws, false, first, n)
			for _, s := range p.params {
				m.writeEnergy(j, s.param, cols[s.column][first:first+n], ws)
			}
			for _, s := range p.payload {
				dst := cols[s.column][first : first+n]
				m.writeEnergy(j, s.param, dst, ws)
				for l := range dst {
					dst[l] *= in.PayloadAttached[first+l]
				}
			}
		}
		for i := range m.drives {
			d := &m.drives[i]
			x := m.strokeOf(d, &in, ws, first, n)
			dst := cols[d.column][first : first+n]
			if d.law.energy != nil {
				d.law.energy(dst, x)
				continue
			}
			d.law.torque(dst, x)
			for l := range dst {
				dst[l] *= x.ds[l]
			}
		}
		for i := range m.rotors {
			m.rotorEnergy(&m.rotors[i], cols, &in, ws, first, n)
		}
		for i := range m.wrenches {
			m.wrenchPower(&m.wrenches[i], cols, &in, ws, first, n)
		}
		for i := range m.contacts {
			m.contactPower(&m.contacts[i], cols, &in, ws, first, n)
		}
	}
}

// writeEnergy stores the energy of a unit of a link's parameter.
func (m *Model) writeEnergy(j, param int, dst []float64, ws *Workspace) {
	st, sl := &ws.links[j], &ws.slow[j]
	w, v := &st.w, &sl.v
	square := func(x []float64) {
		for i := range dst {
			dst[i] = x[i] * x[i] / 2
		}
	}
	product := func(x, y []float64) {
		for i := range dst {
			dst[i] = x[i] * y[i]
		}
	}
	switch param {
	case robot.XX:
		square(w[0])
	case robot.XY:
		product(w[0], w[1])
	case robot.XZ:
		product(w[0], w[2])
	case robot.YY:
		square(w[1])
	case robot.YZ:
		product(w[1], w[2])
	case robot.ZZ:
		square(w[2])
	case robot.M:
		for i := range dst {
			dst[i] = (v[0][i]*v[0][i]+v[1][i]*v[1][i]+v[2][i]*v[2][i])/2 + sl.height[i]
		}
	default:
		k := param - robot.MX
		p, q := (k+1)%3, (k+2)%3
		for i := range dst {
			dst[i] = w[q][i]*v[p][i] - w[p][i]*v[q][i] - sl.g[k][i]
		}
	}
}

// rotorEnergy writes ½·n²·q̇² + n·q̇·ω·u.
func (m *Model) rotorEnergy(p *rotorPlan, cols [][]float64, in *Batch, ws *Workspace, first, n int) {
	dst, rate := cols[p.column][first:first+n], in.DQ[p.coord][first:first+n]
	for l, r := range rate {
		spin := p.gear * r
		dst[l] = spin * spin / 2
		if p.carrier >= 0 {
			w := &ws.links[p.carrier].w
			dst[l] += spin * (p.axis[0]*w[0][l] + p.axis[1]*w[1][l] + p.axis[2]*w[2][l])
		}
	}
}

// wrenchPower writes the power that a channel of the wrench takes.
func (m *Model) wrenchPower(p *wrenchPlan, cols [][]float64, in *Batch, ws *Workspace, first, n int) {
	dst, f := cols[p.column][first:first+n], in.Wrench[p.axis][first:first+n]
	w, v := &ws.links[p.link].w, &ws.slow[p.link].v
	for l := range dst {
		var rate float64
		for k := range 3 {
			if p.axis < 3 {
				rate += p.dir[k]*v[k][l] + p.arm[k]*w[k][l]
			} else {
				rate += p.dir[k] * w[k][l]
			}
		}
		dst[l] = -f[l] * rate
	}
}
