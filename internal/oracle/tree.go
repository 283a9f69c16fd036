package oracle

import (
	"math"

	"ident/robot"
)

// state is a robot at one state of its moving joints, in link order with those that mimic
// left out.
type state struct {
	r          *robot.Robot
	coord      []int // of each link, -1 for a fixed one
	ratio, off []float64
	q, dq, ddq []float64
}

func newState(r *robot.Robot, q, dq, ddq []float64) *state {
	s := &state{r: r, q: q, dq: dq, ddq: ddq}
	n := 0
	mimics := map[int]robot.Mimic{}
	for _, m := range r.Mimics {
		mimics[m.Joint] = m
	}
	for j := range r.Links {
		c := -1
		if _, follows := mimics[j]; !follows && r.Links[j].Joint.Kind != robot.Fixed {
			c = n
			n++
		}
		s.coord, s.ratio, s.off = append(s.coord, c), append(s.ratio, 1), append(s.off, 0)
	}
	for j, m := range mimics {
		s.coord[j], s.ratio[j], s.off[j] = s.coord[m.Of], m.Multiplier, m.Offset
	}
	return s
}

// rotors adds the torques of the reflected rotor inertias.
func (s *state) rotors(tau []float64) {
	for j, c := range s.coord {
		if c >= 0 {
			tau[c] += s.r.Links[j].Joint.Ia * s.ratio[j] * s.ratio[j] * s.ddq[c]
		}
	}
}

// matrix is a homogeneous 4×4 matrix.
type matrix [4][4]float64

func (a matrix) mul(b matrix) (c matrix) {
	for i := range 4 {
		for k := range 4 {
			for l := range 4 {
				c[i][k] += a[i][l] * b[l][k]
			}
		}
	}
	return c
}

func (a matrix) plus(f float64, b matrix) matrix {
	for i := range 4 {
		for k := range 4 {
			a[i][k] += f * b[i][k]
		}
	}
	return a
}

// traceOf returns tr(a·h·bᵀ).
func traceOf(a, h, b matrix) (t float64) {
	ah := a.mul(h)
	for i := range 4 {
		for k := range 4 {
			t += ah[i][k] * b[i][k]
		}
	}
	return t
}

// joint returns the placement of link j on its antecedent and its first and second derivatives by
// the joint's own position.
func (s *state) joint(j int) (t, d, dd matrix) {
	l := &s.r.Links[j]
	var fixed matrix
	for i := range 3 {
		for k := range 3 {
			fixed[i][k] = l.Placement.R[i][k]
		}
		fixed[i][3] = l.Placement.P[i]
	}
	fixed[3][3] = 1
	move := matrix{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}
	var rate, curve matrix
	if c := s.coord[j]; c >= 0 {
		x := s.ratio[j]*s.q[c] + s.off[j]
		if l.Joint.Kind == robot.Prismatic {
			move[2][3], rate[2][3] = x, 1
		} else {
			sin, cos := math.Sincos(x)
			move[0][0], move[0][1], move[1][0], move[1][1] = cos, -sin, sin, cos
			rate[0][0], rate[0][1], rate[1][0], rate[1][1] = -sin, -cos, cos, -sin
			curve[0][0], curve[0][1], curve[1][0], curve[1][1] = -cos, sin, -sin, -cos
		}
	}
	return fixed.mul(move), fixed.mul(rate), fixed.mul(curve)
}

// moved is a link's placement in the base, its derivatives in time and by the coordinates.
type moved struct {
	t, v, a matrix
	by      []matrix // ∂t/∂q, [coordinate]
}

// placements returns all links' placements, by products of the joints' matrices.
func (s *state) placements() []moved {
	out := make([]moved, len(s.r.Links))
	for j := range out {
		base := moved{t: matrix{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}, by: make([]matrix, len(s.q))}
		if i := s.r.Links[j].Antecedent; i >= 0 {
			base = out[i]
		}
		t, d, dd := s.joint(j)
		rate, acc := 0.0, 0.0
		if c := s.coord[j]; c >= 0 {
			rate, acc = s.ratio[j]*s.dq[c], s.ratio[j]*s.ddq[c]
		}
		var m moved
		m.t = base.t.mul(t)
		m.v = base.v.mul(t).plus(rate, base.t.mul(d))
		m.a = base.a.mul(t).plus(2*rate, base.v.mul(d)).plus(acc, base.t.mul(d)).plus(rate*rate, base.t.mul(dd))
		for k := range s.q {
			by := base.by[k].mul(t)
			if k == s.coord[j] {
				by = by.plus(s.ratio[j], base.t.mul(d))
			}
			m.by = append(m.by, by)
		}
		out[j] = m
	}
	return out
}

// pseudoInertia is H = ∫ (x;1)(x;1)ᵀ dm of a body, in its link's frame: ½tr(I)·1 − I, first moments, mass.
func pseudoInertia(in robot.Inertial) (h matrix) {
	inertia, first := in.Origin(), in.FirstMoments()
	half := (inertia[0][0] + inertia[1][1] + inertia[2][2]) / 2
	for i := range 3 {
		for k := range 3 {
			h[i][k] = -inertia[i][k]
		}
		h[i][i] += half
		h[i][3], h[3][i] = first[i], first[i]
	}
	h[3][3] = in.Mass()
	return h
}
