package estimate

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// cell is a block at the present point: its pairs, and the curvature of prior
// and barrier in the coordinates in which the bound's pair is diagonal.
type cell struct {
	bound, prior pair // of a body: X − εI with its dual, X with w·X⁻¹
	low, log     scalar
	map10        [10][10]float64 // d ↦ G·d·Gᵀ, for bodies
	n            [4][4]float64   // from the bound's scaled coordinates to the prior's
	curvature    [10][10]float64
	chol         [10][10]float64 // its lower factor
	half         [][10]float64   // the rows of C through the inverse of that
	total        [10]float64     // what the right-hand side holds of the block
	q            [10]float64
	d            [10]float64 // step
}

// interior is the state of the interior-point method.
type interior struct {
	p     *program
	z     []float64
	e     []float64 // numbers at z
	cells []cell
	plain []scalar // sides of one number
	balls []ball   // sides of four
	index []int    // of each side among those

	dz, de []float64
	y      []float64 // forces on the numbers: of the sides, minus their duals
	w      []float64 // what the step would make of them
	rhs    []float64
	miss   []float64
	scale  []float64
	m      *mat.SymDense
	steps  int
}

func newInterior(p *program) *interior {
	n := len(p.offset)
	h := &interior{p: p, z: p.prior(), e: make([]float64, n), cells: make([]cell, len(p.blocks)), dz: make([]float64, p.size),
		de: make([]float64, n), y: make([]float64, n), w: make([]float64, n), rhs: make([]float64, n), miss: make([]float64, n), scale: make([]float64, n), m: mat.NewSymDense(n, nil)}
	rows := 0
	for k := range p.blocks {
		rows += len(p.blocks[k].rows)
	}
	all := make([][10]float64, rows)
	for k := range p.blocks {
		n := len(p.blocks[k].rows)
		h.cells[k].half, all = all[:n:n], all[n:]
	}
	for _, s := range p.sides {
		if s.size == 1 {
			h.index = append(h.index, len(h.plain))
			h.plain = append(h.plain, scalar{})
		} else {
			h.index = append(h.index, len(h.balls))
			h.balls = append(h.balls, ball{})
		}
	}
	p.numbers(h.e, h.z)
	// The size of the forces that pull on the prior, for each degree of the cones.
	h.reset(max(1, p.force(h.y, h.e)/max(p.degree, 1)))
	return h
}

// reset puts the duals onto the central path's μ·S⁻¹.
func (h *interior) reset(mu float64) {
	for k := range h.p.blocks {
		b, c := &h.p.blocks[k], &h.cells[k]
		switch b.kind {
		case body:
			s := sym4(b.part(h.z))
			c.prior.z = inverse4(&s, 0, mu+b.weight)
			c.bound.z = inverse4(&s, h.p.margin, mu)
		case positive:
			c.log.z = (mu + b.weight) / h.z[b.at]
			c.low.z = mu / h.z[b.at]
		}
	}
	for k, s := range h.p.sides {
		if s.size == 1 {
			p := &h.plain[h.index[k]]
			p.s = max(h.e[s.at], 1)
			p.z = mu / p.s
			continue
		}
		p := &h.balls[h.index[k]]
		p.s = vec4(h.e[s.at : s.at+4])
		if n := math.Sqrt(p.s[1]*p.s[1] + p.s[2]*p.s[2] + p.s[3]*p.s[3]); !(p.s[0] > 1.1*n) {
			p.s[0] = 1.1*n + 1
		}
		d := p.s.determinant()
		p.z = vec4{mu * p.s[0] / d, -mu * p.s[1] / d, -mu * p.s[2] / d, -mu * p.s[3] / d}
	}
}

// inverse4 is factor·(X − shift·I)⁻¹.
func inverse4(s *sym4, shift, factor float64) sym4 {
	e := newSpectrum(s)
	var v sym4
	for i := range 4 {
		v[i] = factor / (e.values[i] - shift)
	}
	t := transposed(&e.rows)
	return congruent(&t, &v)
}

var errLeft = errors.New("an iterate has left the cone by rounding")

// scalings finds every pair's at the present point.
func (h *interior) scalings() error {
	for k := range h.p.blocks {
		b, c := &h.p.blocks[k], &h.cells[k]
		switch b.kind {
		case body:
			s := sym4(b.part(h.z))
			if b.quad == nil && !c.prior.scale(&s) {
				return errLeft
			}
			for i := range 4 {
				s[i] -= h.p.margin
			}
			if !c.bound.scale(&s) {
				return errLeft
			}
		case positive:
			c.low.s, c.log.s = h.z[b.at], h.z[b.at]
			if !(h.z[b.at] > 0) {
				return errLeft
			}
		}
	}
	for i := range h.balls {
		if !h.balls[i].scale() {
			return errLeft
		}
	}
	return nil
}

// product10 is the matrix of d ↦ T·d·Tᵀ.
func product10(t *[4][4]float64, out *[10][10]float64) {
	ka := 4
	for a := range 4 {
		for b := a; b < 4; b++ {
			row := &out[a]
			f := 1.0
			if b > a {
				row, f = &out[ka], root2
				ka++
			}
			kc := 4
			for c := range 4 {
				row[c] = f * t[a][c] * t[b][c]
				for d := c + 1; d < 4; d++ {
					row[kc] = f / root2 * (t[a][c]*t[b][d] + t[a][d]*t[b][c])
					kc++
				}
			}
		}
	}
}

// factorise forms each block's curvature and the matrix of the numbers,
//
//	M = diag((RᵀR)⁻¹, H⁻¹) + (C;S)·B⁻¹·(C;S)ᵀ
//
// with H the curvature of the sides, and factors both. It never forms CᵀRᵀRC,
// whose null space, what no data determine, would drown in the rounding of its
// large entries.
func (h *interior) factorise() error {
	p, n := h.p, len(h.p.offset)
	data := h.m.RawSymmetric().Data
	cov := p.cov.RawSymmetric()
	for i := range n {
		row := data[i*n : (i+1)*n]
		clear(row[i:])
		if i < p.measured {
			copy(row[i:p.measured], cov.Data[i*cov.Stride+i:i*cov.Stride+p.measured])
		}
	}
	for k, s := range p.sides {
		if s.size == 1 {
			v := &h.plain[h.index[k]]
			data[s.at*n+s.at] = v.s / v.z
			continue
		}
		v := &h.balls[h.index[k]]
		for a := range 4 {
			for b := a; b < 4; b++ {
				sum := 0.0
				for c := range 4 {
					sum += v.w[a][c] * v.w[c][b]
				}
				data[(s.at+a)*n+s.at+b] = sum
			}
		}
	}
	for k := range p.blocks {
		b, c := &p.blocks[k], &h.cells[k]
		if b.kind != body {
			curve := 0.0
			if b.kind == positive {
				curve = c.low.z / c.low.s
				if b.quad == nil {
					curve += c.log.z / c.log.s
				}
			}
			if b.quad != nil {
				curve += b.weight * b.quad.f[0][0] * b.quad.f[0][0]
			}
			c.curvature[0][0] = curve
			c.chol[0][0] = math.Sqrt(curve)
			for i := range b.rows {
				c.half[i][0] = b.m[i][0] / c.chol[0][0]
				for j := range i + 1 {
					data[b.rows[j]*n+b.rows[i]] += c.half[j][0] * c.half[i][0]
				}
			}
			continue
		}
		if !c.bend(b) {
			return errLeft
		}
		for i := range b.rows {
			c.halve(&b.m[i], &c.half[i])
			v := &c.half[i]
			for j := range i + 1 {
				o := &c.half[j]
				data[b.rows[j]*n+b.rows[i]] += o[0]*v[0] + o[1]*v[1] + o[2]*v[2] + o[3]*v[3] + o[4]*v[4] +
					o[5]*v[5] + o[6]*v[6] + o[7]*v[7] + o[8]*v[8] + o[9]*v[9]
			}
		}
	}
	for i := range n { // to a unit diagonal: the numbers' units differ
		h.scale[i] = 1 / math.Sqrt(data[i*n+i])
	}
	for i := range n {
		row := data[i*n : (i+1)*n]
		for j := i; j < n; j++ {
			row[j] *= h.scale[i] * h.scale[j]
		}
	}
	// Straight from LAPACK: mat.Cholesky would estimate a condition number at
	// the price of half a factorisation.
	if _, ok := lapack64.Potrf(h.m.RawSymmetric()); !ok {
		return errors.New("the Newton system is not positive definite to rounding: the data's condition number is too high")
	}
	return nil
}

// bend sets a body's curvature and its factor.
func (c *cell) bend(b *block) bool {
	product10(&c.bound.g, &c.map10)
	clear(c.curvature[:])
	for i := range 10 {
		c.curvature[i][i] = 1
	}
	if b.quad == nil {
		c.n = times44(&c.prior.gi, &c.bound.g)
		n := &c.n
		var q [4][4]float64 // NᵀN
		for i := range 4 {
			for j := range 4 {
				for k := range 4 {
					q[i][j] += n[k][i] * n[k][j]
				}
			}
		}
		var both [10][10]float64
		product10(&q, &both)
		for i := range 10 {
			for j := range 10 {
				c.curvature[i][j] += both[i][j]
			}
		}
	} else {
		var fm [10][10]float64 // F·map
		for i := range 10 {
			for k, f := range b.quad.f[i] {
				if f == 0 {
					continue
				}
				for j := range 10 {
					fm[i][j] += f * c.map10[k][j]
				}
			}
		}
		for k := range 10 {
			for i, f := range fm[k] {
				for j := range 10 {
					c.curvature[i][j] += b.weight * f * fm[k][j]
				}
			}
		}
	}
	for i := range 10 {
		for j := range i + 1 {
			v := c.curvature[i][j]
			for k := range j {
				v -= c.chol[i][k] * c.chol[j][k]
			}
			if i > j {
				c.chol[i][j] = v / c.chol[j][j]
				continue
			}
			if !(v > 0) {
				return false
			}
			c.chol[i][i] = math.Sqrt(v)
		}
	}
	return true
}

// halve turns a row of C into the cell's coordinates and through the inverse
// of its factor.
func (c *cell) halve(m, out *[10]float64) {
	for j := range 10 {
		sum := 0.0
		for i := range 10 {
			sum += m[i] * c.map10[i][j]
		}
		out[j] = sum
	}
	c.forward(out)
}

// forward solves L·v = v, backward Lᵀ·v = v.
func (c *cell) forward(v *[10]float64) {
	for i := range 10 {
		s := v[i]
		for k := range i {
			s -= c.chol[i][k] * v[k]
		}
		v[i] = s / c.chol[i][i]
	}
}

func (c *cell) backward(v *[10]float64) {
	for i := 9; i >= 0; i-- {
		s := v[i]
		for k := i + 1; k < 10; k++ {
			s -= c.chol[k][i] * v[k]
		}
		v[i] = s / c.chol[i][i]
	}
}

func times44(a, b *[4][4]float64) (out [4][4]float64) {
	for i := range 4 {
		for j := range 4 {
			out[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j] + a[i][3]*b[3][j]
		}
	}
	return out
}
