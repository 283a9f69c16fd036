package conic

import "math"

// rounding of a constraint's row, relative to one or to its constant: a constraint with
// a large dual is met to its last digits.
const rounding = 1e-11

// dualityGap returns the objective f at the present point, and a bound on its distance
// from the minimum. Whatever the multipliers y and the duals Z and λ, the minimum is no
// less than that over all z, without constraints, of
//
//	yᵀ·e − ½·yᵀ·(RᵀR)⁻¹·y + Σ w·D − ⟨Z, X − εI⟩ − λᵀ(S·z + s₀),   e = C·z + c₀
//
// At z this is below f by ½‖R·(e − (RᵀR)⁻¹·y)‖² and the products. The function is a sum
// over the blocks. A block's part has a gradient r at z; its minimum is ½·rᵀ·(D″)⁻¹·r/w
// below for a quadratic D, and no more than w·ω(δ) below for the log-determinant, which
// is self-concordant, with ω(δ) = −δ − log(1 − δ) and δ² = rᵀ·(D″)⁻¹·r/w² (Nesterov and
// Nemirovskii 1994).
func (h *Solver) dualityGap() (gap, value float64) {
	p := h.p
	copy(h.residual, h.affine)
	value = p.Gradient(h.rhs, h.residual)
	p.subtractCovariance(h.residual, h.y)
	gap = p.Gradient(h.rhs, h.residual)
	for k, s := range p.Constraints {
		if s.Size == 1 {
			v := &h.nonneg[h.coneIndex[k]]
			if h.affine[s.At] < -rounding*(1+math.Abs(p.Offset[s.At])) {
				return math.Inf(1), value
			}
			gap += v.z * h.affine[s.At]
			h.y[s.At] = -v.z
			continue
		}
		v := &h.cones[h.coneIndex[k]]
		e := vec4(h.affine[s.At : s.At+4])
		if n := math.Sqrt(e[1]*e[1] + e[2]*e[2] + e[3]*e[3]); e[0] < n-rounding*(1+n) {
			return math.Inf(1), value
		}
		gap += v.z.dot(&e)
		for i := range v.z {
			h.y[s.At+i] = -v.z[i]
		}
	}
	for k := range p.Blocks {
		b, c := &p.Blocks[k], &h.scalings[k]
		r := b.Adjoint(h.y)
		divergence, slope := b.slope(h.Z)
		for i := range b.Size {
			r[i] += b.Weight * slope[i]
		}
		switch b.Kind {
		case Nonnegative:
			r[0] -= c.low.z
			gap += c.low.z * h.Z[b.At]
		case Semidefinite:
			for i := range r {
				r[i] -= c.bound.z[i]
			}
			for _, d := range c.bound.d {
				gap += d * d
			}
		}
		value += b.Weight * divergence
		gap += b.dualDecrease(b.dualNormSquared(h.Z, &r))
	}
	return gap, value
}
