package oracle

import (
	"ident/internal/spatial"
	"ident/robot"
)

// Wrench is a force and a moment about a link's origin, along the axes of the base.
type Wrench struct{ Force, Moment [3]float64 }

// Wrenches returns for each link the force and moment on it and on all bodies beyond by the theorems of linear and
// angular momentum: the rate of their momenta about the link's origin, less gravity's force and moment.
func Wrenches(r *robot.Robot, q, dq, ddq []float64) []Wrench {
	s := newState(r, q, dq, ddq)
	return s.wrenches(s.placements())
}

func (s *state) wrenches(placed []moved) []Wrench {
	out := make([]Wrench, len(s.r.Links))
	for i, b := range s.bodies() {
		force := spatial.Scale(b.mass, b.a)
		spin := spatial.Add(spatial.MulVec(b.inertia, b.dw), spatial.Cross(b.w, spatial.MulVec(b.inertia, b.w)))
		for j := i; j >= 0; j = s.r.Links[j].Antecedent {
			t := placed[j].t
			arm := spatial.Sub(b.at, spatial.Vec{t[0][3], t[1][3], t[2][3]})
			out[j].Force = spatial.Add(out[j].Force, force)
			out[j].Moment = spatial.Add(out[j].Moment, spatial.Add(spin, spatial.Cross(arm, force)))
		}
	}
	return out
}

// Theorems returns the joint torques by the theorems of momentum for the bodies beyond each joint: along a
// sliding axis the rate of their linear momentum, about a turning axis that of their angular momentum, less
// gravity's force and moment.
func Theorems(r *robot.Robot, q, dq, ddq []float64) []float64 {
	s := newState(r, q, dq, ddq)
	tau := make([]float64, len(q))
	placed := s.placements()
	for j, w := range s.wrenches(placed) {
		c, t := s.coord[j], placed[j].t
		if c < 0 {
			continue
		}
		z := spatial.Vec{t[0][2], t[1][2], t[2][2]}
		if r.Links[j].Joint.Kind == robot.Prismatic {
			tau[c] += s.ratio[j] * spatial.Dot(z, w.Force)
		} else {
			tau[c] += s.ratio[j] * spatial.Dot(z, w.Moment)
		}
	}
	s.rotors(tau)
	return tau
}
