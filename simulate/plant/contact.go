package plant

import "math"

// contact finds which joints at rest stick where some of them are moved by loops, so that their accelerations y depend on each other:
// with A the rates of these joints by the driven ones', c their accelerations at steady rates and f their friction,
//
//	y = A·M⁻¹·(b − Aᵀ·f) + c,   |f| ≤ limit,   y = 0 or f = limit·sign y
//
// a linear complementarity problem with bounds, by the least index of principal pivoting (Júdice and Pires, Computers and Operations
// Research 19, 1992; Murty 1974), which ends for matrices whose principal minors are positive: A·M⁻¹·Aᵀ with a part in 1e8 on its
// diagonal, as more joints may be at rest than there are driven ones.
type contact struct {
	n           int
	count       int
	rows        []float64 // A, joints×driven
	response    []float64 // M⁻¹·Aᵀ, by joint
	start, y    []float64 // accelerations without friction, and with
	terms       []float64 // sum of the terms of y, without their signs
	limit, f    []float64
	matrix, sub []float64
	right       []float64
	sign        []float64 // the result: 0 for a joint that sticks
	set         []int
	all         []bool
}

func newContact(n, most int) *contact {
	c := &contact{n: n, rows: make([]float64, n*most), response: make([]float64, n*most), matrix: make([]float64, most*most), sub: make([]float64, most*most), all: make([]bool, n)}
	for _, v := range []*[]float64{&c.start, &c.y, &c.terms, &c.limit, &c.f, &c.right, &c.sign} {
		*v = make([]float64, most)
	}
	for i := range c.all {
		c.all[i] = true
	}
	return c
}

func (c *contact) begin() { c.count = 0 }

// add takes a joint at rest: its row of A, its acceleration at steady rates and the limit of its friction.
func (c *contact) add(row []float64, drift, limit float64) {
	copy(c.rows[c.count*c.n:], row)
	c.start[c.count], c.limit[c.count] = drift, limit
	c.count++
}

// addDriven takes the driven joint i.
func (c *contact) addDriven(i int, limit float64) {
	clear(c.rows[c.count*c.n : (c.count+1)*c.n])
	c.rows[c.count*c.n+i] = 1
	c.start[c.count], c.limit[c.count] = 0, limit
	c.count++
}

// solve finds the signs under the torques b, which it overwrites.
func (c *contact) solve(mass, b []float64, f *factor) bool {
	n, k := c.n, c.count
	if !f.solve(b, mass, c.all) {
		return false
	}
	for e := range k {
		z := c.response[e*n : (e+1)*n]
		copy(z, c.rows[e*n:(e+1)*n])
		if !f.solve(z, mass, c.all) {
			return false
		}
	}
	largest := math.SmallestNonzeroFloat64
	for e := range k {
		for l, v := range c.rows[e*n : (e+1)*n] {
			c.start[e] += v * b[l]
		}
		for o := range k {
			s := 0.0
			for l := range n {
				s += c.rows[e*n+l] * c.response[o*n+l]
			}
			c.matrix[e*k+o] = s
		}
		largest = max(largest, c.matrix[e*k+e])
		c.sign[e] = 0
	}
	for e := range k {
		c.matrix[e*k+e] += shared * largest
	}
	// 3ⁿ patterns exist, and each appears once; in practice some 2n do.
	for range 10000 {
		c.pattern()
		worst := c.violated()
		if worst < 0 {
			c.rest()
			return true
		}
		switch {
		case c.sign[worst] != 0:
			c.sign[worst] = 0
		case c.f[worst] > 0:
			c.sign[worst] = 1
		default:
			c.sign[worst] = -1
		}
	}
	return false
}

// pattern finds the friction and the accelerations of the present signs.
func (c *contact) pattern() {
	k := c.count
	c.set = c.set[:0]
	for e, s := range c.sign[:k] {
		c.f[e] = s * c.limit[e]
		if s == 0 {
			c.set = append(c.set, e)
		}
	}
	m := len(c.set)
	for i, e := range c.set {
		c.right[i] = c.start[e]
		for o := range k {
			if c.sign[o] != 0 {
				c.right[i] -= c.matrix[e*k+o] * c.f[o]
			}
		}
		for j, o := range c.set {
			c.sub[i*m+j] = c.matrix[e*k+o]
		}
	}
	solveSymmetric(c.sub[:m*m], c.right[:m], m)
	for i, e := range c.set {
		c.f[e] = c.right[i]
	}
	for e := range k {
		c.y[e] = 0
		if c.sign[e] != 0 {
			c.y[e], c.terms[e] = c.start[e], math.Abs(c.start[e])
			for o := range k {
				term := c.matrix[e*k+o] * c.f[o]
				c.y[e] -= term
				c.terms[e] += math.Abs(term)
			}
		}
	}
}

// The part of the matrix that is added to its diagonal, by which joints share friction that is not determined; rounding leaves a
// part of decided in forces and accelerations, 1e-16 over it with a factor of ten, and joints that stick accelerate by less than a part of resting.
const (
	shared  = 1e-8
	decided = 1e-7
	resting = 1e-6
)

// violated returns the first joint that its sign or its friction contradicts, −1 without any.
func (c *contact) violated() int {
	for e := range c.count {
		if c.sign[e] == 0 && math.Abs(c.f[e]) > c.limit[e]*(1+decided) || c.sign[e]*c.y[e] < -decided*c.terms[e] {
			return e
		}
	}
	return -1
}

// rest lets joints stick whose acceleration is none: their friction is at its limit, and others hold them.
func (c *contact) rest() {
	for e := range c.count {
		if c.sign[e] != 0 && math.Abs(c.y[e]) <= resting*c.terms[e] {
			c.sign[e] = 0
		}
	}
}
