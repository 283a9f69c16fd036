package oracle

import (
	"math"

	"ident/robot"
)

// hyper is a hyper-dual number a + b·ε₁ + c·ε₂ + d·ε₁ε₂ with ε₁² = ε₂² = 0 (Fike and Alonso 2011): d carries an exact
// second derivative.
type hyper struct{ a, b, c, d float64 }

func (x hyper) add(y hyper) hyper { return hyper{x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d} }

func (x hyper) mul(y hyper) hyper {
	return hyper{x.a * y.a, x.a*y.b + x.b*y.a, x.a*y.c + x.c*y.a, x.a*y.d + x.b*y.c + x.c*y.b + x.d*y.a}
}

func (x hyper) times(f float64) hyper { return hyper{f * x.a, f * x.b, f * x.c, f * x.d} }

// of applies a function with value f, first and second derivatives f1, f2 at x.a.
func (x hyper) of(f, f1, f2 float64) hyper {
	return hyper{f, f1 * x.b, f1 * x.c, f1*x.d + f2*x.b*x.c}
}

func (x hyper) sincos() (sin, cos hyper) {
	s, c := math.Sincos(x.a)
	return x.of(s, c, -s), x.of(c, -s, -c)
}

type hyperVec [3]hyper

func (a hyperVec) add(b hyperVec) hyperVec {
	return hyperVec{a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])}
}

func (a hyperVec) dot(b hyperVec) hyper {
	return a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

func (a hyperVec) cross(b hyperVec) hyperVec {
	m := func(i, k int) hyper { return a[i].mul(b[k]).add(a[k].mul(b[i]).times(-1)) }
	return hyperVec{m(1, 2), m(2, 0), m(0, 1)}
}

// Lagrange returns d/dt ∂T/∂q̇ − ∂T/∂q + ∂U/∂q. With ε₂ along the motion, q + ε₂·q̇ and q̇ + ε₂·q̈, and ε₁
// along one q̇_k, the last part of T is the first term; ε₁ along q_k gives the others.
func Lagrange(r *robot.Robot, q, dq, ddq []float64) []float64 {
	tau := make([]float64, len(q))
	for k := range tau {
		x, v := make([]hyper, len(q)), make([]hyper, len(q))
		for i := range x {
			x[i], v[i] = hyper{a: q[i], c: dq[i]}, hyper{a: dq[i], c: ddq[i]}
		}
		v[k].b = 1
		kinetic, _ := energies(r, x, v)
		tau[k] = kinetic.d
		for i := range x {
			x[i], v[i] = hyper{a: q[i]}, hyper{a: dq[i]}
		}
		x[k].b = 1
		kinetic, potential := energies(r, x, v)
		tau[k] += potential.b - kinetic.b
	}
	newState(r, q, dq, ddq).rotors(tau)
	return tau
}

// energies returns the energies of the bodies, from velocities carried outward in the links' own frames.
func energies(r *robot.Robot, q, dq []hyper) (kinetic, potential hyper) {
	type link struct {
		rot  [3]hyperVec // rows: axes of the base in the link's frame are the columns
		at   hyperVec    // origin in the base
		w, v hyperVec    // in the link's frame
	}
	s := newState(r, make([]float64, len(q)), nil, nil)
	one := hyper{a: 1}
	links := make([]link, len(r.Links))
	for j := range links {
		l := &r.Links[j]
		base := link{rot: [3]hyperVec{{one}, {{}, one}, {{}, {}, one}}}
		if l.Antecedent >= 0 {
			base = links[l.Antecedent]
		}
		var position, rate hyper
		if c := s.coord[j]; c >= 0 {
			position, rate = q[c].times(s.ratio[j]).add(hyper{a: s.off[j]}), dq[c].times(s.ratio[j])
		}
		var place [3]hyperVec // of the frame on the antecedent
		var p hyperVec
		for i := range 3 {
			for k := range 3 {
				place[i][k] = hyper{a: l.Placement.R[i][k]}
			}
			p[i] = hyper{a: l.Placement.P[i]}
		}
		turns, slides := l.Joint.Kind == robot.Revolute, l.Joint.Kind == robot.Prismatic
		if turns {
			sin, cos := position.sincos()
			for i := range 3 {
				x, y := place[i][0], place[i][1]
				place[i][0] = x.mul(cos).add(y.mul(sin))
				place[i][1] = y.mul(cos).add(x.mul(sin).times(-1))
			}
		}
		if slides {
			for i := range 3 {
				p[i] = p[i].add(place[i][2].mul(position))
			}
		}
		inLink := func(v hyperVec) (out hyperVec) { // from the antecedent's axes
			for k := range 3 {
				out[k] = place[0][k].mul(v[0]).add(place[1][k].mul(v[1])).add(place[2][k].mul(v[2]))
			}
			return out
		}
		var n link
		n.w, n.v = inLink(base.w), inLink(base.v.add(base.w.cross(p)))
		if turns {
			n.w[2] = n.w[2].add(rate)
		}
		if slides {
			n.v[2] = n.v[2].add(rate)
		}
		for i := range 3 {
			n.at[i] = base.at[i].add(base.rot[i].dot(p))
			for k := range 3 {
				n.rot[i][k] = base.rot[i].dot(hyperVec{place[0][k], place[1][k], place[2][k]})
			}
		}
		links[j] = n
		inertia, first, mass := l.Inertial.Origin(), l.Inertial.FirstMoments(), l.Inertial.Mass()
		var moments, spin hyperVec
		for i := range 3 {
			moments[i] = hyper{a: first[i]}
			for k := range 3 {
				spin[i] = spin[i].add(n.w[k].times(inertia[i][k]))
			}
		}
		kinetic = kinetic.add(n.w.dot(spin).times(0.5)).add(n.v.dot(n.v).times(mass / 2)).add(n.v.dot(n.w.cross(moments)))
		for i := range 3 {
			potential = potential.add(n.at[i].times(mass).add(n.rot[i].dot(moments)).times(-r.Gravity[i]))
		}
	}
	return kinetic, potential
}
