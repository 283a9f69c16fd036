package physical

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/physical/internal/conic"
	"ident/robot"
)

// LeastEigenvalue returns the smallest eigenvalue of the pseudo-inertia.
func LeastEigenvalue(p robot.Inertial) float64 {
	j := p.PseudoInertia()
	s := mat.NewSymDense(4, nil)
	for a := range 4 {
		for b := a; b < 4; b++ {
			s.SetSym(a, b, j[a][b])
		}
	}
	v, _, ok := eigen.Scaled(s, false)
	if !ok {
		return math.NaN()
	}
	return v[0]
}

// WhyImpossible returns the first condition of a body that the parameters violate, in words.
func WhyImpossible(p robot.Inertial) string {
	if p.Mass() <= 0 {
		return fmt.Sprintf("mass %.4g kg is not positive", p.Mass())
	}
	c, _ := p.Central()
	s := mat.NewSymDense(3, nil)
	for a := range 3 {
		for b := a; b < 3; b++ {
			s.SetSym(a, b, c[a][b])
		}
	}
	v, _, ok := eigen.Scaled(s, false)
	if !ok {
		return "inertia is not finite"
	}
	if v[0] <= 0 {
		return fmt.Sprintf("principal inertia %.4g kg·m² about the centre of mass is not positive", v[0])
	}
	return fmt.Sprintf("principal inertias %.4g, %.4g, %.4g kg·m² break the triangle inequality", v[0], v[1], v[2])
}

// PartWithin returns the largest φ for which φ·part ⪯ share·whole (pseudo-inertias): scaled by φ, part leaves at least
// 1 − share of whole to the rest. It returns 0 if whole is not positive definite, and +Inf if part is zero.
func PartWithin(part, whole robot.Inertial, share float64) float64 {
	if !(LeastEigenvalue(whole) > 0) {
		return 0
	}
	root := lower(whole)
	inverse := inverseUpper(&root)
	j := part.PseudoInertia()
	v := conic.NewSym4(&j)
	x := conic.Congruence(&inverse, &v)
	e := conic.NewEigen(&x)
	return share / max(e.Values[0], e.Values[1], e.Values[2], e.Values[3], 0)
}
