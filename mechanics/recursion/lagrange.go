package recursion

import "ident/robot"

// Coriolis returns the coefficients of products of rates: h[i][j][k] for
// j ≤ k is that of dq_j·dq_k in the torque of coordinate i.
func (t *Tree) Coriolis(body []Params) [][][]Node {
	n := len(t.Coords)
	out := make([][][]Node, n)
	for i := range out {
		out[i] = square(n)
	}
	for m := range t.Links {
		if t.Links[m].Coord < 0 {
			continue
		}
		t.coriolisAt(m, &body[m], out)
	}
	return out
}

// coriolisAt adds the coefficients of which the last of the three joints is
// that of link m.
func (t *Tree) coriolisAt(m int, body *Params, out [][][]Node) {
	g := t.G
	var joints []int // moving joints of the path, base first, m last
	for j := m; j >= 0; j = t.Links[j].Antecedent {
		if t.Links[j].Coord >= 0 {
			joints = append([]int{j}, joints...)
		}
	}
	screws := t.jointScrews(joints)
	h, p := make([]Vec, len(joints)), make([]Vec, len(joints))
	for i := range joints {
		h[i], p[i] = t.vec.momentum(body, &screws[i])
	}
	last := len(joints) - 1
	// triple is (Sx×Sy)·H·Sz for x < y.
	pairs := map[[2]int]Screw{}
	triple := func(x, y, z int) Node {
		if x == y {
			return 0
		}
		negative := x > y
		if negative {
			x, y = y, x
		}
		s, ok := pairs[[2]int{x, y}]
		if !ok {
			a, b := &screws[x], &screws[y]
			s = Screw{t.vec.cross(a.A, b.A), t.vec.add(t.vec.cross(a.A, b.V), t.vec.cross(a.V, b.A))}
			pairs[[2]int{x, y}] = s
		}
		v := t.Along(h[z], p[z], &s)
		if negative {
			return -v
		}
		return v
	}
	add := func(i, j, k int, v Node) {
		a, b, c := &t.Links[joints[i]], &t.Links[joints[j]], &t.Links[joints[k]]
		v = g.Mul(g.Mul(a.Ratio, g.Mul(b.Ratio, c.Ratio)), v)
		x, y := min(b.Coord, c.Coord), max(b.Coord, c.Coord)
		to := &out[a.Coord][x][y]
		*to = g.Add(*to, v)
	}
	for i := range joints {
		for j := range joints {
			if i == last || j == last {
				add(i, j, j, triple(i, j, j))
			}
			for k := j + 1; k < len(joints); k++ {
				if i == last || k == last {
					add(i, j, k, g.Sum(triple(j, k, i), triple(i, j, k), triple(i, k, j)))
				}
			}
		}
	}
}

// jointScrews returns the screws of joints along one path in the frame of the
// last of them.
func (t *Tree) jointScrews(joints []int) []Screw {
	at := map[int]int{}
	for i, j := range joints {
		at[j] = i
	}
	m := joints[len(joints)-1]
	var path []int
	for j := m; j >= 0; j = t.Links[j].Antecedent {
		path = append([]int{j}, path...)
	}
	out := make([]Screw, len(joints))
	for _, j := range path {
		for i := range joints {
			if joints[i] < j {
				out[i].A, out[i].V = t.movedInto(j, out[i].A, out[i].V)
			}
		}
		if i, ok := at[j]; ok {
			out[i] = axis(t.Links[j].Kind)
		}
	}
	return out
}

// GravityTorques returns the torques that hold the composite bodies against
// gravity.
func (t *Tree) GravityTorques(body []Params, ms []Motion) []Node {
	g := t.G
	out := make([]Node, len(t.Coords))
	for j := range t.Links {
		l := &t.Links[j]
		if l.Coord < 0 {
			continue
		}
		gr := &ms[j].Gravity
		along := -g.Mul(body[j][robot.M], gr[2])
		if l.Kind == robot.Revolute {
			along = g.Sub(g.Mul(body[j][robot.MY], gr[0]), g.Mul(body[j][robot.MX], gr[1]))
		}
		out[l.Coord] = g.Add(out[l.Coord], g.Mul(l.Ratio, along))
	}
	return out
}

// Momenta returns the generalized momenta of a motion, and what the torques have beside their rates of change: the derivatives of the
// potential energy less those of the kinetic energy by the coordinates. The latter are the products of the momentum of the composite body
// with its variation under the joint's coordinate.
func (t *Tree) Momenta(ms []Motion, params []Params) (momenta, rest []Node) {
	g := t.G
	momenta, rest = make([]Node, len(t.Coords)), t.GravityTorques(t.Composite(params), ms)
	h, p := make([]Vec, len(t.Links)), make([]Vec, len(t.Links))
	for j := len(t.Links) - 1; j >= 0; j-- {
		l, m := &t.Links[j], &ms[j]
		twist := m.Twist()
		own, linear := t.vec.momentum(&params[j], &twist)
		h[j], p[j] = t.vec.add(h[j], own), t.vec.add(p[j], linear)
		if l.Coord >= 0 {
			s := axis(l.Kind)
			change := Screw{V: t.vec.timesZ(m.W, one)}
			if l.Kind == robot.Revolute {
				change = Screw{change.V, t.vec.timesZ(m.V, one)}
			}
			momenta[l.Coord] = g.Add(momenta[l.Coord], g.Mul(l.Ratio, t.Along(h[j], p[j], &s)))
			rest[l.Coord] = g.Sub(rest[l.Coord], g.Mul(l.Ratio, t.Along(h[j], p[j], &change)))
		}
		if i := l.Antecedent; i >= 0 {
			n, f := t.wrenchOut(j, h[j], p[j])
			h[i], p[i] = t.vec.add(h[i], n), t.vec.add(p[i], f)
		}
	}
	return momenta, rest
}
