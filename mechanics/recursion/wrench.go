package recursion

import "ident/robot"

// Params are the inertial parameters of a link, in the order of
// robot.InertialNames; zero for those that a base set does not have.
type Params = [robot.NumInertial]Node

// Wrench is a moment and a force, along the axes of a link about its origin.
type Wrench struct{ N, F Vec }

// Torques returns the joint torques of a motion, one per coordinate: Newton and
// Euler's equations, tips to base.
func (t *Tree) Torques(ms []Motion, params []Params) []Node {
	tau, _, _ := t.Wrenches(ms, params)
	return tau
}

// Wrenches returns the joint torques of a motion, the wrenches that the antecedent exerts on each link
// (through the joint, its drive included), and the one that the ground exerts on the whole robot, about
// the origin of the base.
func (t *Tree) Wrenches(ms []Motion, params []Params) (tau []Node, joints []Wrench, base Wrench) {
	n, f := make([]Vec, len(t.Links)), make([]Vec, len(t.Links))
	tau = make([]Node, len(t.Coords))
	for j := len(t.Links) - 1; j >= 0; j-- {
		l := &t.Links[j]
		fj, nj := t.load(&ms[j], &params[j])
		t.name("F", j, &fj)
		t.name("NO", j, &nj)
		f[j], n[j] = t.vec.add(fj, f[j]), t.vec.add(nj, n[j])
		if w, ok := t.External[j]; ok {
			f[j], n[j] = t.vec.add(f[j], w.F), t.vec.add(n[j], w.N)
		}
		t.name("E", j, &f[j])
		t.name("N", j, &n[j])
		if l.Coord >= 0 {
			along := f[j][2]
			if l.Kind == robot.Revolute {
				along = n[j][2]
			}
			tau[l.Coord] = t.G.Add(tau[l.Coord], t.G.Mul(l.Ratio, along))
		}
		no, fo := t.wrenchOut(j, n[j], f[j])
		if i := l.Antecedent; i >= 0 {
			n[i], f[i] = t.vec.add(n[i], no), t.vec.add(f[i], fo)
		} else {
			base.N, base.F = t.vec.add(base.N, no), t.vec.add(base.F, fo)
		}
	}
	for j := range t.Links {
		joints = append(joints, Wrench{n[j], f[j]})
	}
	return tau, joints, base
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
