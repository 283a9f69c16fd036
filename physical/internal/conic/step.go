package conic

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// computeStep sets the right-hand side of a step towards complementarity `target`, with
// `correct` times the second-order term, and solves; `refine` rounds of iterative
// refinement follow.
func (h *Solver) computeStep(target float64, correct float64, refine int) {
	p := h.p
	copy(h.rhs, h.affine)
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		part := b.Variables(h.Z)
		if b.Kind != Semidefinite {
			c.rhs[0] = 0
			if b.Quadratic != nil {
				slope := b.Quadratic.gradient(part)
				c.rhs[0] = -b.Weight * slope[0]
			}
			if b.Kind == Nonnegative {
				c.rhs[0] += c.low.setRHS(target, correct)
				if b.Quadratic == nil {
					c.rhs[0] += c.log.setRHS(target+b.Weight, correct) - b.Weight
				}
			}
			continue
		}
		total := c.bound.setRHS(target, correct)
		var slope [10]float64
		if b.Quadratic == nil {
			t := c.prior.setRHS(target+b.Weight, correct)
			n := Transpose(&c.n)
			t = Congruence(&n, &t)
			for i := range total {
				total[i] += t[i]
			}
			slope = [10]float64{1, 1, 1, 1}
		} else {
			slope = b.Quadratic.gradient(part)
		}
		c.rhs = total
		for i, v := range slope {
			for j := range c.rhs {
				c.rhs[j] -= b.Weight * v * c.congruence[i][j]
			}
		}
	}
	for k, s := range p.Constraints {
		if s.Size == 1 {
			v := &h.nonneg[h.coneIndex[k]]
			h.rhs[s.At] -= v.s + v.s/v.z*v.setRHS(target, correct)
			continue
		}
		v := &h.cones[h.coneIndex[k]]
		t := v.setRHS(target, correct)
		t = mulVec(&v.w, &t)
		t = mulVec(&v.w, &t)
		for i := range 4 {
			h.rhs[s.At+i] -= v.s[i] + t[i]
		}
	}
	for k := range p.Blocks {
		c := &h.scalings[k]
		c.q, c.step = c.rhs, [10]float64{}
	}
	clear(h.yNext)
	clear(h.dz)
	clear(h.dAffine)
	copy(h.residual, h.rhs)
	h.solve()
	// Multipliers of measured rows cancel in directions that no row determines, and lose
	// digits; refinement on the whole system restores them.
	for range refine {
		h.computeResidual()
		h.solve()
	}
}

// solve adds to the step and to yNext the solution for the right-hand sides q of the
// blocks and residual of the rows,
//
//	M·w = C·B⁻¹·q + residual,   d = B⁻¹·(q − Cᵀ·w)
func (h *Solver) solve() {
	p := h.p
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		if b.Kind == Semidefinite {
			c.forward(&c.q)
		} else {
			c.q[0] /= c.chol[0][0]
		}
		for i, row := range b.Rows {
			sum := 0.0
			for j := range b.Size {
				sum += c.reducedRows[i][j] * c.q[j]
			}
			h.residual[row] += sum
		}
	}
	n := len(h.residual)
	floats.Mul(h.residual, h.unit)
	r := h.newton.RawSymmetric()
	u := blas64.Triangular{Uplo: r.Uplo, Diag: blas.NonUnit, N: n, Data: r.Data, Stride: r.Stride}
	v := blas64.Vector{N: n, Inc: 1, Data: h.residual}
	blas64.Trsv(blas.Trans, u, v)
	blas64.Trsv(blas.NoTrans, u, v)
	floats.Mul(h.residual, h.unit)
	floats.Add(h.yNext, h.residual)
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		for i, row := range b.Rows {
			f := h.residual[row]
			for j := range b.Size {
				c.q[j] -= c.reducedRows[i][j] * f
			}
		}
		if b.Kind == Semidefinite {
			c.backward(&c.q)
		} else {
			c.q[0] /= c.chol[0][0]
		}
		for i := range b.Size {
			c.step[i] += c.q[i]
		}
		part := b.Variables(h.dz)
		if b.Kind != Semidefinite {
			part[0] = c.step[0]
			continue
		}
		for i := range part {
			sum := 0.0
			for j, v := range c.step {
				sum += c.congruence[i][j] * v
			}
			part[i] = sum
		}
	}
	clear(h.dAffine)
	p.addLinear(h.dAffine, h.dz)
}

// computeResidual computes the residual of the Newton system
//
//	B·d + Cᵀ·w = rhs of the blocks,   diag((RᵀR)⁻¹, H⁻¹)·w − C·d = rhs
func (h *Solver) computeResidual() {
	p := h.p
	for i := range h.residual {
		h.residual[i] = h.rhs[i] + h.dAffine[i]
	}
	p.subtractCovariance(h.residual, h.yNext)
	for k, s := range p.Constraints {
		if s.Size == 1 {
			v := &h.nonneg[h.coneIndex[k]]
			h.residual[s.At] -= v.s / v.z * h.yNext[s.At]
			continue
		}
		v := &h.cones[h.coneIndex[k]]
		u := vec4(h.yNext[s.At : s.At+4])
		u = mulVec(&v.w, &u)
		u = mulVec(&v.w, &u)
		for i, f := range u {
			h.residual[s.At+i] -= f
		}
	}
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		f := b.Adjoint(h.yNext)
		if b.Kind != Semidefinite {
			c.q[0] = c.rhs[0] - c.hessian[0][0]*c.step[0] - f[0]
			continue
		}
		for i := range c.q {
			sum := c.rhs[i]
			for j, v := range c.step {
				sum -= c.hessian[i][j]*v + c.congruence[j][i]*f[j]
			}
			c.q[i] = sum
		}
	}
}

// enough is the largest multiple of a step that is looked for: of longer ones, nine tenths or more are beyond one, and one is taken.
const enough = 1.2

// stepLength records the step in every cone and returns the largest feasible multiple, up to enough.
func (h *Solver) stepLength() float64 {
	a := enough
	for k := range h.p.Blocks {
		b, c := &h.p.Blocks[k], &h.scalings[k]
		switch b.Kind {
		case Nonnegative:
			a = min(a, c.low.stepLength(c.step[0]))
			if b.Quadratic == nil {
				a = min(a, c.log.stepLength(c.step[0]))
			}
		case Semidefinite:
			d := Sym4(c.step)
			a = c.bound.stepLength(&d, a)
			if b.Quadratic == nil {
				d = Congruence(&c.n, &d)
				a = c.prior.stepLength(&d, a)
			}
		}
	}
	for k, s := range h.p.Constraints {
		if s.Size == 1 {
			v := &h.nonneg[h.coneIndex[k]]
			a = min(a, v.stepLength(h.dAffine[s.At]+h.affine[s.At]-v.s))
			continue
		}
		v := &h.cones[h.coneIndex[k]]
		var ds vec4
		for i := range ds {
			ds[i] = h.dAffine[s.At+i] + h.affine[s.At+i] - v.s[i]
		}
		a = min(a, v.stepLength(&ds))
	}
	return a
}
