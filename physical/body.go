package physical

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

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
	var eig mat.EigenSym
	if !eig.Factorize(s, false) {
		return math.NaN()
	}
	return eig.Values(nil)[0]
}

// WhyImpossible names the first condition of a body that the parameters violate.
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
	var eig mat.EigenSym
	if !eig.Factorize(s, false) {
		return "inertia is not finite"
	}
	v := eig.Values(nil)
	if v[0] <= 0 {
		return fmt.Sprintf("principal inertia %.4g kg·m² about the centre of mass is not positive", v[0])
	}
	return fmt.Sprintf("principal inertias %.4g, %.4g, %.4g kg·m² break the triangle inequality", v[0], v[1], v[2])
}
