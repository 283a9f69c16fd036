package dynamics

import (
	"ident/internal/spatial"
	"ident/robot"
)

// motion is the state of a link in the outward recursion, in its own frame.
type motion struct {
	a      spatial.Mat // placement on the antecedent
	p      spatial.Vec
	w, dw  spatial.Vec // angular velocity and acceleration
	v      spatial.Vec // velocity of the origin
	dv     spatial.Vec // acceleration of the origin, less gravity
	f, n   spatial.Vec // force and moment that the joint transmits, at the origin
	grav   spatial.Vec // gravity in the link's frame
	origin spatial.Vec // origin in the base frame
	rot    spatial.Mat // orientation in the base frame
}

// outward runs the velocities and accelerations from the base to the tips
// (Luh, Walker and Paul 1980, in the frames of Khalil and Kleinfinger 1987).
func (t *Tree) outward(q, dq, ddq []float64) []motion {
	ms := make([]motion, len(t.links))
	t.outwardInto(ms, q, dq, ddq)
	return ms
}

func (t *Tree) outwardInto(ms []motion, q, dq, ddq []float64) {
	base := motion{rot: spatial.Eye(), dv: spatial.Scale(-1, t.gravity), grav: t.gravity}
	for j := range t.links {
		l, m := &t.links[j], &ms[j]
		m.a, m.p = t.place(j, q)
		i := &base
		if l.Antecedent >= 0 {
			i = &ms[l.Antecedent]
		}
		m.rot = spatial.Mul(i.rot, m.a)
		m.origin = spatial.Add(i.origin, spatial.MulVec(i.rot, m.p))
		m.grav = spatial.MulTVec(m.a, i.grav)
		m.w = spatial.MulTVec(m.a, i.w)
		m.dw = spatial.MulTVec(m.a, i.dw)
		wp := spatial.Cross(i.w, m.p)
		m.v = spatial.MulTVec(m.a, spatial.Add(i.v, wp))
		m.dv = spatial.MulTVec(m.a, spatial.Add(i.dv, spatial.Add(spatial.Cross(i.dw, m.p), spatial.Cross(i.w, wp))))
		if l.Coord < 0 {
			continue
		}
		rate, acc := l.Ratio*dq[l.Coord], 0.0
		if ddq != nil {
			acc = l.Ratio * ddq[l.Coord]
		}
		z := spatial.Vec{0, 0, 1}
		if l.Kind == robot.Revolute {
			m.dw = spatial.Add(spatial.AddScaled(m.dw, acc, z), spatial.Cross(m.w, spatial.Scale(rate, z)))
			m.w[2] += rate
		} else {
			m.v[2] += rate
			m.dv = spatial.Add(spatial.AddScaled(m.dv, acc, z), spatial.Scale(2*rate, spatial.Cross(m.w, z)))
		}
	}
}

// Acceleration is the acceleration of a link's frame in the axes of the base: of its origin,
// m/s², and of its rotation, rad/s².
type Acceleration struct{ Linear, Angular [3]float64 }

// Accelerations returns the accelerations of all link frames, those of origins
// less gravity, which does not show in the difference of two.
func (t *Tree) Accelerations(q, dq, ddq []float64) []Acceleration {
	t.check("q", q)
	t.check("dq", dq)
	t.check("ddq", ddq)
	ms := t.outward(q, dq, ddq)
	out := make([]Acceleration, len(ms))
	for j := range ms {
		out[j] = Acceleration{spatial.MulVec(ms[j].rot, ms[j].dv), spatial.MulVec(ms[j].rot, ms[j].dw)}
	}
	return out
}

// InverseDynamics stores in tau the joint torques (N·m) and forces (N) of the
// motion q, dq, ddq: rigid bodies, gravity and reflected rotor inertia, no
// friction. It is the recursive Newton-Euler algorithm.
func (t *Tree) InverseDynamics(tau, q, dq, ddq []float64) {
	t.check("tau", tau)
	t.check("q", q)
	t.check("dq", dq)
	t.check("ddq", ddq)
	ms := t.outward(q, dq, ddq)
	t.inward(ms)
	t.torques(tau, ms, ddq)
}

// require returns the force and moment, at the origin of a link's frame, that a body with mass, first moments and
// inertia needs for the motion of that frame.
func (m *motion) require(mass float64, first spatial.Vec, inertia spatial.Mat) (f, n spatial.Vec) {
	f = spatial.Add(spatial.Scale(mass, m.dv),
		spatial.Add(spatial.Cross(m.dw, first), spatial.Cross(m.w, spatial.Cross(m.w, first))))
	n = spatial.Add(spatial.MulVec(inertia, m.dw),
		spatial.Add(spatial.Cross(m.w, spatial.MulVec(inertia, m.w)), spatial.Cross(first, m.dv)))
	return f, n
}

// inward sums the forces and moments that the bodies need from the tips to the base.
func (t *Tree) inward(ms []motion) {
	for j := range ms {
		l, m := &t.links[j], &ms[j]
		m.f, m.n = m.require(l.mass, l.first, l.inertia)
	}
	for j := len(ms) - 1; j >= 0; j-- {
		if a := t.links[j].Antecedent; a >= 0 {
			f, n := ms[j].onAntecedent()
			i := &ms[a]
			i.f, i.n = spatial.Add(i.f, f), spatial.Add(i.n, n)
		}
	}
}

// onAntecedent returns the wrench of a joint at the origin of the antecedent's frame, along its axes.
func (m *motion) onAntecedent() (f, n spatial.Vec) {
	f = spatial.MulVec(m.a, m.f)
	return f, spatial.Add(spatial.MulVec(m.a, m.n), spatial.Cross(m.p, f))
}

// torques are the parts of the joints' wrenches along their axes, with those of the rotors.
func (t *Tree) torques(tau []float64, ms []motion, ddq []float64) {
	clear(tau)
	for j := len(ms) - 1; j >= 0; j-- {
		l, m := &t.links[j], &ms[j]
		if l.Coord < 0 {
			continue
		}
		along := m.f[2]
		if l.Kind == robot.Revolute {
			along = m.n[2]
		}
		tau[l.Coord] += l.Ratio * (along + l.ia*l.Ratio*ddq[l.Coord])
	}
}

// KineticEnergy returns the kinetic energy in joules, rotors included.
func (t *Tree) KineticEnergy(q, dq []float64) float64 {
	t.check("q", q)
	t.check("dq", dq)
	e := 0.0
	for j, m := range t.outward(q, dq, nil) {
		l := &t.links[j]
		e += spatial.Dot(m.w, spatial.MulVec(l.inertia, m.w))/2 +
			spatial.Dot(l.first, spatial.Cross(m.v, m.w)) + l.mass*spatial.Dot(m.v, m.v)/2
		if l.Coord >= 0 {
			rate := l.Ratio * dq[l.Coord]
			e += l.ia * rate * rate / 2
		}
	}
	return e
}

// PotentialEnergy returns the potential energy of gravity in joules, zero for
// a mass at the origin of the base frame.
func (t *Tree) PotentialEnergy(q []float64) float64 {
	t.check("q", q)
	zero := make([]float64, len(q))
	e := 0.0
	for j, m := range t.outward(q, zero, nil) {
		l := &t.links[j]
		e -= spatial.Dot(m.grav, l.first) + l.mass*spatial.Dot(t.gravity, m.origin)
	}
	return e
}
