package plant

import (
	"fmt"
	"math"
	"slices"
)

// Motion is a plant in motion, with its state. One goroutine uses it at a time.
type Motion struct {
	p         *Plant
	n         int
	t         float64
	x         []float64 // q, then dq, then the states of the drives
	sign      []float64 // sign of the friction of a joint that slides, 0 for one that sticks
	step      float64   // to try next, s
	asked     []float64 // of the drive at the last evaluation
	tau       []float64 // that acts, of the joint's own drive
	hold      []float64 // friction at rest that the joint can have under tau, N·m or N
	equations mechanics
	evaluated *float64 // first entry of the state that mass and h are of
	mass, h   []float64
	bias      []float64 // torques left for acceleration and friction
	pushed    []float64 // torques against forces of the surroundings
	applied   []float64 // bias less the friction of joints that slide
	limit     []float64
	slides    []bool
	rest      *rest
	factor    factor
	k         [stages][]float64
	at, to    []float64
	before    []float64 // signs, before an event
	events    int
	stats     Stats
	friction  []friction // at the temperatures of the last state
	heat      int        // first temperature in the state
	apart     *LoopError // of the last stage, nil where the loops close
	passive   *passive   // nil where the joints that loops move have no Coulomb friction
	started   bool       // the signs of passive joints are those of their rates
}

// Stats counts the work of a motion.
type Stats struct {
	Steps, Rejected, Evaluations int
	Stops, Starts                int // how often a joint came to rest, and how often one broke loose
}

// Start puts a plant into a state at a time. Joints whose velocity is zero are at rest, and
// the currents and pressures of drives are zero.
func (p *Plant) Start(t float64, q, dq []float64) *Motion {
	n := len(p.friction)
	if len(q) != n || len(dq) != n {
		panic(fmt.Sprintf("plant: %d positions and %d velocities of %d joints", len(q), len(dq), n))
	}
	heat := 2*n + p.drives.states
	size := heat
	if p.opt.Warming != nil {
		size += n
	}
	m := &Motion{p: p, n: n, t: t, x: append(append(make([]float64, 0, size), q...), dq...)[:size],
		sign: make([]float64, n), asked: make([]float64, n), tau: make([]float64, n), hold: make([]float64, n), equations: p.body.equations(), mass: make([]float64, n*n), h: make([]float64, n), bias: make([]float64, n), pushed: make([]float64, n),
		applied: make([]float64, n), before: make([]float64, n), limit: make([]float64, n), slides: make([]bool, n), rest: newRest(n), factor: newFactor(n),
		at: make([]float64, size), to: make([]float64, size), friction: slices.Clone(p.friction), heat: heat}
	if w := p.opt.Warming; w != nil && w.Start != nil {
		copy(m.x[heat:], w.Start)
	}
	for i := range m.k {
		m.k[i] = make([]float64, size)
	}
	m.passive = newPassive(m.equations, n)
	return m
}

// Time returns the time of the state, s.
func (m *Motion) Time() float64 { return m.t }

// Q returns the positions, which are the motion's own and change with it; the caller must not change them.
func (m *Motion) Q() []float64 { return m.x[:m.n] }

// DQ returns the velocities, which are the motion's own and change with it; the caller must not change them.
func (m *Motion) DQ() []float64 { return m.x[m.n : 2*m.n] }

// Stats returns the work done so far.
func (m *Motion) Stats() Stats { return m.stats }

// At evaluates a drive at the state: the accelerations, the torques of the drive and
// those of friction and of the gear's losses, which together with the offsets hold a joint that sticks.
func (m *Motion) At(d Drive, ddq, tau, friction []float64) error {
	if err := m.settle(d); err != nil {
		return err
	}
	copy(ddq, m.k[0][m.n:2*m.n])
	copy(tau, m.tau)
	for i := range m.n {
		if m.sign[i] != 0 {
			friction[i] = m.sliding(i, m.x)
			continue
		}
		friction[i], _ = m.held(i, m.k[0])
	}
	return nil
}

// slope evaluates the derivative of a state under the present signs.
func (m *Motion) slope(d Drive, t float64, x, k []float64) error {
	if err := m.forces(d, t, x, k); err != nil {
		return err
	}
	return m.accelerate(t, x, k)
}

// accelerate solves for the accelerations of the joints that slide, after forces.
func (m *Motion) accelerate(t float64, x, k []float64) error {
	n := m.n
	a := k[n : 2*n]
	if m.passive != nil {
		copy(m.passive.pulled, m.bias)
		m.passive.oppose(m.bias)
	}
	for i := range n {
		a[i] = m.bias[i]
		m.slides[i] = m.sign[i] != 0 && !(m.passive != nil && m.passive.locked)
		if m.slides[i] {
			a[i] -= m.sliding(i, x)
		}
	}
	if !m.factor.solve(a, m.mass, m.slides) {
		return &InertiaError{Time: t}
	}
	if m.passive != nil && !m.passive.constrain(a, m.bias, m.mass, m.slides, &m.factor) {
		return &InertiaError{Time: t}
	}
	copy(k[:n], x[n:2*n])
	m.heated(x, k)
	return nil
}

// forces evaluates the inertia matrix, the rates of the drives' states, and the torques that
// are left for acceleration and friction: those of the drives less gravity, Coriolis and
// centrifugal forces and offsets.
func (m *Motion) forces(d Drive, t float64, x, k []float64) error {
	n := m.n
	m.stats.Evaluations++
	q, dq := x[:n], x[n:2*n]
	d.Torque(t, q, dq, m.asked)
	copy(m.tau, m.asked)
	m.p.drives.act(m.tau, dq, x[2*n:], k[2*n:])
	m.warm(x)
	for i := range n {
		m.hold[i] = m.friction[i].atRest(m.tau[i])
	}
	if m.evaluated != &x[0] || &x[0] != &m.x[0] { // the last stage of a step is the next state
		if err := m.equations.At(m.mass, m.h, q, dq); err != nil {
			m.evaluated = nil
			return &LoopError{Time: t, Err: err}
		}
		m.evaluated = &x[0]
		if m.passive != nil {
			m.passive.evaluate()
		}
	}
	for i := range n {
		m.bias[i] = m.tau[i] - m.h[i] - m.friction[i].offset
	}
	if m.p.opt.Push != nil {
		clear(m.pushed)
		m.p.opt.Push(t, q, m.pushed)
		for i, v := range m.pushed {
			m.bias[i] -= v
		}
	}
	return nil
}

// held returns the torque of friction that holds a joint, and its rounding, after slope.
func (m *Motion) held(i int, k []float64) (torque, rounding float64) {
	return left(m.bias[i], m.mass[i*m.n:(i+1)*m.n], k[m.n:2*m.n])
}

// sliding returns the friction of a joint that slides, in the state x.
func (m *Motion) sliding(i int, x []float64) float64 {
	return m.friction[i].sliding(m.sign[i], x[m.n+i], m.tau[i])
}

// settle decides at the present state which of the joints at rest stick, and evaluates
// the slope.
func (m *Motion) settle(d Drive) error {
	n := m.n
	if err := m.forces(d, m.t, m.x, m.k[0]); err != nil {
		return err
	}
	atRest := false
	for i := range n {
		f := &m.friction[i]
		dq := m.x[n+i]
		switch {
		case dq != 0:
			m.sign[i] = math.Copysign(1, dq)
			m.limit[i] = -1
		case !f.sticks():
			// Without friction at rest a joint slides, with a sign that has no effect.
			m.sign[i], m.limit[i] = 1, -1
		default:
			m.limit[i], atRest = m.hold[i], true
		}
	}
	if m.passive != nil {
		return m.settlePassive(d)
	}
	if atRest {
		copy(m.applied, m.bias)
		for i := range n {
			if m.x[n+i] != 0 {
				m.applied[i] -= m.sliding(i, m.x)
			}
		}
		if !m.rest.signs(m.sign, m.mass, m.applied, m.limit) {
			return &InertiaError{Time: m.t}
		}
	}
	return m.accelerate(m.t, m.x, m.k[0])
}
