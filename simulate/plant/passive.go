package plant

import "math"

// passive is the Coulomb friction of the joints that loops move. With G the Jacobian of their coordinates by those of the driven
// joints and b their accelerations at steady rates, joint j has the rate G_j·dq and the acceleration G_j·ddq + b_j, and its
// friction f acts on the driven joints as −G_jᵀ·f: Fs against its rate while it slides, and while it sticks the force of the constraint
//
//	G_j·ddq + b_j = 0,   |f| ≤ Fs
type passive struct {
	body        *closed
	coords      []int     // of the tree, of each joint
	coulomb     []float64 // Fs, N·m or N
	sign        []float64 // sign of the friction of a joint that slides, 0 for one that sticks
	rows        []float64 // G at the last state, row by row: joints×driven
	rate, drift []float64 // of each joint there: G·dq, and b
	pulled      []float64 // torques of the driven joints before the friction that sticks
	locked      bool      // the joints that stick leave the driven ones no motion
	hold        *constraint
	contact     *contact
}

// newPassive returns the passive joints of a motion; nil without any.
func newPassive(m mechanics, n int) *passive {
	c, loops := m.(*closed)
	if !loops {
		return nil
	}
	p := &passive{body: c}
	for k, f := range c.m.coulomb {
		if f > 0 {
			p.coords, p.coulomb = append(p.coords, k), append(p.coulomb, f)
		}
	}
	j := len(p.coords)
	if j == 0 {
		return nil
	}
	p.sign, p.rate, p.drift, p.rows = make([]float64, j), make([]float64, j), make([]float64, j), make([]float64, j*n)
	p.pulled = make([]float64, n)
	p.hold, p.contact = newConstraint(n, j), newContact(n, n+j)
	return p
}

// row is G of a joint.
func (p *passive) row(j int) []float64 {
	n := len(p.rows) / len(p.coords)
	return p.rows[j*n : (j+1)*n]
}

// evaluate takes the Jacobian and the rates at the state that the mechanics were evaluated at.
func (p *passive) evaluate() {
	c := p.body
	for j, k := range p.coords {
		row := p.row(j)
		copy(row, c.g[k*len(row):(k+1)*len(row)])
		p.rate[j], p.drift[j] = c.dq[k], c.ddq[k]
	}
}

// oppose subtracts the friction of the joints that slide from torques of the driven joints.
func (p *passive) oppose(tau []float64) {
	for j, s := range p.sign {
		if s == 0 {
			continue
		}
		for i, g := range p.row(j) {
			tau[i] -= g * s * p.coulomb[j]
		}
	}
}

// sticks reports whether any joint does.
func (p *passive) sticks() bool {
	for _, s := range p.sign {
		if s == 0 {
			return true
		}
	}
	return false
}

// constrain takes the accelerations a of the driven joints that slide to those at which the sticking joints stay, and their friction
// from the torques of all driven joints.
func (p *passive) constrain(a, tau, mass []float64, free []bool, f *factor) bool {
	p.hold.begin()
	for j, s := range p.sign {
		if s == 0 && !p.hold.add(p.row(j), mass, free, f) {
			return false
		}
	}
	p.hold.right = p.hold.right[:0]
	for j, s := range p.sign {
		if s != 0 {
			continue
		}
		r := p.drift[j]
		for i, g := range p.row(j) {
			r += g * a[i]
		}
		p.hold.right = append(p.hold.right, r)
	}
	p.hold.apply(a)
	c := 0
	for j, s := range p.sign {
		if s != 0 {
			continue
		}
		for i, g := range p.row(j) {
			tau[i] -= g * p.hold.force[c]
		}
		c++
	}
	return true
}

// project takes the motion of the sticking joints from the velocities, along the impulse that stops them, after constrain.
func (p *passive) project(dq []float64) (changed bool) {
	p.hold.right = p.hold.right[:0]
	for j, s := range p.sign {
		if s != 0 {
			continue
		}
		r := 0.0
		for i, g := range p.row(j) {
			r += g * dq[i]
		}
		changed = changed || r != 0
		p.hold.right = append(p.hold.right, r)
	}
	if changed {
		p.hold.apply(dq)
	}
	return changed
}

// locks tells, after constrain, whether the joints that stick leave the driven ones that are free no motion: the response to a torque of
// any of them is a millionth of the one without constraints, far above rounding.
func (p *passive) locks(mass []float64, free []bool, f *factor) bool {
	if !p.sticks() {
		return false
	}
	n := len(free)
	alone, held := make([]float64, n), make([]float64, n)
	for i, ok := range free {
		if !ok {
			continue
		}
		clear(alone)
		alone[i] = 1
		if !f.solve(alone, mass, free) {
			return false
		}
		copy(held, alone)
		p.hold.right = p.hold.right[:0]
		for j, s := range p.sign {
			if s != 0 {
				continue
			}
			r := 0.0
			for l, g := range p.row(j) {
				r += g * held[l]
			}
			p.hold.right = append(p.hold.right, r)
		}
		p.hold.apply(held)
		for l := range held {
			if math.Abs(held[l]) > 1e-6*math.Abs(alone[i]) {
				return false
			}
		}
	}
	return true
}

// constraint is a set of directions J of the driven joints in which they may not accelerate, with the response M⁻¹·Jᵀ of those that slide.
type constraint struct {
	n, count         int
	rows, response   []float64 // row by row: constraints×driven
	schur, lower     []float64 // J·M⁻¹·Jᵀ
	right, force, by []float64
}

func newConstraint(n, most int) *constraint {
	return &constraint{n: n, rows: make([]float64, 0, n*most), response: make([]float64, 0, n*most), schur: make([]float64, most*most), lower: make([]float64, most*most),
		right: make([]float64, 0, most), force: make([]float64, most), by: make([]float64, most)}
}

func (c *constraint) begin() { c.count, c.rows, c.response = 0, c.rows[:0], c.response[:0] }

// add takes one more direction, of the joints that are free.
func (c *constraint) add(row, mass []float64, free []bool, f *factor) bool {
	c.rows, c.response = append(c.rows, row...), append(c.response, row...)
	at := c.count * c.n
	for i, ok := range free {
		if !ok {
			c.rows[at+i] = 0
		}
	}
	c.count++
	return f.solve(c.response[at:at+c.n], mass, free)
}

// apply subtracts from x the response by which J·x loses c.right; the forces of it are in c.force. Directions that depend on others
// share the force: the matrix gets a part in 1e9 on its diagonal, whose effect three steps of refinement take away (the method of
// multipliers, Rockafellar 1976).
func (c *constraint) apply(x []float64) {
	k := c.count
	largest := 0.0
	for i := range k {
		for j := range k {
			s := 0.0
			for l := range c.n {
				s += c.rows[i*c.n+l] * c.response[j*c.n+l]
			}
			c.schur[i*k+j] = s
		}
		largest = max(largest, c.schur[i*k+i])
	}
	clear(c.force[:k])
	if largest == 0 {
		return // nothing is free
	}
	for range 4 {
		copy(c.lower, c.schur[:k*k])
		for i := range k {
			c.lower[i*k+i] += 1e-9 * largest
			c.by[i] = c.right[i]
			for j := range k {
				c.by[i] -= c.schur[i*k+j] * c.force[j]
			}
		}
		solveSymmetric(c.lower[:k*k], c.by[:k], k)
		for i, v := range c.by[:k] {
			c.force[i] += v
		}
	}
	for i := range k {
		for l := range c.n {
			x[l] -= c.response[i*c.n+l] * c.force[i]
		}
	}
}

// solveSymmetric solves a positive definite system in place of b, and overwrites the matrix.
func solveSymmetric(a, b []float64, n int) {
	for i := range n {
		pivot := a[i*n+i]
		for j := i + 1; j < n; j++ {
			f := a[j*n+i] / pivot
			for l := i; l < n; l++ {
				a[j*n+l] -= f * a[i*n+l]
			}
			b[j] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for l := i + 1; l < n; l++ {
			b[i] -= a[i*n+l] * b[l]
		}
		b[i] /= a[i*n+i]
	}
}

// atRest reports whether a joint of the last state may stick: it does, does not move, or has just turned back.
func (p *passive) atRest(j int) bool {
	return p.sign[j] == 0 || p.sign[j]*p.rate[j] <= 0
}

// start sets the signs of a state that the mechanics were evaluated at.
func (p *passive) start() {
	for j, v := range p.rate {
		if p.sign[j] = 0; v != 0 {
			p.sign[j] = math.Copysign(1, v)
		}
	}
}

// stop lets the joints that turned back or came to rest stick until it is decided, and returns their number.
func (p *passive) stop() (stopped int) {
	for j := range p.sign {
		if p.sign[j] != 0 && p.atRest(j) {
			p.sign[j] = 0
			stopped++
		}
	}
	return stopped
}
