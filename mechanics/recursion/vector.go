package recursion

import "ident/symbolic"

// rotate returns the components of a vector before a turn about an axis: with
// the sign of s reversed, those after it.
func rotate(g *symbolic.Graph, about int, s, c Node, v Vec) Vec {
	i, k := (about+1)%3, (about+2)%3
	out := v
	out[i] = g.Sub(g.Mul(c, v[i]), g.Mul(s, v[k]))
	out[k] = g.Add(g.Mul(s, v[i]), g.Mul(c, v[k]))
	return out
}

// unturned takes a vector from the link's frame, before the joint's own turn,
// to the antecedent's axes.
func (l *Link) unturned(g *symbolic.Graph, v Vec) Vec {
	for i := len(l.turns) - 1; i >= 0; i-- {
		v = rotate(g, l.turns[i].about, l.turns[i].s, l.turns[i].c, v)
	}
	return v
}

// into takes a free vector from the antecedent's axes to those of link j.
func (t *Tree) into(j int, v Vec) Vec {
	l := &t.Links[j]
	for _, u := range l.turns {
		v = rotate(t.G, u.about, -u.s, u.c, v)
	}
	return rotate(t.G, 2, -l.s, l.c, v)
}

// outOf takes a free vector from the axes of link j to its antecedent's.
func (t *Tree) outOf(j int, v Vec) Vec {
	l := &t.Links[j]
	return l.unturned(t.G, rotate(t.G, 2, l.s, l.c, v))
}

// algebra is the arithmetic of vectors, and of bodies, on a graph.
type algebra struct{ g *symbolic.Graph }

func (x algebra) add(a, b Vec) Vec {
	return Vec{x.g.Add(a[0], b[0]), x.g.Add(a[1], b[1]), x.g.Add(a[2], b[2])}
}

func (x algebra) scale(k Node, a Vec) Vec {
	return Vec{x.g.Mul(k, a[0]), x.g.Mul(k, a[1]), x.g.Mul(k, a[2])}
}

func (x algebra) cross(a, b Vec) Vec {
	g := x.g
	return Vec{
		g.Sub(g.Mul(a[1], b[2]), g.Mul(a[2], b[1])),
		g.Sub(g.Mul(a[2], b[0]), g.Mul(a[0], b[2])),
		g.Sub(g.Mul(a[0], b[1]), g.Mul(a[1], b[0])),
	}
}

func (x algebra) dot(a, b Vec) Node {
	g := x.g
	return g.Add(g.Add(g.Mul(a[0], b[0]), g.Mul(a[1], b[1])), g.Mul(a[2], b[2]))
}

// timesZ returns v × z·k.
func (x algebra) timesZ(v Vec, k Node) Vec {
	return Vec{x.g.Mul(v[1], k), -x.g.Mul(v[0], k), 0}
}

// movedInto takes a pair (angular, linear) of vectors of the antecedent, a
// velocity, a screw or a variation of one, to the frame of link j as if the
// joint were rigid.
func (t *Tree) movedInto(j int, a, v Vec) (Vec, Vec) {
	l := &t.Links[j]
	lin := t.into(j, t.vec.add(v, t.vec.cross(a, l.p)))
	ang := t.into(j, a)
	return ang, t.vec.add(lin, t.vec.timesZ(ang, l.slide))
}

// wrenchOut takes a moment and a force of link j, at its origin, to its
// antecedent's frame and origin.
func (t *Tree) wrenchOut(j int, n, f Vec) (Vec, Vec) {
	l := &t.Links[j]
	n = t.vec.add(n, t.vec.cross(Vec{0, 0, l.slide}, f))
	fo := t.outOf(j, f)
	return t.vec.add(t.outOf(j, n), t.vec.cross(l.p, fo)), fo
}
