package dynamics

import (
	"ident/internal/spatial"
	"ident/robot"
)

// usualLinks is the number of links up to which an inertia matrix needs no memory of its own: that of arms.
const usualLinks = 8

// InertiaMatrix stores in m, row-major DOF×DOF, the joint-space inertia matrix
// at q, rotors included, by the composite-rigid-body algorithm (Walker and Orin
// 1982). The kinetic energy is ½·dqᵀ·m·dq.
func (t *Tree) InertiaMatrix(m, q []float64) {
	n := t.DOF()
	t.check("q", q)
	if len(m) != n*n {
		panic("dynamics: the inertia matrix needs DOF×DOF entries")
	}
	clear(m)
	// Composite bodies, tip to base, each in its own frame.
	var bodies [usualLinks]robot.Inertial
	var poses [usualLinks]robot.Transform
	body, pose := bodies[:], poses[:]
	if len(t.links) > usualLinks {
		body, pose = make([]robot.Inertial, len(t.links)), make([]robot.Transform, len(t.links))
	}
	for j := range t.links {
		l := &t.links[j]
		o, f := l.inertia, l.first
		body[j] = robot.Inertial{o[0][0], o[0][1], o[0][2], o[1][1], o[1][2], o[2][2], f[0], f[1], f[2], l.mass}
		pose[j].R, pose[j].P = t.place(j, q)
	}
	for j := len(t.links) - 1; j >= 0; j-- {
		if i := t.links[j].Antecedent; i >= 0 {
			body[i] = body[i].Add(body[j].InFrame(pose[j]))
		}
	}
	for j := range t.links {
		l := &t.links[j]
		if l.Coord < 0 {
			continue
		}
		// Momentum of the composite body under a unit rate of joint j.
		z := spatial.Vec{0, 0, 1}
		var f, k spatial.Vec
		if l.Kind == robot.Revolute {
			f = spatial.Cross(z, body[j].FirstMoments())
			k = spatial.MulVec(body[j].Origin(), z)
		} else {
			f = spatial.Scale(body[j].Mass(), z)
			k = spatial.Cross(body[j].FirstMoments(), z)
		}
		m[l.Coord*n+l.Coord] += l.Ratio * l.Ratio * l.ia
		for i := j; i >= 0; {
			o := &t.links[i]
			if o.Coord >= 0 {
				along := f[2]
				if o.Kind == robot.Revolute {
					along = k[2]
				}
				v := along * l.Ratio * o.Ratio
				m[o.Coord*n+l.Coord] += v
				if i != j {
					m[l.Coord*n+o.Coord] += v
				}
			}
			f = spatial.MulVec(pose[i].R, f)
			k = spatial.Add(spatial.MulVec(pose[i].R, k), spatial.Cross(pose[i].P, f))
			i = o.Antecedent
		}
	}
}
