package estimate

import "math"

// kind says what a block of a program's variables is.
type kind int

const (
	body     kind = iota // ten, the matrix X ⪰ εI of a body relative to its prior
	positive             // one, x ≥ 0 relative to its prior
	free                 // one, any number
)

// block is some variables of a program, what the numbers take of them,
// numbers[rows[i]] += Σ_k m[i][k]·z[at+k], and what their prior is.
type block struct {
	kind   kind
	at     int
	size   int
	rows   []int // ascending
	m      [][10]float64
	weight float64 // of the prior
	known  bool    // the prior's source says something of it
	// quad is the prior's distance where that is quadratic; without it, it is the
	// log-determinant divergence.
	quad *quadratic
}

// quadratic is ½‖F·(z − c)‖². The factor keeps the digits of soft directions
// beside stiff ones, which the product FᵀF would lose.
type quadratic struct {
	f [10][10]float64
	c [10]float64
}

// identityAt is the quadratic of the distance from c with unit weights: for a
// body at X = I, the constant pull-back metric at the prior.
func identityAt(c ...float64) *quadratic {
	q := new(quadratic)
	copy(q.c[:], c)
	for i := range q.f {
		q.f[i][i] = 1
	}
	return q
}

// miss is F·(z − c).
func (q *quadratic) miss(z []float64) (out [10]float64) {
	for i := range z {
		for j, v := range z {
			out[i] += q.f[i][j] * (v - q.c[j])
		}
	}
	return out
}

// slope is the gradient Fᵀ·F·(z − c).
func (q *quadratic) slope(z []float64) (out [10]float64) {
	for i, v := range q.miss(z) {
		for j := range z {
			out[j] += q.f[i][j] * v
		}
	}
	return out
}

func (q *quadratic) value(z []float64) float64 {
	sum := 0.0
	for _, v := range q.miss(z) {
		sum += v * v / 2
	}
	return sum
}

// part are the block's variables.
func (b *block) part(z []float64) []float64 { return z[b.at : b.at+b.size] }

// divergence is the prior's distance: D(X) = tr X − 4 − log det X for a body,
// x − 1 − log x for a positive number, or the block's quadratic.
func (b *block) divergence(z []float64) float64 {
	part := b.part(z)
	if b.quad != nil {
		return b.quad.value(part)
	}
	if b.kind == positive {
		return part[0] - 1 - math.Log(part[0])
	}
	s := sym4(part)
	e, sum := newSpectrum(&s), 0.0
	for _, v := range e.values {
		sum += v - 1 - math.Log(v)
	}
	return sum
}

// slope is the gradient of the divergence.
func (b *block) slope(z []float64) (out [10]float64) {
	part := b.part(z)
	if b.quad != nil {
		return b.quad.slope(part)
	}
	if b.kind == positive {
		out[0] = 1 - 1/part[0]
		return out
	}
	s := sym4(part)
	e := newSpectrum(&s)
	var v sym4
	for i := range 4 {
		v[i] = 1 - 1/e.values[i]
	}
	t := transposed(&e.rows)
	return congruent(&t, &v)
}

// inside tells whether the block keeps its own bound.
func (b *block) inside(z []float64, margin float64) bool {
	switch b.kind {
	case positive:
		return z[b.at] > 0
	case body:
		s := sym4(b.part(z))
		e := newSpectrum(&s)
		return e.least() > margin
	}
	return true
}
