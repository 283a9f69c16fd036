package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// rounding of the left side of a bound, in kg and kg·m, relative to one or to its
// constant part: what is met with a large multiplier is met to the last digits.
const rounding = 1e-11

// gap bounds by how much the objective at the present point, its value,
// exceeds its minimum. With duals Z and λ and forces y, whatever they are, the
// minimum is no less than that over all z, without constraints, of
//
//	yᵀ·e − ½·yᵀ·(RᵀR)⁻¹·y + Σ w·D − ⟨Z, X − εI⟩ − λᵀ(S·z + s₀),   e = C·z + offset
//
// and at z this is less than f by ½‖R·(e − (RᵀR)⁻¹·y)‖² and the products. What is
// minimised is now a sum over the blocks. A block's part has a gradient r at z,
// and if D is quadratic its minimum is ½·rᵀ·(D″)⁻¹·r/w below. The log-determinant
// is self-concordant: it is no further than w·ω(δ), ω(δ) = −δ − log(1 − δ),
// δ² = rᵀ·(D″)⁻¹·r/w² (Nesterov and Nemirovskii 1994).
func (h *interior) gap() (gap, value float64) {
	p := h.p
	copy(h.miss, h.e)
	value = p.force(h.rhs, h.miss)
	p.lessCovariance(h.miss, h.y)
	gap = p.force(h.rhs, h.miss)
	for k, s := range p.sides {
		if s.size == 1 {
			v := &h.plain[h.index[k]]
			if h.e[s.at] < -rounding*(1+math.Abs(p.offset[s.at])) {
				return math.Inf(1), value
			}
			gap += v.z * h.e[s.at]
			h.y[s.at] = -v.z
			continue
		}
		v := &h.balls[h.index[k]]
		e := vec4(h.e[s.at : s.at+4])
		if n := math.Sqrt(e[1]*e[1] + e[2]*e[2] + e[3]*e[3]); e[0] < n-rounding*(1+n) {
			return math.Inf(1), value
		}
		gap += v.z.dot(&e)
		for i := range v.z {
			h.y[s.at+i] = -v.z[i]
		}
	}
	for k := range p.blocks {
		b, c := &p.blocks[k], &h.cells[k]
		r, slope := b.pull(h.y), b.slope(h.z)
		for i := range b.size {
			r[i] += b.weight * slope[i]
		}
		switch b.kind {
		case positive:
			r[0] -= c.low.z
			gap += c.low.z * h.z[b.at]
		case body:
			for i := range r {
				r[i] -= c.bound.z[i]
			}
			for _, d := range c.bound.d {
				gap += d * d
			}
		}
		value += b.weight * b.divergence(h.z)
		gap += b.short(b.dualSquare(h.z, &r))
	}
	return gap, value
}

// short bounds how far the least value of w·D − ⟨A, z⟩ lies below the one where
// its gradient is r, with rᵀ·(D″)⁻¹·r given.
func (b *block) short(square float64) float64 {
	if b.quad != nil {
		return square / b.weight / 2
	}
	delta := math.Sqrt(square) / b.weight
	switch {
	case !(delta < 1):
		return math.Inf(1)
	case delta < 1e-3: // ω(δ) loses its digits: the first terms of its series, and more
		return b.weight * delta * delta / 2 * (1 + delta)
	}
	return b.weight * (-delta - math.Log1p(-delta))
}

// dualSquare is rᵀ·(D″)⁻¹·r for the Hessian of the block's distance.
func (b *block) dualSquare(z []float64, r *[10]float64) float64 {
	part := b.part(z)
	if b.quad == nil {
		if b.kind == positive {
			return part[0] * part[0] * r[0] * r[0]
		}
		s, v := sym4(part), sym4(*r)
		x, f := s.matrix(), v.matrix()
		t := times44(&x, &f)
		sum := 0.0
		for i := range 4 {
			for j := range 4 {
				sum += t[i][j] * t[j][i]
			}
		}
		return sum
	}
	// rᵀ·(FᵀF)⁻¹·r = ‖F⁻ᵀ·r‖².
	n := b.size
	f, x := mat.NewDense(n, n, nil), mat.NewVecDense(n, append([]float64(nil), r[:n]...))
	for i := range n {
		f.SetRow(i, b.quad.f[i][:n])
	}
	var lu mat.LU
	lu.Factorize(f)
	if err := lu.SolveVecTo(x, true, x); err != nil {
		if _, ok := err.(mat.Condition); !ok || lu.Det() == 0 {
			return math.Inf(1)
		}
	}
	return mat.Dot(x, x)
}
