package oracle

import "ident/robot"

// Gauss returns the joint torques by the principle of least constraint: the constraint Σ ½tr((T̈−Φ)·H·(T̈−Φ)ᵀ)
// of the links' matrices T, with Φ the acceleration that gravity alone gives, changes with q̈ as the torques say,
//
//	τ_s = Σ tr(∂T/∂q_s · H · (T̈ − Φ)ᵀ)
//
// linear in the pseudo-inertia matrices H.
func Gauss(r *robot.Robot, q, dq, ddq []float64) []float64 {
	s := newState(r, q, dq, ddq)
	tau := make([]float64, len(q))
	for j, m := range s.placements() {
		for k := range tau {
			tau[k] += s.gaussian(m, k, pseudoInertia(r.Links[j].Inertial))
		}
	}
	s.rotors(tau)
	return tau
}

// gaussian returns the part of one link in the torque of a coordinate.
func (s *state) gaussian(m moved, k int, h matrix) float64 {
	a := m.a
	for i := range 3 {
		a[i][3] -= s.r.Gravity[i]
	}
	return traceOf(m.by[k], h, a)
}
