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

func (t *Tree) add(a, b Vec) Vec {
	return Vec{t.G.Add(a[0], b[0]), t.G.Add(a[1], b[1]), t.G.Add(a[2], b[2])}
}

func (t *Tree) scale(k Node, a Vec) Vec {
	return Vec{t.G.Mul(k, a[0]), t.G.Mul(k, a[1]), t.G.Mul(k, a[2])}
}

func (t *Tree) cross(a, b Vec) Vec {
	g := t.G
	return Vec{
		g.Sub(g.Mul(a[1], b[2]), g.Mul(a[2], b[1])),
		g.Sub(g.Mul(a[2], b[0]), g.Mul(a[0], b[2])),
		g.Sub(g.Mul(a[0], b[1]), g.Mul(a[1], b[0])),
	}
}

func (t *Tree) dot(a, b Vec) Node {
	g := t.G
	return g.Add(g.Add(g.Mul(a[0], b[0]), g.Mul(a[1], b[1])), g.Mul(a[2], b[2]))
}

// timesZ returns v × z·k.
func (t *Tree) timesZ(v Vec, k Node) Vec {
	return Vec{t.G.Mul(v[1], k), -t.G.Mul(v[0], k), 0}
}

// movedInto takes a pair (angular, linear) of vectors of the antecedent, a
// velocity, a screw or a variation of one, to the frame of link j as if the
// joint were rigid.
func (t *Tree) movedInto(j int, a, v Vec) (Vec, Vec) {
	l := &t.Links[j]
	lin := t.into(j, t.add(v, t.cross(a, l.p)))
	ang := t.into(j, a)
	return ang, t.add(lin, t.timesZ(ang, l.slide))
}

// wrenchOut takes a moment and a force of link j, at its origin, to its
// antecedent's frame and origin.
func (t *Tree) wrenchOut(j int, n, f Vec) (Vec, Vec) {
	l := &t.Links[j]
	n = t.add(n, t.cross(Vec{0, 0, l.slide}, f))
	fo := t.outOf(j, f)
	return t.add(t.outOf(j, n), t.cross(l.p, fo)), fo
}
