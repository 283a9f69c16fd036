package flexible

import "ident/robot"

// Matrix acts on homogeneous coordinates in Book's order, [1 x y z]: a transform has the top row [1 0 0 0], its
// derivatives a top row of zeros, and a matrix of second moments none in particular. Row-major.
type Matrix [4][4]float64

// identity returns the transform that moves nothing.
func identity() Matrix { return Matrix{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}} }

// FromTransform writes a placement in Book's order.
func FromTransform(t robot.Transform) Matrix {
	m := Matrix{{1}}
	for i := range 3 {
		m[i+1][0] = t.P[i]
		copy(m[i+1][1:], t.R[i][:])
	}
	return m
}

// tally counts the operations of an evaluation.
type tally struct{ products, sums int }

// place returns a·b of transforms or their derivatives.
func (c *tally) place(a, b *Matrix) (m Matrix) {
	m[0][0] = a[0][0] * b[0][0]
	for i := 1; i < 4; i++ {
		for k := range 4 {
			m[i][k] = a[i][1]*b[1][k] + a[i][2]*b[2][k] + a[i][3]*b[3][k]
		}
		m[i][0] += a[i][0] * b[0][0]
	}
	c.products += 36
	c.sums += 27
	return m
}

// moment returns a·b of a transform, or its derivative, and any matrix.
func (c *tally) moment(a, b *Matrix) (m Matrix) {
	if a[0][0] != 0 {
		m[0] = b[0]
	}
	for i := 1; i < 4; i++ {
		for k := range 4 {
			m[i][k] = a[i][0]*b[0][k] + a[i][1]*b[1][k] + a[i][2]*b[2][k] + a[i][3]*b[3][k]
		}
	}
	c.products += 48
	c.sums += 36
	return m
}

// momentT returns a·bᵀ of any matrix and a transform or its derivative.
func (c *tally) momentT(a, b *Matrix) (m Matrix) {
	for i := range 4 {
		if b[0][0] != 0 {
			m[i][0] = a[i][0]
		}
		for k := 1; k < 4; k++ {
			m[i][k] = a[i][0]*b[k][0] + a[i][1]*b[k][1] + a[i][2]*b[k][2] + a[i][3]*b[k][3]
		}
	}
	c.products += 48
	c.sums += 36
	return m
}

// trace returns the trace of a·bᵀ, of which one factor is the derivative of a transform or a product that begins with
// one.
func (c *tally) trace(a, b *Matrix) (sum float64) {
	for i := 1; i < 4; i++ {
		for k := range 4 {
			sum += a[i][k] * b[i][k]
		}
	}
	c.products += 12
	c.sums += 11
	return sum
}

// add is m + s·a.
func (c *tally) add(m *Matrix, s float64, a *Matrix) {
	for i := range 4 {
		for k := range 4 {
			m[i][k] += s * a[i][k]
		}
	}
	c.products += 16
	c.sums += 16
}

// sum is m + a.
func (c *tally) sum(m, a *Matrix) {
	for i := range 4 {
		for k := range 4 {
			m[i][k] += a[i][k]
		}
	}
	c.sums += 16
}

// apply returns a·v.
func (c *tally) apply(a *Matrix, v *[4]float64) (w [4]float64) {
	w[0] = a[0][0] * v[0]
	for i := 1; i < 4; i++ {
		w[i] = a[i][0]*v[0] + a[i][1]*v[1] + a[i][2]*v[2] + a[i][3]*v[3]
	}
	c.products += 12
	c.sums += 9
	return w
}

func transpose(a *Matrix) (m Matrix) {
	for i := range 4 {
		for k := range 4 {
			m[k][i] = a[i][k]
		}
	}
	return m
}
