package projection

import "math"

// Cubic fits x(t) = c₀ + c₁(t-tc) + c₂(t-tc)² + c₃(t-tc)³ by least squares to rows at given times
// (the filter of Savitzky and Golay, 1964, for any spacing). The times are scaled to [-1, 1], where
// the normal equations of four powers have a condition number of some hundreds, harmless in double precision. The zero Cubic has no
// rows; it serves one goroutine.
type Cubic struct {
	u     []float64
	scale float64
	// The triangular factor of the normal equations, with the reciprocals of its diagonal: a division takes as long as a row.
	chol [4][4]float64
}

// Set prepares fits to rows at the given times about a centre, in the memory of those before.
func (c *Cubic) Set(t []float64, centre float64) {
	c.u, c.scale = c.u[:0], math.Max(t[len(t)-1]-centre, centre-t[0])
	var moment [7]float64
	for _, v := range t {
		u := (v - centre) / c.scale
		c.u = append(c.u, u)
		power := 1.0
		for i := range moment {
			moment[i] += power
			power *= u
		}
	}
	for i := range 4 {
		for j := range i + 1 {
			s := moment[i+j]
			for k := range j {
				s -= c.chol[i][k] * c.chol[j][k]
			}
			if i == j {
				c.chol[i][i] = 1 / math.Sqrt(s)
			} else {
				c.chol[i][j] = s * c.chol[j][j]
			}
		}
	}
}

// Spread are the standard deviations of c₁ and c₂ for scatter of one in every row: with L the triangular factor, the norms of L⁻¹e.
func (c *Cubic) Spread() (first, second float64) {
	norm := func(i int) float64 {
		var e [4]float64
		e[i] = 1
		e = c.forward(e)
		return math.Sqrt(e[0]*e[0] + e[1]*e[1] + e[2]*e[2] + e[3]*e[3])
	}
	return norm(1) / c.scale, norm(2) / (c.scale * c.scale)
}

// forward is L⁻¹b.
func (c *Cubic) forward(b [4]float64) [4]float64 {
	l := &c.chol
	b[0] *= l[0][0]
	b[1] = (b[1] - l[1][0]*b[0]) * l[1][1]
	b[2] = (b[2] - l[2][0]*b[0] - l[2][1]*b[1]) * l[2][2]
	b[3] = (b[3] - l[3][0]*b[0] - l[3][1]*b[1] - l[3][2]*b[2]) * l[3][3]
	return b
}

// solve is (L·Lᵀ)⁻¹b.
func (c *Cubic) solve(b [4]float64) [4]float64 {
	l := &c.chol
	b = c.forward(b)
	b[3] *= l[3][3]
	b[2] = (b[2] - l[3][2]*b[3]) * l[2][2]
	b[1] = (b[1] - l[2][1]*b[2] - l[3][1]*b[3]) * l[1][1]
	b[0] = (b[0] - l[1][0]*b[1] - l[2][0]*b[2] - l[3][0]*b[3]) * l[0][0]
	return b
}

// Fit returns the coefficients c₀ … c₃ and the standard deviation of the rows about the cubic.
func (c *Cubic) Fit(x []float64) (coef [4]float64, scatter float64) {
	x = x[:len(c.u)]
	var b0, b1, b2, b3 float64
	base := x[len(x)/2] // a large mean would cost digits
	for k, u := range c.u {
		v := x[k] - base
		b0 += v
		v *= u
		b1 += v
		v *= u
		b2 += v
		b3 += v * u
	}
	coef = c.solve([4]float64{b0, b1, b2, b3})
	c0, c1, c2, c3 := coef[0], coef[1], coef[2], coef[3]
	sum := 0.0
	for k, u := range c.u {
		r := x[k] - base - (c0 + u*(c1+u*(c2+u*c3)))
		sum += r * r
	}
	scatter = math.Sqrt(sum / float64(len(x)-4))
	for i, f := 0, 1.0; i < 4; i, f = i+1, f*c.scale {
		coef[i] /= f
	}
	coef[0] += base
	return coef, scatter
}
