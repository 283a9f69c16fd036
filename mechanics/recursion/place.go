package recursion

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/symbolic"
)

// place works out the steps from the antecedent's frame to that of link j.
func (b *builder) place(j int) error {
	t, r := b.t, b.r
	l, from := &t.Links[j], &r.Links[j]
	fail := func(err error) error {
		return fmt.Errorf("robot %q: placement of joint %q: %w", r.Name, from.Joint.Name, err)
	}
	var angles [3]Node // γ, α, θ
	var err error
	mdh := from.MDH
	if mdh != nil && len(r.Unset) == 0 && !same(mdh.Transform(), from.Placement) {
		mdh = nil // the placement has been changed since, and counts
	}
	var along Node // r
	if mdh != nil {
		var v [6]Node
		for k, x := range [6]float64{mdh.Gamma, mdh.B, mdh.Alpha, mdh.D, mdh.Theta, mdh.R} {
			if v[k], err = b.node(mdh.Text[k], x); err != nil {
				return fail(err)
			}
		}
		angles = [3]Node{v[0], v[2], v[4]}
		along = v[5]
		l.p = Vec{t.G.Mul(v[3], t.G.Cos(v[0])), t.G.Mul(v[3], t.G.Sin(v[0])), v[1]}
	} else {
		p := from.Placement.P
		for k := range 3 {
			if s := p[k] + from.Placement.R[k][0] + from.Placement.R[k][1] + from.Placement.R[k][2]; math.IsNaN(s) || math.IsInf(s, 0) {
				return fail(fmt.Errorf("it is not finite"))
			}
			l.p[k] = t.G.Float(p[k])
		}
		for k, a := range eulerZXZ(from.Placement.R) {
			angles[k] = t.G.Float(a)
		}
	}
	for k, about := range []int{2, 0} {
		l.turn(t.G, about, angles[k])
	}
	theta := angles[2]
	l.s, l.c = 0, symbolic.One
	switch {
	case l.Coord < 0:
		l.turn(t.G, 2, theta)
	case l.Kind == robot.Prismatic:
		l.turn(t.G, 2, theta)
		l.slide = t.G.Add(t.G.Mul(l.Ratio, t.Q[l.Coord]), l.Offset)
	default:
		l.s, l.c = b.turnOf(l, t.G.Add(l.Offset, theta))
	}
	if l.Coord >= 0 {
		l.rate = t.G.Mul(l.Ratio, t.DQ[l.Coord])
		l.acc = t.G.Mul(l.Ratio, t.DDQ[l.Coord])
	}
	l.split(t.G, along)
	return nil
}

// turnOf returns sine and cosine of a revolute joint's angle: that of its coordinate and more.
func (b *builder) turnOf(l *Link, more Node) (s, c Node) {
	g, k := b.t.G, l.Coord
	unit := l.Ratio == one || l.Ratio == -one
	if b.cos == nil || b.cos[k] == 0 && b.sin[k] == 0 || !unit {
		angle := g.Add(g.Mul(l.Ratio, b.t.Q[k]), more)
		return g.Sin(angle), g.Cos(angle)
	}
	s, c = b.sin[k], b.cos[k]
	if l.Ratio < 0 {
		s = -s
	}
	so, co := g.Sin(more), g.Cos(more)
	return g.Add(g.Mul(s, co), g.Mul(c, so)), g.Sub(g.Mul(c, co), g.Mul(s, so))
}

// turn appends a constant rotation, unless it turns nothing.
func (l *Link) turn(g *symbolic.Graph, about int, angle Node) {
	if angle != 0 {
		l.turns = append(l.turns, turn{about, g.Sin(angle), g.Cos(angle)})
	}
}

// split decides how much of the constant offset p + along·z is taken along the
// joint's axis, beyond the rotation: along, nothing, or for numbers the length at
// which a component of the rest vanishes. Each component that is not zero costs the
// same wherever it is.
func (l *Link) split(g *symbolic.Graph, along Node) {
	z := l.axisInAntecedent(g)
	if l.Kind == robot.Prismatic && l.Coord >= 0 {
		// A slide has its distance beyond the rotation anyway.
		l.slide = g.Add(l.slide, along)
		if k, ok := single(z); ok && along == 0 {
			l.slide = g.Add(l.slide, g.Mul(l.p[k], z[k]))
			l.p[k] = 0
		}
		return
	}
	type choice struct {
		p     Vec
		slide Node
	}
	best := choice{l.p, along}
	cost := func(c choice) int {
		n := 0
		for _, v := range []Node{c.p[0], c.p[1], c.p[2], c.slide} {
			if v != 0 {
				n++
			}
		}
		return n
	}
	try := func(c choice) {
		// Of equals the one without a slide: quantities of the antecedent are
		// simpler than those of the link.
		if d := cost(c) - cost(best); d < 0 || d == 0 && c.slide == 0 {
			best = c
		}
	}
	whole := l.p
	for k := range 3 {
		whole[k] = g.Add(whole[k], g.Mul(along, z[k]))
	}
	snap(g, &whole, l.p)
	try(choice{whole, 0})
	for k := range 3 {
		zk, ok := g.Number(z[k])
		_, okp := g.Number(whole[k])
		// A small component would put the point far along the axis, and lose digits.
		if !ok || !okp || math.Abs(zk) < 0.01 {
			continue
		}
		c := choice{whole, g.Div(whole[k], z[k])}
		numeric := true
		for i := range 3 {
			_, ok := g.Number(c.p[i])
			_, okz := g.Number(z[i])
			numeric = numeric && ok && okz
			c.p[i] = g.Sub(c.p[i], g.Mul(c.slide, z[i]))
		}
		c.p[k] = 0
		if snap(g, &c.p, whole); numeric {
			try(c)
		}
	}
	l.p, l.slide = best.p, best.slide
}

// snap puts the remainder of a cancellation to zero: numbers below the rounding
// of the numbers that they are differences of.
func snap(g *symbolic.Graph, p *Vec, of Vec) {
	size := 0.0
	for _, n := range of {
		if v, ok := g.Number(n); ok {
			size = max(size, math.Abs(v))
		}
	}
	for k, n := range p {
		if v, ok := g.Number(n); ok && math.Abs(v) < 4e-16*size {
			p[k] = 0
		}
	}
}

// single tells which component of an axis is ±1.
func single(z Vec) (int, bool) {
	for k, v := range z {
		if v == symbolic.One || v == -symbolic.One {
			return k, true
		}
	}
	return 0, false
}

// axisInAntecedent returns the joint's axis in the antecedent's frame.
func (l *Link) axisInAntecedent(g *symbolic.Graph) Vec {
	return l.unturned(g, Vec{0, 0, symbolic.One})
}

// same reports whether two placements are the same to rounding.
func same(a, b robot.Transform) bool {
	for i := range 3 {
		// Rounding of a product of three rotations, and of an offset's sum.
		if math.Abs(a.P[i]-b.P[i]) > 1e-14*(1+math.Abs(b.P[i])) {
			return false
		}
		for k := range 3 {
			if math.Abs(a.R[i][k]-b.R[i][k]) > 1e-14 {
				return false
			}
		}
	}
	return true
}

// eulerZXZ returns γ, α, θ with r = Rot(z,γ)·Rot(x,α)·Rot(z,θ). Angles that are
// multiples of π/12 but for rounding are those multiples.
func eulerZXZ(r [3][3]float64) [3]float64 {
	alpha := math.Atan2(math.Hypot(r[0][2], r[1][2]), r[2][2])
	gamma, theta := 0.0, 0.0
	if s := math.Sin(alpha); s > 1e-15 {
		gamma = math.Atan2(r[0][2], -r[1][2])
		theta = math.Atan2(r[2][0], r[2][1])
		if gamma > math.Pi/2 || gamma <= -math.Pi/2 {
			// Rot(z,γ)·Rot(x,α)·Rot(z,θ) = Rot(z,γ±π)·Rot(x,-α)·Rot(z,θ±π)
			gamma, alpha, theta = gamma-math.Copysign(math.Pi, gamma), -alpha, theta-math.Copysign(math.Pi, theta)
		}
	} else {
		// θ carries the whole turn about z: γ would cost.
		theta = math.Atan2(math.Copysign(r[1][0], r[1][0]*r[2][2]), r[0][0])
	}
	out := [3]float64{gamma, alpha, theta}
	for i, a := range out {
		if k := math.Round(a * 12 / math.Pi); math.Abs(a-k*math.Pi/12) < 1e-15 {
			out[i] = k * math.Pi / 12
		}
	}
	return out
}
