package estimate

import (
	"errors"
	"math"
)

// secant is (log a − log b)/(a − b).
func secant(a, b float64) float64 {
	d := a - b
	if math.Abs(d) < 1e-4*b { // the series' next term is d²/3b², below 4e-9
		x := d / b
		return (1 - x/2 + x*x/3) / b
	}
	return math.Log1p(d/b) / d
}

// geodesicValue is the objective with ½·Σ log²λ for the prior's distance.
func (c *consistency) geodesicValue(z []float64) float64 {
	_, value := c.objective(z) // the data's part
	for k := range c.blocks {
		b := &c.blocks[k]
		switch b.kind {
		case free:
			value += b.weight * b.divergence(z)
		case positive:
			l := math.Log(z[b.at])
			value += b.weight * l * l / 2
		case body:
			s := sym4(b.part(z))
			for _, v := range newSpectrum(&s).values {
				l := math.Log(v)
				value += b.weight * l * l / 2
			}
		}
	}
	return value
}

// mostGeodesic bounds the Gauss-Newton steps on the geodesic distance.
const mostGeodesic = 100

// geodesic goes on from the optimum of the entropic distance: in each step the
// logarithms of the bodies are taken as linear, the convex program that this
// makes is solved, and the step is halved until the objective falls. gap is
// that of the last convex program.
func (c *consistency) geodesic(h *interior, tolerance float64) (gap, value float64, err error) {
	value = c.geodesicValue(h.z)
	defer func() {
		for k := range c.blocks {
			if c.blocks[k].kind != free {
				c.blocks[k].quad = nil
			}
		}
	}()
	for range mostGeodesic {
		z := append([]float64(nil), h.z...)
		for k := range c.blocks {
			c.blocks[k].straighten(z)
		}
		next := newInterior(&c.program)
		next.steps = h.steps
		if gap, _, err = next.minimise(tolerance); err != nil {
			return 0, 0, err
		}
		h.steps = next.steps
		var now float64
		a := 1.0
		for ; a > 1e-6; a /= 2 {
			for i := range z {
				h.z[i] += a * (next.z[i] - z[i])
			}
			if now = c.geodesicValue(h.z); now <= value {
				break
			}
			copy(h.z, z)
		}
		if a <= 1e-6 || value-now <= tolerance*max(1, now) {
			at := h.z
			if a <= 1e-6 {
				at, now = z, value
			}
			*h = *next // its duals tell what holds the bodies back
			h.z = at
			return gap, now, nil
		}
		value = now
	}
	return 0, 0, errors.New("the geodesic distance still falls")
}

// straighten makes the block's prior ½·‖log z + (d log)·(z' − z)‖² at z. In X's
// eigenvectors the derivative of the logarithm divides by the logarithmic means
// of the eigenvalues, and (d log)·(X·log X) is log X.
func (b *block) straighten(z []float64) {
	switch b.kind {
	case positive:
		x := z[b.at]
		b.quad = identityAt(x - x*math.Log(x))
		b.quad.f[0][0] = 1 / x
	case body:
		s := sym4(b.part(z))
		e := newSpectrum(&s)
		var centre sym4
		var slope [10]float64
		k := 4
		for i, l := range e.values {
			centre[i] = l - l*math.Log(l)
			slope[i] = 1 / l
			for j := i + 1; j < 4; j++ {
				slope[k] = secant(l, e.values[j])
				k++
			}
		}
		t := transposed(&e.rows)
		centre = congruent(&t, &centre)
		b.quad = identityAt(centre[:]...)
		product10(&e.rows, &b.quad.f)
		for i, f := range slope {
			for j := range 10 {
				b.quad.f[i][j] *= f
			}
		}
	}
}
