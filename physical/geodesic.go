package physical

import (
	"errors"
	"math"

	"ident/physical/internal/conic"
)

// secant returns (log a − log b)/(a − b).
func secant(a, b float64) float64 {
	d := a - b
	if math.Abs(d) < 1e-4*b { // the series' next term is d²/3b², below 4e-9
		x := d / b
		return (1 - x/2 + x*x/3) / b
	}
	return math.Log1p(d/b) / d
}

// geodesicValue returns the objective with ½·Σ log²λ as the distance from the prior.
func (c *program) geodesicValue(z []float64) float64 {
	_, value := c.Objective(z) // data part
	for k := range c.Blocks {
		b := &c.Blocks[k]
		switch b.Kind {
		case conic.Free:
			value += b.Weight * b.Divergence(z)
		case conic.Nonnegative:
			l := math.Log(z[b.At])
			value += b.Weight * l * l / 2
		case conic.Semidefinite:
			s := conic.Sym4(b.Variables(z))
			for _, v := range conic.NewEigen(&s).Values {
				l := math.Log(v)
				value += b.Weight * l * l / 2
			}
		}
	}
	return value
}

// maxGeodesic bounds the number of Gauss-Newton steps on the geodesic distance.
const maxGeodesic = 100

// geodesic iterates from the optimum of the entropic distance. Each step linearises the logarithms of the bodies, solves
// the convex program, and is halved until the objective falls. gap is the duality gap of the last convex program.
func (c *program) geodesic(h *conic.Solver, tolerance float64) (gap, value float64, err error) {
	value = c.geodesicValue(h.Z)
	defer func() {
		for k := range c.Blocks {
			if c.Blocks[k].Kind != conic.Free {
				c.Blocks[k].Quadratic = nil
			}
		}
	}()
	for range maxGeodesic {
		z := append([]float64(nil), h.Z...)
		for k := range c.Blocks {
			linearise(&c.Blocks[k], z)
		}
		next := conic.NewSolver(&c.Program)
		next.Steps = h.Steps
		if gap, _, err = next.Minimise(tolerance); err != nil {
			return 0, 0, err
		}
		h.Steps = next.Steps
		var now float64
		a := 1.0
		for ; a > 1e-6; a /= 2 {
			for i := range z {
				h.Z[i] += a * (next.Z[i] - z[i])
			}
			if now = c.geodesicValue(h.Z); now <= value {
				break
			}
			copy(h.Z, z)
		}
		if a <= 1e-6 || value-now <= tolerance*max(1, now) {
			at := h.Z
			if a <= 1e-6 {
				at, now = z, value
			}
			*h = *next // its duals are those of the active bounds
			h.Z = at
			return gap, now, nil
		}
		value = now
	}
	return 0, 0, errors.New("the geodesic distance still falls")
}

// linearise makes the block's prior ½·‖log z + (d log)·(z' − z)‖² at z. In X's
// eigenvectors the derivative of the logarithm divides by the logarithmic means
// of the eigenvalues, and (d log)·(X·log X) is log X.
func linearise(b *conic.Block, z []float64) {
	switch b.Kind {
	case conic.Nonnegative:
		x := z[b.At]
		b.Quadratic = conic.UnitQuadratic(x - x*math.Log(x))
		b.Quadratic.F[0][0] = 1 / x
	case conic.Semidefinite:
		s := conic.Sym4(b.Variables(z))
		e := conic.NewEigen(&s)
		var centre conic.Sym4
		var slope [10]float64
		k := 4
		for i, l := range e.Values {
			centre[i] = l - l*math.Log(l)
			slope[i] = 1 / l
			for j := i + 1; j < 4; j++ {
				slope[k] = secant(l, e.Values[j])
				k++
			}
		}
		t := conic.Transpose(&e.Rows)
		centre = conic.Congruence(&t, &centre)
		b.Quadratic = conic.UnitQuadratic(centre[:]...)
		conic.CongruenceMatrix(&e.Rows, &b.Quadratic.F)
		for i, f := range slope {
			for j := range 10 {
				b.Quadratic.F[i][j] *= f
			}
		}
	}
}
