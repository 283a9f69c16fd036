package plant

import "math"

// settlePassive is settle where passive joints have Coulomb friction: which of the joints at rest stick is decided for the driven and
// the passive ones together. m.limit has the friction of the driven ones at rest, −1 for those that slide.
func (m *Motion) settlePassive(d Drive) error {
	p := m.passive
	if !m.started {
		m.started = true
		p.start()
	}
	for j := range p.sign {
		if p.atRest(j) {
			p.sign[j] = 0
		}
	}
	if !m.contacts(m.x, m.bias) {
		return &InertiaError{Time: m.t}
	}
	at := 0
	for i := range m.n {
		if m.limit[i] >= 0 {
			m.sign[i] = p.contact.sign[at]
			at++
		}
	}
	for j := range p.sign {
		if p.sign[j] == 0 {
			p.sign[j] = p.contact.sign[at]
			at++
		}
	}
	p.locked = false
	if err := m.accelerate(m.t, m.x, m.k[0]); err != nil {
		return err
	}
	dq := m.x[m.n : 2*m.n]
	moved := p.sticks() && p.project(dq)
	if p.locked = p.locks(m.mass, m.slides, &m.factor); p.locked {
		clear(dq)
		moved = true
	}
	if moved {
		m.evaluated = nil
		if err := m.forces(d, m.t, m.x, m.k[0]); err != nil {
			return err
		}
		return m.accelerate(m.t, m.x, m.k[0])
	}
	return nil
}

// contacts finds the signs of the joints at rest, the driven ones with a limit and then the passive ones that stick, in a state under the
// torques that act but for friction.
func (m *Motion) contacts(x, torques []float64) bool {
	p := m.passive
	copy(m.applied, torques)
	p.contact.begin()
	for i := range m.n {
		if m.limit[i] >= 0 {
			p.contact.addDriven(i, m.limit[i])
		} else {
			m.applied[i] -= m.sliding(i, x)
		}
	}
	p.oppose(m.applied)
	for j, s := range p.sign {
		if s == 0 {
			p.contact.add(p.row(j), p.drift[j], p.coulomb[j])
		}
	}
	return p.contact.solve(m.mass, m.applied, &m.factor)
}

// passiveMargin reports whether at the end of the last step the passive joints slide as at its beginning, and whether those that stick,
// with the driven ones, still can: the least velocity in the direction of sliding, and −1 where friction no longer holds a joint.
func (m *Motion) passiveMargin() float64 {
	p, left := m.passive, math.Inf(1)
	for j, s := range p.sign {
		if s != 0 {
			left = min(left, s*p.rate[j])
		}
	}
	if left < 0 || !p.sticks() {
		return left
	}
	for i := range m.n {
		if m.limit[i] = -1; m.sign[i] == 0 {
			m.limit[i] = m.hold[i]
		}
	}
	if !m.contacts(m.to, p.pulled) {
		return -1
	}
	for _, s := range p.contact.sign[:p.contact.count] {
		if s != 0 {
			return -1
		}
	}
	return left
}
