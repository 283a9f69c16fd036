package resonance

import (
	"math"

	"ident/filter"
	"ident/internal/triangle"
)

// fit compares a rigid joint with an elastic one. Of one triangular factor the leading columns are the rigid joint's.
func (b *bands) fit(of []*channel, j int, t torque, top float64) (Mode, bool) {
	own := of[j]
	var columns, products [][]float64
	inertia, factors := []int{}, []float64{} // columns of the joint's own acceleration, and the mean of their factors
	for k, c := range of {
		if c == nil {
			continue
		}
		if k == j {
			inertia, factors = append(inertia, len(columns)), append(factors, 1)
		}
		columns = append(columns, c.second)
	}
	// The next joint changes the inertia that this one feels.
	if j+1 < len(of) && of[j+1] != nil {
		next := of[j+1]
		for _, f := range [][]float64{next.cos, next.sin} {
			inertia, factors = append(inertia, len(columns)+len(products)), append(factors, average(f))
			products = append(products, product(f, own.d[2]))
		}
		for _, f := range [][]float64{next.cos, next.sin} {
			products = append(products, product(f, next.d[2]))
		}
	}
	second, third := make([]float64, len(t.smooth)), make([]float64, len(t.smooth))
	filter.Differentiate4(second, t.smooth, b.dt)
	filter.Differentiate4(third, second, b.dt)
	products = append(products, own.d[0], own.d[1], signs(own.d[1]), third)
	columns = append(columns, b.pass(products...)...)
	at := len(columns)
	columns = append(columns, own.last)
	for k, c := range of { // the links' inertial torques bend the joint as well
		if c != nil && k != j {
			columns = append(columns, c.last)
		}
	}
	x, left, ok := least(columns, t.band)
	if !ok {
		return Mode{}, false
	}
	// Noise in a band is much like its own second derivative, the opposite way: that column alone takes (∫f²)²/(∫1·∫f⁴) of white
	// noise, 71 % between 3 and 12.5 Hz. Only the share of the positions' fourth derivatives beyond it is elastic.
	rigid, narrow, elastic := left[at-1], left[at], left[len(columns)]
	sum := 0.0
	for i, c := range inertia {
		sum += factors[i] * x[c]
	}
	m := Mode{Joint: j, Left: rigid / norm2(t.band), Explained: 1 - elastic/rigid, Band: [2]float64{lowest, top}}
	if m.Left < leftByRest || m.Explained < explained || 1-elastic/narrow < beyond || !(sum > 0 && x[at] > 0) {
		return Mode{}, false
	}
	m.Frequency = math.Sqrt(sum/x[at]) / (2 * math.Pi)
	return m, m.Frequency > lowest && m.Frequency < 1.2*top
}

// least solves least squares of columns. left[n] is the sum of squared residuals of the first n of them; ok is false where they
// are dependent.
func least(columns [][]float64, y []float64) (x, left []float64, ok bool) {
	n := len(columns)
	f := triangle.New(n)
	f.Add(columns, y, new(triangle.Work))
	left = make([]float64, n+1)
	left[n] = f.RSS
	for i := n - 1; i >= 0; i-- {
		left[i] = left[i+1] + f.Z[i]*f.Z[i]
	}
	x, ok = f.Solve()
	return x, left, ok
}
