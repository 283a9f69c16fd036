package projection

import (
	"math"

	"ident/internal/triangle"
)

// Cubic fits x(t) = c₀ + c₁(t-tc) + c₂(t-tc)² + c₃(t-tc)³ by least squares to rows of several signals at given times
// (the filter of Savitzky and Golay, 1964, for any spacing). The times are scaled to [-1, 1], where
// the normal equations of four powers have a condition number of some hundreds, harmless in double precision. The zero Cubic has no
// rows; it serves one goroutine.
type Cubic struct {
	u     []float64
	scale float64
	chol  [4][4]float64
	// By power of time: first the right-hand sides, then the solutions, of every signal and of two unit vectors that
	// give Spread. All are solved side by side, because a chain of divisions would take as long as a row.
	b [4][]float64
	// Scatter is, for each signal, the standard deviation of its rows about the cubic.
	Scatter []float64
}

// Fit fits signals, one slice each, at the given times about a centre. It overwrites the results of the last call.
func (c *Cubic) Fit(t []float64, centre float64, signals [][]float64) {
	c.prepare(t, centre)
	n := len(signals)
	for i := range c.b {
		if cap(c.b[i]) < n+2 {
			c.b[i] = make([]float64, n+2)
		}
		c.b[i] = c.b[i][:n+2]
		c.b[i][n], c.b[i][n+1] = 0, 0
	}
	c.b[1][n], c.b[2][n+1] = 1, 1
	for s, x := range signals {
		x = x[:len(c.u)]
		var b0, b1, b2, b3 float64
		base := x[len(x)/2] // a large mean would cost digits
		for k, u := range c.u {
			v := x[k] - base
			b0 += v
			b1 += v * u
			b2 += v * u * u
			b3 += v * u * u * u
		}
		c.b[0][s], c.b[1][s], c.b[2][s], c.b[3][s] = b0, b1, b2, b3
	}
	c.solve()
	c.Scatter = c.Scatter[:0]
	for s, x := range signals {
		x = x[:len(c.u)]
		base := x[len(x)/2]
		c0, c1, c2, c3 := c.b[0][s], c.b[1][s], c.b[2][s], c.b[3][s]
		sum := 0.0
		for k, u := range c.u {
			r := x[k] - base - (c0 + u*(c1+u*(c2+u*c3)))
			sum += r * r
		}
		c.Scatter = append(c.Scatter, math.Sqrt(sum/float64(len(x)-4)))
		c.b[0][s] = c0 + base
	}
}

// prepare scales the times and factors the normal equations.
func (c *Cubic) prepare(t []float64, centre float64) {
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
	rows := [][]float64{c.chol[0][:], c.chol[1][:], c.chol[2][:], c.chol[3][:]}
	for i, row := range rows {
		copy(row[:i+1], moment[i:])
	}
	triangle.Lower(rows, func(_ int, square float64) float64 { return math.Sqrt(square) })
}

// solve solves the normal equations for all right-hand sides.
func (c *Cubic) solve() {
	take := func(i, k int, by float64) {
		to, from := c.b[i], c.b[k][:len(c.b[i])]
		for s := range to {
			to[s] -= by * from[s]
		}
	}
	divide := func(i int) {
		by := c.chol[i][i]
		for s := range c.b[i] {
			c.b[i][s] /= by
		}
	}
	for i := range 4 {
		for k := range i {
			take(i, k, c.chol[i][k])
		}
		divide(i)
	}
	for i := 3; i >= 0; i-- {
		for k := i + 1; k < 4; k++ {
			take(i, k, c.chol[k][i])
		}
		divide(i)
	}
}

// Value, Slope and Bend return the coefficients c₀, c₁ and c₂ of a signal.
func (c *Cubic) Value(signal int) float64 { return c.b[0][signal] }
func (c *Cubic) Slope(signal int) float64 { return c.b[1][signal] / c.scale }
func (c *Cubic) Bend(signal int) float64  { return c.b[2][signal] / (c.scale * c.scale) }

// Spread returns the standard deviations of c₁ and c₂ if every row has a standard deviation of one.
func (c *Cubic) Spread() (first, second float64) {
	n := len(c.Scatter)
	return math.Sqrt(c.b[1][n]) / c.scale, math.Sqrt(c.b[2][n+1]) / (c.scale * c.scale)
}
