package recursion

import "ident/robot"

// UnitWrench returns the moment and the force, at the link's origin, that a
// unit of parameter p of a link needs in a motion.
func (t *Tree) UnitWrench(m *Motion, p int) (n, f Vec) {
	g := t.G
	u, w, ww := &m.U, &m.DW, &m.WW
	switch p {
	case robot.XX:
		n = Vec{w[0], ww[0][2], -ww[0][1]}
	case robot.XY:
		n = Vec{-u[2][0], u[2][1], g.Sub(u[0][0], u[1][1])}
	case robot.XZ:
		n = Vec{u[1][0], g.Sub(u[2][2], u[0][0]), -u[1][2]}
	case robot.YY:
		n = Vec{-ww[1][2], w[1], ww[0][1]}
	case robot.YZ:
		n = Vec{g.Sub(u[1][1], u[2][2]), -u[0][1], u[0][2]}
	case robot.ZZ:
		n = Vec{ww[1][2], -ww[0][2], w[2]}
	case robot.M:
		f = m.DV
	default:
		k := p - robot.MX
		f = Vec{u[0][k], u[1][k], u[2][k]}
		b, c := (k+1)%3, (k+2)%3
		n[b], n[c] = -m.DV[c], m.DV[b]
	}
	return n, f
}

// Along returns the generalized force of a wrench along a screw.
func (t *Tree) Along(n, f Vec, s *Screw) Node { return t.G.Add(t.vec.dot(n, s.A), t.vec.dot(f, s.V)) }

// Twist returns a link's velocity as a screw.
func (m *Motion) Twist() Screw { return Screw{m.W, m.V} }

// Bilinear returns the bilinear form of two screws whose value for twice the
// same velocity is twice the kinetic energy of a unit of parameter p.
func (t *Tree) Bilinear(a, b *Screw, p int) Node {
	g := t.G
	symmetric := func(i, k int) Node {
		if i == k {
			return g.Mul(a.A[i], b.A[i])
		}
		return g.Add(g.Mul(a.A[i], b.A[k]), g.Mul(a.A[k], b.A[i]))
	}
	switch p {
	case robot.XX:
		return symmetric(0, 0)
	case robot.XY:
		return symmetric(0, 1)
	case robot.XZ:
		return symmetric(0, 2)
	case robot.YY:
		return symmetric(1, 1)
	case robot.YZ:
		return symmetric(1, 2)
	case robot.ZZ:
		return symmetric(2, 2)
	case robot.M:
		return t.vec.dot(a.V, b.V)
	}
	// First moments: (ω×V)-like, a determinant's row in both orders.
	i, k := (p-robot.MX+1)%3, (p-robot.MX+2)%3
	return g.Add(
		g.Sub(g.Mul(a.A[k], b.V[i]), g.Mul(a.A[i], b.V[k])),
		g.Sub(g.Mul(b.A[k], a.V[i]), g.Mul(b.A[i], a.V[k])))
}

// Energy returns the coefficient of parameter p in the energy of a link:
// kinetic, and potential with zero at the base's origin.
func (t *Tree) Energy(m *Motion, p int) Node {
	s := m.Twist()
	e := t.G.Mul(t.G.Rat(1, 2), t.Bilinear(&s, &s, p))
	switch {
	case p <= robot.ZZ:
		return e
	case p == robot.M:
		return t.G.Add(e, m.Fall)
	}
	return t.G.Sub(e, m.Gravity[p-robot.MX])
}

// Weight returns ∂u/∂q, the generalized force along a screw that holds a unit
// of parameter p against gravity.
func (t *Tree) Weight(m *Motion, s *Screw, p int) Node {
	switch {
	case p <= robot.ZZ:
		return 0
	case p == robot.M:
		return -t.vec.dot(m.Gravity, s.V)
	}
	i, k := (p-robot.MX+1)%3, (p-robot.MX+2)%3
	return t.G.Sub(t.G.Mul(s.A[i], m.Gravity[k]), t.G.Mul(s.A[k], m.Gravity[i]))
}
