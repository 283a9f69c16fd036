package oracle

import (
	"ident/internal/spatial"
	"ident/robot"
)

// body is a link's motion in the base, at its centre of mass.
type body struct {
	mass    float64
	inertia spatial.Mat // about the centre of mass, axes of the base
	at      spatial.Vec // centre of mass
	a       spatial.Vec // its acceleration, gravity taken off
	w, dw   spatial.Vec
}

// bodies returns the links with mass, from the derivatives of their placements: ω× = Ṙ·Rᵀ, ω̇× = R̈·Rᵀ + Ṙ·Ṙᵀ.
func (s *state) bodies() []body {
	out := make([]body, len(s.r.Links))
	for j, m := range s.placements() {
		in := s.r.Links[j].Inertial
		if in.Mass() == 0 {
			continue
		}
		rot := func(t matrix) (r spatial.Mat) {
			for i := range 3 {
				copy(r[i][:], t[i][:3])
			}
			return r
		}
		com := spatial.Scale(1/in.Mass(), in.FirstMoments())
		point := func(t matrix) spatial.Vec {
			return spatial.Add(spatial.MulVec(rot(t), com), spatial.Vec{t[0][3], t[1][3], t[2][3]})
		}
		r, v, a := rot(m.t), rot(m.v), rot(m.a)
		vee := func(x spatial.Mat) spatial.Vec { return spatial.Vec{x[2][1], x[0][2], x[1][0]} }
		central := spatial.AddMat(in.Origin(), spatial.ScaleMat(-in.Mass(), spatial.PointInertia(com)))
		out[j] = body{
			mass: in.Mass(), inertia: spatial.Mul(r, spatial.Mul(central, spatial.Transpose(r))),
			at: point(m.t), a: spatial.Sub(point(m.a), s.r.Gravity),
			w:  vee(spatial.Mul(v, spatial.Transpose(r))),
			dw: vee(spatial.AddMat(spatial.Mul(a, spatial.Transpose(r)), spatial.Mul(v, spatial.Transpose(v)))),
		}
	}
	return out
}

// Appel returns the joint torques as the derivatives by the joint accelerations of Gibbs' function,
//
//	G = Σ ½m·a² + ½ε·I·ε + f·(ω×I·ω)·ε
//
// with f = 1. It is quadratic in the accelerations, so that differences are exact.
func Appel(r *robot.Robot, q, dq, ddq []float64) []float64 { return appel(r, q, dq, ddq, 1) }

func appel(r *robot.Robot, q, dq, ddq []float64, gyroscopic float64) []float64 {
	tau := make([]float64, len(q))
	at := append([]float64(nil), ddq...)
	g := func() (sum float64) {
		for _, b := range newState(r, q, dq, at).bodies() {
			spin := spatial.MulVec(b.inertia, b.w)
			sum += b.mass*spatial.Dot(b.a, b.a)/2 + spatial.Dot(b.dw, spatial.MulVec(b.inertia, b.dw))/2 +
				gyroscopic*spatial.Dot(spatial.Cross(b.w, spin), b.dw)
		}
		return sum
	}
	for k := range tau {
		at[k] = ddq[k] + 1
		tau[k] = g()
		at[k] = ddq[k] - 1
		tau[k] = (tau[k] - g()) / 2
		at[k] = ddq[k]
	}
	newState(r, q, dq, ddq).rotors(tau)
	return tau
}
