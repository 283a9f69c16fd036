package loops

import (
	"math"

	"ident/symbolic"
)

// cplx is a complex number on a graph: a point or a rotation of a plane.
type cplx struct{ x, y symbolic.Node }

func (s *solver) mul(a, b cplx) cplx {
	g := s.g
	return cplx{g.Sub(g.Mul(a.x, b.x), g.Mul(a.y, b.y)), g.Add(g.Mul(a.x, b.y), g.Mul(a.y, b.x))}
}

func (s *solver) add(a, b cplx) cplx { return cplx{s.g.Add(a.x, b.x), s.g.Add(a.y, b.y)} }

func (s *solver) sub(a, b cplx) cplx { return cplx{s.g.Sub(a.x, b.x), s.g.Sub(a.y, b.y)} }

func (s *solver) scale(f symbolic.Node, a cplx) cplx { return cplx{s.g.Mul(f, a.x), s.g.Mul(f, a.y)} }

// cross returns the imaginary part of conj(a)·b.
func (s *solver) cross(a, b cplx) symbolic.Node {
	return s.g.Sub(s.g.Mul(a.x, b.y), s.g.Mul(a.y, b.x))
}

// dot returns the real part of conj(a)·b.
func (s *solver) dot(a, b cplx) symbolic.Node {
	return s.g.Add(s.g.Mul(a.x, b.x), s.g.Mul(a.y, b.y))
}

// square is |a|².
func (s *solver) square(a cplx) symbolic.Node { return s.g.Add(s.g.Mul(a.x, a.x), s.g.Mul(a.y, a.y)) }

func (s *solver) constant(x, y float64) cplx { return cplx{s.g.Float(x), s.g.Float(y)} }

func (s *solver) phasor(angle float64) cplx {
	sin, cos := math.Sincos(angle)
	return s.constant(cos, sin)
}

func conj(a cplx) cplx { return cplx{a.x, -a.y} }

func timesI(a cplx) cplx { return cplx{-a.y, a.x} }
