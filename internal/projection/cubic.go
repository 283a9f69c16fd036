package projection

import "math"

// Cubic fits x(t) = c₀ + c₁(t-tc) + c₂(t-tc)² + c₃(t-tc)³ by least squares to rows at given times
// (the filter of Savitzky and Golay, 1964, for any spacing). The times are scaled to [-1, 1], where
// the normal equations of four powers have a condition number of some hundreds, harmless in double precision.
type Cubic struct {
	u     []float64
	scale float64
	chol  [4][4]float64
	// Spread[i] is the standard deviation of c_i for scatter of one in every row.
	Spread [4]float64
}

// NewCubic prepares fits to rows at the given times about a centre.
func NewCubic(t []float64, centre float64) *Cubic {
	c := &Cubic{u: make([]float64, len(t)), scale: math.Max(t[len(t)-1]-centre, centre-t[0])}
	var moment [7]float64
	for k, v := range t {
		u := (v - centre) / c.scale
		c.u[k] = u
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
				c.chol[i][i] = math.Sqrt(s)
			} else {
				c.chol[i][j] = s / c.chol[j][j]
			}
		}
	}
	for i := range 4 {
		var e [4]float64
		e[i] = 1
		c.Spread[i] = math.Sqrt(c.solve(e)[i]) / math.Pow(c.scale, float64(i))
	}
	return c
}

func (c *Cubic) solve(b [4]float64) [4]float64 {
	for i := range 4 {
		for k := range i {
			b[i] -= c.chol[i][k] * b[k]
		}
		b[i] /= c.chol[i][i]
	}
	for i := 3; i >= 0; i-- {
		for k := i + 1; k < 4; k++ {
			b[i] -= c.chol[k][i] * b[k]
		}
		b[i] /= c.chol[i][i]
	}
	return b
}

// Fit returns the coefficients c₀ … c₃ and the standard deviation of the rows about the cubic.
func (c *Cubic) Fit(x []float64) (coef [4]float64, scatter float64) {
	var b [4]float64
	base := x[len(x)/2] // a large mean would cost digits
	for k, u := range c.u {
		v := x[k] - base
		b[0] += v
		b[1] += v * u
		b[2] += v * u * u
		b[3] += v * u * u * u
	}
	coef = c.solve(b)
	sum := 0.0
	for k, u := range c.u {
		r := x[k] - base - (coef[0] + u*(coef[1]+u*(coef[2]+u*coef[3])))
		sum += r * r
	}
	scatter = math.Sqrt(sum / float64(len(x)-4))
	for i, f := 0, 1.0; i < 4; i, f = i+1, f*c.scale {
		coef[i] /= f
	}
	coef[0] += base
	return coef, scatter
}
