package oracle

import (
	"ident/internal/spatial"
	"ident/robot"
)

// Theorems returns the joint torques by the theorems of momentum for the bodies beyond each joint: along a
// sliding axis the rate of their linear momentum, about a turning axis that of their angular momentum, less
// gravity's force and moment.
func Theorems(r *robot.Robot, q, dq, ddq []float64) []float64 {
	s := newState(r, q, dq, ddq)
	tau := make([]float64, len(q))
	placed := s.placements()
	for i, b := range s.bodies() {
		force := spatial.Scale(b.mass, b.a)
		spin := spatial.Add(spatial.MulVec(b.inertia, b.dw), spatial.Cross(b.w, spatial.MulVec(b.inertia, b.w)))
		for j := i; j >= 0; j = r.Links[j].Antecedent {
			c, t := s.coord[j], placed[j].t
			if c < 0 {
				continue
			}
			z, o := spatial.Vec{t[0][2], t[1][2], t[2][2]}, spatial.Vec{t[0][3], t[1][3], t[2][3]}
			if r.Links[j].Joint.Kind == robot.Prismatic {
				tau[c] += s.ratio[j] * spatial.Dot(z, force)
			} else {
				tau[c] += s.ratio[j] * spatial.Dot(z, spatial.Add(spin, spatial.Cross(spatial.Sub(b.at, o), force)))
			}
		}
	}
	s.rotors(tau)
	return tau
}
