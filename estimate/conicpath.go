package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Numbers of the iteration.
const (
	mostSteps   = 200
	refinements = 2
	// shortest step, several of which in a row are no progress.
	shortest = 1e-6
)

// aim sets the right-hand side of a step to the products' target and solves.
func (h *interior) aim(target float64, correct float64, refine int) {
	p := h.p
	copy(h.rhs, h.e)
	for k := range p.blocks {
		b, c := &p.blocks[k], &h.cells[k]
		part := b.part(h.z)
		if b.kind != body {
			c.total[0] = 0
			if b.quad != nil {
				slope := b.quad.slope(part)
				c.total[0] = -b.weight * slope[0]
			}
			if b.kind == positive {
				c.total[0] += c.low.aim(target, correct)
				if b.quad == nil {
					c.total[0] += c.log.aim(target+b.weight, correct) - b.weight
				}
			}
			continue
		}
		total := c.bound.aim(target, correct)
		var slope [10]float64
		if b.quad == nil {
			t := c.prior.aim(target+b.weight, correct)
			n := transposed(&c.n)
			t = congruent(&n, &t)
			for i := range total {
				total[i] += t[i]
			}
			slope = [10]float64{1, 1, 1, 1}
		} else {
			slope = b.quad.slope(part)
		}
		c.total = total
		for i, v := range slope {
			for j := range c.total {
				c.total[j] -= b.weight * v * c.map10[i][j]
			}
		}
	}
	for k, s := range p.sides {
		if s.size == 1 {
			v := &h.plain[h.index[k]]
			h.rhs[s.at] -= v.s + v.s/v.z*v.aim(target, correct)
			continue
		}
		v := &h.balls[h.index[k]]
		t := v.aim(target, correct)
		t = times4(&v.w, &t)
		t = times4(&v.w, &t)
		for i := range 4 {
			h.rhs[s.at+i] -= v.s[i] + t[i]
		}
	}
	for k := range p.blocks {
		c := &h.cells[k]
		c.q, c.d = c.total, [10]float64{}
	}
	clear(h.w)
	clear(h.dz)
	clear(h.de)
	copy(h.miss, h.rhs)
	h.solve()
	// The forces of the measured numbers on what the data leave open cancel,
	// and lose digits; the residual of the whole system brings them back.
	for range refine {
		h.residual()
		h.solve()
	}
}

// solve adds to the step and the forces w what answers the blocks' q and the
// numbers' miss,
//
//	M·w = C·B⁻¹·q + miss,   d = B⁻¹·(q − Cᵀ·w)
func (h *interior) solve() {
	p := h.p
	for k := range p.blocks {
		b, c := &p.blocks[k], &h.cells[k]
		if b.kind == body {
			c.forward(&c.q)
		} else {
			c.q[0] /= c.chol[0][0]
		}
		for i, row := range b.rows {
			sum := 0.0
			for j := range b.size {
				sum += c.half[i][j] * c.q[j]
			}
			h.miss[row] += sum
		}
	}
	n := len(h.miss)
	floats.Mul(h.miss, h.scale)
	r := h.m.RawSymmetric()
	u := blas64.Triangular{Uplo: r.Uplo, Diag: blas.NonUnit, N: n, Data: r.Data, Stride: r.Stride}
	v := blas64.Vector{N: n, Inc: 1, Data: h.miss}
	blas64.Trsv(blas.Trans, u, v)
	blas64.Trsv(blas.NoTrans, u, v)
	floats.Mul(h.miss, h.scale)
	floats.Add(h.w, h.miss)
	for k := range p.blocks {
		b, c := &p.blocks[k], &h.cells[k]
		for i, row := range b.rows {
			f := h.miss[row]
			for j := range b.size {
				c.q[j] -= c.half[i][j] * f
			}
		}
		if b.kind == body {
			c.backward(&c.q)
		} else {
			c.q[0] /= c.chol[0][0]
		}
		for i := range b.size {
			c.d[i] += c.q[i]
		}
		part := b.part(h.dz)
		if b.kind != body {
			part[0] = c.d[0]
			continue
		}
		for i := range part {
			sum := 0.0
			for j, v := range c.d {
				sum += c.map10[i][j] * v
			}
			part[i] = sum
		}
	}
	clear(h.de)
	p.addProduct(h.de, h.dz)
}

// residual is what the step and the forces miss of
//
//	B·d + Cᵀ·w = total,   diag((RᵀR)⁻¹, H⁻¹)·w − C·d = rhs
func (h *interior) residual() {
	p := h.p
	for i := range h.miss {
		h.miss[i] = h.rhs[i] + h.de[i]
	}
	p.lessCovariance(h.miss, h.w)
	for k, s := range p.sides {
		if s.size == 1 {
			v := &h.plain[h.index[k]]
			h.miss[s.at] -= v.s / v.z * h.w[s.at]
			continue
		}
		v := &h.balls[h.index[k]]
		u := vec4(h.w[s.at : s.at+4])
		u = times4(&v.w, &u)
		u = times4(&v.w, &u)
		for i, f := range u {
			h.miss[s.at+i] -= f
		}
	}
	for k := range p.blocks {
		b, c := &p.blocks[k], &h.cells[k]
		f := b.pull(h.w)
		if b.kind != body {
			c.q[0] = c.total[0] - c.curvature[0][0]*c.d[0] - f[0]
			continue
		}
		for i := range c.q {
			sum := c.total[i]
			for j, v := range c.d {
				sum -= c.curvature[i][j]*v + c.map10[j][i]*f[j]
			}
			c.q[i] = sum
		}
	}
}

// take notes the step in every pair and returns how far it can go.
func (h *interior) take() float64 {
	a := math.Inf(1)
	for k := range h.p.blocks {
		b, c := &h.p.blocks[k], &h.cells[k]
		switch b.kind {
		case positive:
			a = min(a, c.low.take(c.d[0]))
			if b.quad == nil {
				a = min(a, c.log.take(c.d[0]))
			}
		case body:
			d := sym4(c.d)
			a = min(a, c.bound.take(&d))
			if b.quad == nil {
				d = congruent(&c.n, &d)
				a = min(a, c.prior.take(&d))
			}
		}
	}
	for k, s := range h.p.sides {
		if s.size == 1 {
			v := &h.plain[h.index[k]]
			a = min(a, v.take(h.de[s.at]+h.e[s.at]-v.s))
			continue
		}
		v := &h.balls[h.index[k]]
		var ds vec4
		for i := range ds {
			ds[i] = h.de[s.at+i] + h.e[s.at+i] - v.s[i]
		}
		a = min(a, v.take(&ds))
	}
	return a
}

// excess is what all products exceed their ends by after a part of the last
// step, over the degree of the cones: the barrier weight of the point.
func (h *interior) excess(a float64) float64 {
	sum, degree := 0.0, h.p.degree
	for k := range h.p.blocks {
		b, c := &h.p.blocks[k], &h.cells[k]
		switch b.kind {
		case positive:
			sum += c.low.product(a)
			if b.quad == nil {
				sum += max(0, c.log.product(a)-b.weight)
				degree++
			}
		case body:
			sum += c.bound.product(a)
			if b.quad == nil {
				sum += max(0, c.prior.product(a)-4*b.weight)
				degree += 4
			}
		}
	}
	for i := range h.plain {
		sum += h.plain[i].product(a)
	}
	for i := range h.balls {
		sum += h.balls[i].product(a)
	}
	return sum / max(degree, 1)
}

func (h *interior) advance(a float64) {
	floats.AddScaled(h.z, a, h.dz)
	for i := range h.y {
		h.y[i] += a * (h.w[i] - h.y[i])
	}
	for k := range h.p.blocks {
		c := &h.cells[k]
		switch h.p.blocks[k].kind {
		case positive:
			c.low.z += a * c.low.dz
			c.log.z += a * c.log.dz
		case body:
			c.bound.advance(a)
			if h.p.blocks[k].quad == nil {
				c.prior.advance(a)
			}
		}
	}
	for i := range h.plain {
		v := &h.plain[i]
		v.s, v.z = v.s+a*v.ds, v.z+a*v.dz
	}
	for i := range h.balls {
		h.balls[i].advance(a)
	}
}

// minimise iterates by Mehrotra's predictor and corrector until the gap is
// within tolerance, relative to the objective or to one, whichever is more.
func (h *interior) minimise(tolerance float64) (gap, value float64, err error) {
	short, after := 0, 0
	for limit := h.steps + mostSteps; ; h.steps++ {
		h.p.numbers(h.e, h.z)
		if err := h.scalings(); err != nil {
			return 0, 0, err
		}
		if gap, value = h.gap(); gap <= tolerance*max(1, value) {
			return gap, value, nil
		}
		if h.steps == limit {
			return 0, 0, fmt.Errorf("%d steps were not enough: a gap of %.3g at an objective of %.6g", mostSteps, gap, value)
		}
		if err := h.factorise(); err != nil {
			return 0, 0, err
		}
		mu := h.still()
		// The products have met what is asked, and what is left of the gap is rounding.
		if mu*h.p.degree < 0.1*tolerance*max(1, value) {
			if after++; after > 8 {
				return 0, 0, fmt.Errorf("the duality gap stays at %.3g of %.6g", gap, value)
			}
		}
		h.aim(0, 0, 0)
		a := min(1, h.take())
		sigma := min(1, math.Pow(h.excess(a)/mu, 3))
		h.aim(sigma*mu, a*a, refinements)
		step := h.take()
		if math.IsNaN(step) || math.IsNaN(sigma) {
			return 0, 0, fmt.Errorf("a step is not a number at barrier weight %.3g", mu)
		}
		// Close to the border only when the affine step got far.
		step = min(1, (0.9+0.09*a)*step)
		if short++; step > shortest {
			short = 0
		}
		if short == 5 {
			return 0, 0, fmt.Errorf("no step along the Newton direction stays inside: barrier weight %.3g", mu)
		}
		h.advance(step)
	}
}

// still is excess where no step is taken yet.
func (h *interior) still() float64 { return h.excess(0) }
