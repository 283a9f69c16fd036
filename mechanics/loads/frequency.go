package loads

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/internal/spatial"
)

// lowestFrequency returns the lowest frequency of small vibrations of the beams with locked joints at the present pose, Hz, 0 where
// nothing vibrates: the bodies move rigidly with the beams' ends, each beam against its root with six freedoms. With M
// and C the mass matrix of these freedoms and their compliance, C positive definite, D = LᵀML of C = LLᵀ has the
// largest eigenvalue 1/ω² (D·ü + u = 0, Vukobratović and Potkonjak 1985, section 4.2).
func (c *computation) lowestFrequency() float64 {
	n := 6 * len(c.beams)
	mass := mat.NewSymDense(n, nil)
	for j := range c.r.Links {
		in := c.r.Links[j].Inertial
		if in.Mass() <= 0 {
			continue
		}
		f := c.re.Frame(j)
		com, _ := in.CentreOfMass()
		central, _ := in.Central()
		at := spatial.Add(f.P, spatial.MulVec(f.R, com))
		inertia := spatial.Mul(f.R, spatial.Mul(central, spatial.Transpose(f.R)))
		c.addBody(mass, in.Mass(), at, inertia, func(b *beam) bool { return b.link != j && c.carries(b, j) }, 1)
		for _, b := range c.beams {
			if b.link != j {
				continue
			}
			// Beyond its root's motion the link's own mass moves with the end, by a share.
			end := spatial.Add(f.P, spatial.MulVec(f.R, b.to))
			share := vibratingShare * b.own
			c.addBody(mass, share, end, spatial.Mat{}, func(o *beam) bool { return c.carries(o, j) }, 1)
			c.addBody(mass, share, end, spatial.Mat{}, func(o *beam) bool { return o.link != j && c.carries(o, j) }, -1)
			if p := c.opt.Payload; p != nil && p.Link == j { // a payload on the beam's own link moves with its end
				pc, _ := p.Body.CentreOfMass()
				own, _ := p.Body.Central()
				at, turned := spatial.Add(f.P, spatial.MulVec(f.R, pc)), spatial.Mul(f.R, spatial.Mul(own, spatial.Transpose(f.R)))
				c.addBody(mass, p.Body.Mass(), at, turned, func(o *beam) bool { return c.carries(o, j) }, 1)
				c.addBody(mass, p.Body.Mass(), at, turned, func(o *beam) bool { return o.link != j && c.carries(o, j) }, -1)
			}
		}
	}
	compliance := mat.NewSymDense(n, nil)
	for i, b := range c.beams {
		for k := range 6 {
			var w [6]float64
			w[k] = 1
			u, phi := b.bend(wrenchOf(w))
			for r, v := range [6]float64{u[0], u[1], u[2], phi[0], phi[1], phi[2]} {
				compliance.SetSym(6*i+r, 6*i+k, v)
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(compliance) {
		return 0
	}
	var l mat.TriDense
	chol.LTo(&l)
	var d, product mat.Dense
	d.Mul(l.T(), mass)
	product.Mul(&d, &l)
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			sym.SetSym(i, k, (product.At(i, k)+product.At(k, i))/2)
		}
	}
	values, _, ok := eigen.Scaled(sym, false)
	if !ok {
		return 0
	}
	largest := values[n-1]
	if !(largest > 0) {
		return 0
	}
	return 1 / (2 * math.Pi * math.Sqrt(largest))
}

// addBody adds sign times the mass matrix of a body that moves with the beams it hangs on.
func (c *computation) addBody(m *mat.SymDense, mass float64, at [3]float64, inertia spatial.Mat, hangs func(b *beam) bool, sign float64) {
	var columns []int
	var linear, angular [][3]float64
	for i, b := range c.beams {
		if !hangs(b) {
			continue
		}
		f := c.re.Frame(b.link)
		turn := spatial.Mul(f.R, b.axes)
		arm := spatial.Sub(at, spatial.Add(f.P, spatial.MulVec(f.R, b.to)))
		for k := range 3 {
			axis := [3]float64{turn[0][k], turn[1][k], turn[2][k]}
			columns, linear, angular = append(columns, 6*i+k), append(linear, axis), append(angular, [3]float64{})
		}
		for k := range 3 {
			axis := [3]float64{turn[0][k], turn[1][k], turn[2][k]}
			columns, linear, angular = append(columns, 6*i+3+k), append(linear, spatial.Cross(axis, arm)), append(angular, axis)
		}
	}
	for x, i := range columns {
		spin := spatial.MulVec(inertia, angular[x])
		for y, k := range columns {
			if k >= i {
				m.SetSym(i, k, m.At(i, k)+sign*(mass*spatial.Dot(linear[x], linear[y])+spatial.Dot(spin, angular[y])))
			}
		}
	}
}
