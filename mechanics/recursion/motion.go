package recursion

import (
	"fmt"

	"ident/robot"
	"ident/symbolic"
)

// Motion is the motion of a link, in its own frame at its origin.
type Motion struct {
	W, V    Vec // angular velocity, velocity of the origin
	DW, DV  Vec // angular acceleration, acceleration of the origin less gravity
	U       [3]Vec
	WW      [3]Vec // products of the components of W
	Gravity Vec
	Fall    Node // -g·P, the potential energy of a unit mass at the origin
}

// Rates are the generalized velocities and accelerations of a motion; nil
// stands for zeros.
type Rates struct{ DQ, DDQ []Node }

// Motions carries velocities and accelerations from the base to the tips.
func (t *Tree) Motions(r Rates, gravity Vec) []Motion {
	g := t.G
	rate := func(l *Link, v []Node) Node {
		if l.Coord < 0 || v == nil {
			return 0
		}
		return g.Mul(l.Ratio, v[l.Coord])
	}
	out := make([]Motion, len(t.Links))
	base := t.baseMotion(gravity)
	for j := range t.Links {
		l, m := &t.Links[j], &out[j]
		i := base
		if l.Antecedent >= 0 {
			i = out[l.Antecedent]
		}
		dq, ddq := rate(l, r.DQ), rate(l, r.DDQ)
		m.W, m.V = t.movedInto(j, i.W, i.V)
		m.DW = t.into(j, i.DW)
		m.Gravity = t.into(j, i.Gravity)
		origin := t.vec.add(l.p, t.vec.scale(l.slide, l.axisInAntecedent(g)))
		m.Fall = g.Sub(i.Fall, t.vec.dot(i.Gravity, origin))
		if l.Kind == robot.Revolute && l.Coord >= 0 {
			m.DW = t.vec.add(m.DW, t.vec.timesZ(m.W, dq))
			m.DW[2] = g.Add(m.DW[2], ddq)
			m.W[2] = g.Add(m.W[2], dq)
		}
		t.name("W", j, &m.W)
		t.name("WP", j, &m.DW)
		t.products(m)
		m.DV = i.DV
		for k := range 3 {
			for c := range 3 {
				m.DV[k] = g.Add(m.DV[k], g.Mul(i.U[k][c], l.p[c]))
			}
		}
		m.DV = t.into(j, m.DV)
		for k := range 3 {
			m.DV[k] = g.Add(m.DV[k], g.Mul(m.U[k][2], l.slide))
		}
		if l.Kind == robot.Prismatic && l.Coord >= 0 {
			m.DV = t.vec.add(m.DV, t.vec.timesZ(m.W, g.Mul(g.Int(2), dq)))
			m.DV[2] = g.Add(m.DV[2], ddq)
			m.V[2] = g.Add(m.V[2], dq)
		}
		t.name("V", j, &m.V)
		t.name("VP", j, &m.DV)
		t.name("G", j, &m.Gravity)
	}
	return out
}

// baseMotion returns the motion of the base.
func (t *Tree) baseMotion(gravity Vec) (m Motion) {
	m.DV, m.Gravity = Vec{-gravity[0], -gravity[1], -gravity[2]}, gravity
	if b := t.Base; b != nil {
		m.W, m.V, m.DW, m.DV = b.W, b.V, b.DW, t.vec.add(b.DV, m.DV)
		t.products(&m)
	}
	return m
}

// products fills in U = [ω̇]ₓ + [ω]ₓ².
func (t *Tree) products(m *Motion) {
	g := t.G
	for a := range 3 {
		for b := range 3 {
			m.WW[a][b] = g.Mul(m.W[a], m.W[b])
		}
	}
	for a := range 3 {
		b, c := (a+1)%3, (a+2)%3
		m.U[a][a] = -g.Add(m.WW[b][b], m.WW[c][c])
		m.U[a][b] = g.Sub(m.WW[a][b], m.DW[c])
		m.U[b][a] = g.Add(m.WW[a][b], m.DW[c])
	}
}

// name gives the components of a vector the names of the classic listings: W13
// is the first component of W of link 3. Beyond nine links the number of the
// link follows an underscore.
func (t *Tree) name(what string, j int, v *Vec) {
	for k := range v {
		if v[k] > 0 {
			t.G.Name(v[k], t.label(fmt.Sprintf("%s%d", what, k+1), j))
		}
	}
}

func (t *Tree) label(what string, j int) string {
	if len(t.Links) > 9 {
		return fmt.Sprintf("%s_%d", what, j+1)
	}
	return fmt.Sprintf("%s%d", what, j+1)
}

// Screw is a pair of an angular and a linear vector at a link's origin.
type Screw struct{ A, V Vec }

// Screws returns, for each link and coordinate of its path, the velocity of
// the link under a unit rate of that coordinate alone.
func (t *Tree) Screws() [][]Screw {
	out := make([][]Screw, len(t.Links))
	for j := range t.Links {
		l := &t.Links[j]
		out[j] = make([]Screw, len(l.path))
		for k, c := range l.path {
			s := &out[j][k]
			if b := t.before(j, c); b >= 0 {
				s.A, s.V = t.movedInto(j, out[l.Antecedent][b].A, out[l.Antecedent][b].V)
			}
			if c != l.Coord {
				continue
			}
			if l.Kind == robot.Revolute {
				s.A[2] = t.G.Add(s.A[2], l.Ratio)
			} else {
				s.V[2] = t.G.Add(s.V[2], l.Ratio)
			}
		}
	}
	return out
}

// before returns the position of a coordinate in the path of the antecedent,
// -1 where it does not move it.
func (t *Tree) before(j, c int) int {
	if i := t.Links[j].Antecedent; i >= 0 {
		for k, d := range t.Links[i].path {
			if d == c {
				return k
			}
		}
	}
	return -1
}

// Variations returns, for each link and coordinate of its path, the partial
// derivatives of ω and V with respect to that coordinate.
func (t *Tree) Variations(ms []Motion) [][]Screw {
	out := make([][]Screw, len(t.Links))
	for j := range t.Links {
		l := &t.Links[j]
		out[j] = make([]Screw, len(l.path))
		for k, c := range l.path {
			s := &out[j][k]
			if b := t.before(j, c); b >= 0 {
				s.A, s.V = t.movedInto(j, out[l.Antecedent][b].A, out[l.Antecedent][b].V)
			}
			if c != l.Coord {
				continue
			}
			if l.Kind == robot.Revolute {
				s.A = t.vec.add(s.A, t.vec.timesZ(ms[j].W, l.Ratio))
				s.V = t.vec.add(s.V, t.vec.timesZ(ms[j].V, l.Ratio))
			} else {
				s.V = t.vec.add(s.V, t.vec.timesZ(ms[j].W, l.Ratio))
			}
		}
	}
	return out
}

// one is the number 1.
const one = symbolic.One
