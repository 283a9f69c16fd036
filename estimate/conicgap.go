package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// gap bounds by how much the objective at the present point, its value,
// exceeds its minimum. With duals Z and λ and forces y, whatever they are, the
// minimum is no less than that over all z, without constraints, of
//
//	yᵀ·e − ½·yᵀ·(RᵀR)⁻¹·y + Σ w·D − ⟨Z, X − εI⟩ − λᵀ(S·z + s₀),   e = C·z + offset
//
// and at z this is less than f by ½‖R·(e − (RᵀR)⁻¹·y)‖² and the products. What is minimised on the right is, divided by the least weight w of a prior,
// self-concordant, and where its gradient at z is r, its minimum is no further
// below than w·ω(δ), ω(δ) = −δ − log(1 − δ), δ² = rᵀ·H⁻¹·r/w, with
// the Hessian H of the prior's part, block by block (Nesterov and Nemirovskii 1994).
func (h *interior) gap() (gap, value float64) {
	p := h.p
	copy(h.miss, h.e)
	value = p.force(h.rhs, h.miss)
	p.lessCovariance(h.miss, h.y)
	gap = p.force(h.rhs, h.miss)
	for k, s := range p.sides {
		if s.size == 1 {
			v := &h.plain[h.index[k]]
			if h.e[s.at] < 0 {
				return math.Inf(1), value
			}
			gap += v.z * h.e[s.at]
			h.y[s.at] = -v.z
			continue
		}
		v := &h.balls[h.index[k]]
		e := vec4(h.e[s.at : s.at+4])
		if !e.inside() {
			return math.Inf(1), value
		}
		gap += v.z.dot(&e)
		for i := range v.z {
			h.y[s.at+i] = -v.z[i]
		}
	}
	square, least := 0.0, math.Inf(1)
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
		square += b.dualSquare(h.z, &r) / b.weight
		least = min(least, b.weight)
	}
	delta := math.Sqrt(square / least)
	if !(delta < 1) {
		return math.Inf(1), value
	}
	// −δ − log(1−δ) loses its digits where δ is small: its series there.
	omega := delta * delta / 2
	if delta > 1e-3 {
		omega = -delta - math.Log1p(-delta)
	} else {
		omega *= 1 + delta
	}
	return gap + least*omega, value
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
