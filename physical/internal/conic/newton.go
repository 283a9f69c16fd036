package conic

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/lapack/lapack64"
)

var errOutside = errors.New("an iterate has left the cone by rounding")

// updateScalings computes the scaling of every cone at the present point.
func (h *Solver) updateScalings() error {
	for k := range h.p.Blocks {
		b, c := &h.p.Blocks[k], &h.scalings[k]
		switch b.Kind {
		case Semidefinite:
			s := Sym4(b.Variables(h.Z))
			if b.Quadratic == nil && !c.prior.updateScaling(&s) {
				return errOutside
			}
			for i := range 4 {
				s[i] -= h.p.Margin
			}
			if !c.bound.updateScaling(&s) {
				return errOutside
			}
		case Nonnegative:
			c.low.s, c.log.s = h.Z[b.At], h.Z[b.At]
			if !(h.Z[b.At] > 0) {
				return errOutside
			}
		}
	}
	for i := range h.cones {
		if !h.cones[i].updateScaling() {
			return errOutside
		}
	}
	return nil
}

// factorise forms each block's Hessian and the matrix of the Newton system,
//
//	M = diag((RᵀR)⁻¹, H⁻¹) + (C;S)·B⁻¹·(C;S)ᵀ
//
// with H the Hessian of the constraints' barrier, and factors both.
func (h *Solver) factorise() error {
	p, n := h.p, len(h.p.Offset)
	data := h.newton.RawSymmetric().Data
	cov := p.covariance.RawSymmetric()
	for i := range n {
		row := data[i*n : (i+1)*n]
		clear(row[i:])
		if i < p.Measured {
			copy(row[i:p.Measured], cov.Data[i*cov.Stride+i:i*cov.Stride+p.Measured])
		}
	}
	for k, s := range p.Constraints {
		if s.Size == 1 {
			v := &h.nonneg[h.coneIndex[k]]
			data[s.At*n+s.At] = v.s / v.z
			continue
		}
		v := &h.cones[h.coneIndex[k]]
		for a := range 4 {
			for b := a; b < 4; b++ {
				sum := 0.0
				for c := range 4 {
					sum += v.w[a][c] * v.w[c][b]
				}
				data[(s.At+a)*n+s.At+b] = sum
			}
		}
	}
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		if b.Kind != Semidefinite {
			curve := 0.0
			if b.Kind == Nonnegative {
				curve = c.low.z / c.low.s
				if b.Quadratic == nil {
					curve += c.log.z / c.log.s
				}
			}
			if b.Quadratic != nil {
				curve += b.Weight * b.Quadratic.F[0][0] * b.Quadratic.F[0][0]
			}
			c.hessian[0][0] = curve
			c.chol[0][0] = math.Sqrt(curve)
			for i := range b.Rows {
				c.reducedRows[i][0] = b.Coefficients[i][0] / c.chol[0][0]
				for j := range i + 1 {
					data[b.Rows[j]*n+b.Rows[i]] += c.reducedRows[j][0] * c.reducedRows[i][0]
				}
			}
			continue
		}
		if !c.formHessian(b) {
			return errOutside
		}
		for i := range b.Rows {
			c.reduceRow(&b.Coefficients[i], &c.reducedRows[i])
			v := &c.reducedRows[i]
			for j := range i + 1 {
				o := &c.reducedRows[j]
				data[b.Rows[j]*n+b.Rows[i]] += o[0]*v[0] + o[1]*v[1] + o[2]*v[2] + o[3]*v[3] + o[4]*v[4] +
					o[5]*v[5] + o[6]*v[6] + o[7]*v[7] + o[8]*v[8] + o[9]*v[9]
			}
		}
	}
	for i := range n { // to a unit diagonal: the units of the rows differ
		h.unit[i] = 1 / math.Sqrt(data[i*n+i])
	}
	for i := range n {
		row := data[i*n : (i+1)*n]
		for j := i; j < n; j++ {
			row[j] *= h.unit[i] * h.unit[j]
		}
	}
	// LAPACK at once: mat.Cholesky would also estimate a condition number, for half the
	// price of a factorisation.
	if _, ok := lapack64.Potrf(h.newton.RawSymmetric()); !ok {
		return errors.New("the feasible estimate cannot be computed: the condition number of the data is too high")
	}
	return nil
}

// formHessian sets a matrix's Hessian and its Cholesky factor.
func (c *blockScaling) formHessian(b *Block) bool {
	CongruenceMatrix(&c.bound.g, &c.congruence)
	clear(c.hessian[:])
	for i := range 10 {
		c.hessian[i][i] = 1
	}
	if b.Quadratic == nil {
		c.n = Mul(&c.prior.gInv, &c.bound.g)
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
		CongruenceMatrix(&q, &both)
		for i := range 10 {
			for j := range 10 {
				c.hessian[i][j] += both[i][j]
			}
		}
	} else {
		var fm [10][10]float64 // F·map
		for i := range 10 {
			for k, f := range b.Quadratic.F[i] {
				if f == 0 {
					continue
				}
				for j := range 10 {
					fm[i][j] += f * c.congruence[k][j]
				}
			}
		}
		for k := range 10 {
			for i, f := range fm[k] {
				for j := range 10 {
					c.hessian[i][j] += b.Weight * f * fm[k][j]
				}
			}
		}
	}
	for i := range 10 {
		for j := range i + 1 {
			v := c.hessian[i][j]
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

// reduceRow takes a row of C into the scaled coordinates and through chol⁻¹.
func (c *blockScaling) reduceRow(m, out *[10]float64) {
	for j := range 10 {
		sum := 0.0
		for i := range 10 {
			sum += m[i] * c.congruence[i][j]
		}
		out[j] = sum
	}
	c.forward(out)
}

// forward solves L·x = v in place, backward Lᵀ·x = v.
func (c *blockScaling) forward(v *[10]float64) {
	for i := range 10 {
		s := v[i]
		for k := range i {
			s -= c.chol[i][k] * v[k]
		}
		v[i] = s / c.chol[i][i]
	}
}

func (c *blockScaling) backward(v *[10]float64) {
	for i := 9; i >= 0; i-- {
		s := v[i]
		for k := i + 1; k < 10; k++ {
			s -= c.chol[k][i] * v[k]
		}
		v[i] = s / c.chol[i][i]
	}
}
