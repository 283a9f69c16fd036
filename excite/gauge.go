package excite

import "math"

// gauger carries variables into the limits.
type gauger struct {
	s             *space
	pos, vel, acc []float64
	dSize, dRange []float64
}

func newGauger(s *space) *gauger {
	k := s.limit.samples
	n := s.perJoint() - 1
	return &gauger{s, make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, n), make([]float64, n)}
}

// least is the part of its tightest limit that every joint uses at least. The
// criterion alone would not mind a joint that hardly moves: its columns are
// scaled. The noise would.
const least = 0.5

// gain returns what a shape of size ρ is multiplied by, and its derivative by
// ρ: the size becomes least + (1 - least)·ρ²/(1 + ρ²).
func gain(rho float64) (l, dl float64) {
	num, den := least+rho*rho, rho+rho*rho*rho
	return num / den, (2*rho*den - num*(1+3*rho*rho)) / (den * den)
}

// inside stores in y the feasible point that the variables z stand for, joint
// by joint. With ρ the p-norm of the shape's motion as fractions of its limits
// at the grid's points, bound between them included, which is at least their
// maximum, the shape is multiplied by gain(ρ); its place then is
//
//	(1 - π)·z₀/√(1 + z₀²)
//
// where π ≤ 1 is the p-norm of the positions that came out, so that place and
// shape together stay in the range. p is a power of two. y may be z.
func (g *gauger) inside(y, z []float64, p int) {
	for i := range g.s.axes {
		ax := &g.s.axes[i]
		if ax.held {
			continue
		}
		zi, yi := z[ax.at:ax.at+g.s.perJoint()], y[ax.at:ax.at+g.s.perJoint()]
		size, reach := g.norms(ax, zi[1:], p)
		l, _ := gain(size)
		yi[0] = (1 - l*reach) * zi[0] / math.Sqrt(1+zi[0]*zi[0])
		for v := 1; v < len(zi); v++ {
			yi[v] = zi[v] * l
		}
	}
}

// norms fills the motion of a joint's shape as fractions of its limits and
// returns its p-norm, and that of the position alone. Powers are taken of
// ratios to the largest, which cannot overflow.
func (g *gauger) norms(ax *axis, shape []float64, p int) (size, reach float64) {
	s := g.s
	combine(g.pos, s.limit.pos, shape, s.factor*ax.vel/ax.half, 0)
	combine(g.vel, s.limit.vel, shape, s.factor, 0)
	combine(g.acc, s.limit.acc, shape, s.factor*ax.vel/ax.acc, 0)
	largest := func(sig []float64) (m float64) {
		for _, v := range sig {
			m = max(m, math.Abs(v))
		}
		return m
	}
	sum := func(sig []float64, unit float64) (t float64) {
		for _, v := range sig {
			t += power(v/unit, p)
		}
		return t
	}
	// The smallest normal number keeps a shape of zeros from dividing by zero.
	const tiny = 0x1p-1022
	far := max(largest(g.pos), tiny)
	unit := max(far, largest(g.vel), largest(g.acc))
	reach = far * math.Pow(sum(g.pos, far), 1/float64(p))
	size = unit * math.Pow(power(reach/unit, p)+sum(g.vel, unit)+sum(g.acc, unit), 1/float64(p))
	return size, reach
}

// pull turns the gradient by the feasible point into that by the variables, in
// place.
func (g *gauger) pull(grad, z []float64, p int) {
	s := g.s
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		zi, gi := z[ax.at:ax.at+s.perJoint()], grad[ax.at:ax.at+s.perJoint()]
		shape, by := zi[1:], gi[1:]
		size, reach := g.norms(ax, shape, p)
		l, dl := gain(size)
		// ∂‖r‖ = Σ (rₖ/‖r‖)^(p-1) ∂rₖ
		r := reach / size
		for k := range g.pos {
			g.pos[k], g.vel[k], g.acc[k] = oddPower(g.pos[k]/reach, p), oddPower(g.vel[k]/size, p), oddPower(g.acc[k]/size, p)
		}
		for v := range shape {
			g.dRange[v] = s.factor * ax.vel / ax.half * inner(g.pos, s.limit.pos[v])
			g.dSize[v] = oddPower(r, p)*g.dRange[v] + s.factor*(inner(g.vel, s.limit.vel[v])+ax.vel/ax.acc*inner(g.acc, s.limit.acc[v]))
		}
		root := math.Sqrt(1 + zi[0]*zi[0])
		place := gi[0] * zi[0] / root
		along := inner(by, shape)
		for v := range shape {
			by[v] = l*by[v] + dl*(along-place*reach)*g.dSize[v] - place*l*g.dRange[v]
		}
		gi[0] *= (1 - l*reach) / (root * root * root)
	}
}

// power returns xᵖ for a power of two p.
func power(x float64, p int) float64 {
	for ; p > 1; p /= 2 {
		x *= x
	}
	return x
}

// oddPower returns xᵖ⁻¹ for a power of two p: x·x²·x⁴·…
func oddPower(x float64, p int) float64 {
	y := 1.0
	for ; p > 1; p /= 2 {
		y *= x
		x *= x
	}
	return y
}
