package recursion

import "ident/robot"

// Params are the inertial parameters of a link, in the order of
// robot.InertialNames; zero for those that a base set does not have.
type Params = [robot.NumInertial]Node

// Torques returns the joint torques of a motion, one a coordinate: Newton and
// Euler's equations, tips to base.
func (t *Tree) Torques(ms []Motion, params []Params) []Node {
	n, f := make([]Vec, len(t.Links)), make([]Vec, len(t.Links))
	tau := make([]Node, len(t.Coords))
	for j := len(t.Links) - 1; j >= 0; j-- {
		l := &t.Links[j]
		fj, nj := t.load(&ms[j], &params[j])
		t.name("F", j, &fj)
		t.name("NO", j, &nj)
		f[j], n[j] = t.vec.add(fj, f[j]), t.vec.add(nj, n[j])
		t.name("E", j, &f[j])
		t.name("N", j, &n[j])
		if l.Coord >= 0 {
			along := f[j][2]
			if l.Kind == robot.Revolute {
				along = n[j][2]
			}
			tau[l.Coord] = t.G.Add(tau[l.Coord], t.G.Mul(l.Ratio, along))
		}
		if i := l.Antecedent; i >= 0 {
			no, fo := t.wrenchOut(j, n[j], f[j])
			n[i], f[i] = t.vec.add(n[i], no), t.vec.add(f[i], fo)
		}
	}
	return tau
}

// load returns the force and the moment at the link's origin that its body
// needs.
func (t *Tree) load(m *Motion, p *Params) (f, n Vec) {
	for k := range 3 {
		first := p[robot.MX+k]
		for c := range 3 {
			f[c] = t.G.Add(f[c], t.G.Mul(first, m.U[c][k]))
		}
	}
	f = t.vec.add(f, t.vec.scale(p[robot.M], m.DV))
	for k := robot.XX; k <= robot.ZZ; k++ {
		u, _ := t.UnitWrench(m, k)
		n = t.vec.add(n, t.vec.scale(p[k], u))
	}
	return f, t.vec.add(n, t.vec.cross(Vec{p[robot.MX], p[robot.MY], p[robot.MZ]}, m.DV))
}
