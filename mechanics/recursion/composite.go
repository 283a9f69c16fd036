package recursion

import (
	"ident/robot"
)

// Composite returns the parameters of the composite bodies: each link with all
// that it carries, in its own frame, joints beyond it being still.
func (t *Tree) Composite(params []Params) []Params {
	out := append([]Params(nil), params...)
	for j := len(t.Links) - 1; j >= 0; j-- {
		if i := t.Links[j].Antecedent; i >= 0 {
			moved := t.bodyOut(j, out[j])
			for k := range moved {
				out[i][k] = t.G.Add(out[i][k], moved[k])
			}
		}
	}
	return out
}

// bodyOut takes a body's parameters from the frame of link j to its
// antecedent's.
func (t *Tree) bodyOut(j int, b Params) Params {
	l := &t.Links[j]
	b = t.vec.bodyShift(b, Vec{0, 0, l.slide})
	b = t.vec.bodyRotate(b, turn{2, l.s, l.c})
	for i := len(l.turns) - 1; i >= 0; i-- {
		b = t.vec.bodyRotate(b, l.turns[i])
	}
	return t.vec.bodyShift(b, l.p)
}

// tensor is the position of an entry of the inertia among the parameters.
var tensor = [3][3]int{{robot.XX, robot.XY, robot.XZ}, {robot.XY, robot.YY, robot.YZ}, {robot.XZ, robot.YZ, robot.ZZ}}

// bodyRotate returns the parameters in a frame in which the old one is turned.
// With d = J_kk - J_ii and w = s·d - 2c·J_ik, the entries in the plane of the turn
// become J_ii + s·w, J_kk - s·w and -(c·w + J_ik): nine products in all.
func (x algebra) bodyRotate(b Params, u turn) Params {
	g := x.g
	if u.s == 0 && u.c == one {
		return b
	}
	i, k, z := (u.about+1)%3, (u.about+2)%3, u.about
	out := b
	ii, kk, ik := b[tensor[i][i]], b[tensor[k][k]], b[tensor[i][k]]
	w := g.Sub(g.Mul(u.s, g.Sub(kk, ii)), g.Mul(u.c, g.Mul(g.Int(2), ik)))
	sw := g.Mul(u.s, w)
	out[tensor[i][i]], out[tensor[k][k]] = g.Add(ii, sw), g.Sub(kk, sw)
	out[tensor[i][k]] = -g.Add(g.Mul(u.c, w), ik)
	v := rotate(g, u.about, u.s, u.c, vecAt(u.about, b[tensor[i][z]], b[tensor[k][z]]))
	out[tensor[i][z]], out[tensor[k][z]] = v[i], v[k]
	v = rotate(g, u.about, u.s, u.c, vecAt(u.about, b[robot.MX+i], b[robot.MX+k]))
	out[robot.MX+i], out[robot.MX+k] = v[i], v[k]
	return out
}

// vecAt returns a vector with the two components across an axis.
func vecAt(about int, first, second Node) Vec {
	var v Vec
	v[(about+1)%3], v[(about+2)%3] = first, second
	return v
}

// bodyShift returns the parameters about a point from which the old origin is
// at p: J + ((h·p) + (p·h))·I - h·pᵀ - p·hᵀ with h = MS + M·p/2.
func (x algebra) bodyShift(b Params, p Vec) Params {
	g := x.g
	out := b
	first := Vec{b[robot.MX], b[robot.MY], b[robot.MZ]}
	move := x.scale(b[robot.M], p)
	// twice h
	h := x.add(x.scale(g.Int(2), first), move)
	var diagonal Vec
	for k := range 3 {
		diagonal[k] = g.Mul(h[k], p[k])
	}
	half := g.Rat(1, 2)
	for i := range 3 {
		k, l := (i+1)%3, (i+2)%3
		out[tensor[i][i]] = g.Add(b[tensor[i][i]], g.Add(diagonal[k], diagonal[l]))
		// h_i·p_k + p_i·h_k, where an offset has one component one product
		off := g.Add(g.Mul(g.Mul(half, h[i]), p[k]), g.Mul(g.Mul(half, h[k]), p[i]))
		if p[i] == 0 {
			off = g.Mul(first[i], p[k])
		} else if p[k] == 0 {
			off = g.Mul(first[k], p[i])
		}
		out[tensor[i][k]] = g.Sub(b[tensor[i][k]], off)
	}
	first = x.add(first, move)
	out[robot.MX], out[robot.MY], out[robot.MZ] = first[0], first[1], first[2]
	return out
}

// momentum returns the momentum (angular about the origin, linear) of a body
// under a screw.
func (x algebra) momentum(b *Params, s *Screw) (h, p Vec) {
	first := Vec{b[robot.MX], b[robot.MY], b[robot.MZ]}
	for i := range 3 {
		for k := range 3 {
			h[i] = x.g.Add(h[i], x.g.Mul(b[tensor[i][k]], s.A[k]))
		}
	}
	h = x.add(h, x.cross(first, s.V))
	p = x.add(x.scale(b[robot.M], s.V), x.cross(s.A, first))
	return h, p
}

// JointInertia returns the inertia matrix by coordinates, without rotors, and
// symmetric.
func (t *Tree) JointInertia(body []Params) [][]Node {
	a := square(len(t.Coords))
	for j := range t.Links {
		l := &t.Links[j]
		if l.Coord < 0 {
			continue
		}
		// Momentum under a unit rate of the joint, carried to the base.
		own := axis(l.Kind)
		h, p := t.vec.momentum(&body[j], &own)
		for i := j; i >= 0; {
			o := &t.Links[i]
			if o.Coord >= 0 {
				along := p[2]
				if o.Kind == robot.Revolute {
					along = h[2]
				}
				v := t.G.Mul(t.G.Mul(l.Ratio, o.Ratio), along)
				a[o.Coord][l.Coord] = t.G.Add(a[o.Coord][l.Coord], v)
				if i != j {
					a[l.Coord][o.Coord] = t.G.Add(a[l.Coord][o.Coord], v)
				}
			}
			h, p = t.wrenchOut(i, h, p)
			i = o.Antecedent
		}
	}
	return a
}

func square(n int) [][]Node {
	a := make([][]Node, n)
	for i := range a {
		a[i] = make([]Node, n)
	}
	return a
}

// axis returns the screw of a unit rate of a joint in its link's frame.
func axis(k robot.Kind) Screw {
	if k == robot.Revolute {
		return Screw{A: Vec{0, 0, one}}
	}
	return Screw{V: Vec{0, 0, one}}
}
