package excite

import "math"

// gauger measures candidates against the limits.
type gauger struct {
	s             *space
	pos, vel, acc []float64
}

func newGauger(s *space) *gauger {
	k := s.limit.samples
	return &gauger{s, make([]float64, k), make([]float64, k), make([]float64, k)}
}

// use fills the motion of one joint as fractions of its limits, the factor for
// what lies between the samples included, and returns the largest.
func (g *gauger) use(ax *axis, zi []float64) float64 {
	s := g.s
	combine(g.pos, s.limit.pos, zi[1:], s.factor*ax.vel/ax.half, s.factor*zi[0])
	combine(g.vel, s.limit.vel, zi[1:], s.factor, 0)
	combine(g.acc, s.limit.acc, zi[1:], s.factor*ax.vel/ax.acc, 0)
	worst := 0.0
	for _, sig := range [][]float64{g.pos, g.vel, g.acc} {
		for _, v := range sig {
			worst = max(worst, math.Abs(v))
		}
	}
	return worst
}

// inside stores in y the feasible point that the variables z stand for,
//
//	y = z/g(z),  g(z) = (1 + Σ |rₖ|ᵖ)^(1/p)
//
// joint by joint, with rₖ the fractions of the limits at the grid's points.
// Since g is above every |rₖ|, y is inside; where z is well inside, y is z.
// p is a power of two.
func (g *gauger) inside(y, z []float64, p int) {
	for i := range g.s.axes {
		ax := &g.s.axes[i]
		if ax.held {
			continue
		}
		zi := z[ax.at : ax.at+g.s.perJoint()]
		norm := g.norm(g.use(ax, zi), p)
		for v := range zi {
			y[ax.at+v] = zi[v] / norm
		}
	}
}

// norm returns g for the fractions in the gauger, the largest of which is
// worst. Powers are taken of ratios to the largest, which cannot overflow.
func (g *gauger) norm(worst float64, p int) float64 {
	unit := max(worst, 1)
	sum := power(1/unit, p)
	for _, sig := range [][]float64{g.pos, g.vel, g.acc} {
		for _, v := range sig {
			sum += power(v/unit, p)
		}
	}
	return unit * math.Pow(sum, 1/float64(p))
}

// pull turns the gradient by the feasible point into that by the variables, in
// place.
func (g *gauger) pull(grad, z []float64, p int) {
	s := g.s
	dg := make([]float64, s.perJoint())
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		zi := z[ax.at : ax.at+s.perJoint()]
		gi := grad[ax.at : ax.at+s.perJoint()]
		norm := g.norm(g.use(ax, zi), p)
		// ∂g = Σ (rₖ/g)^(p-1) ∂rₖ
		clear(dg)
		for k := range g.pos {
			wp, wv, wa := oddPower(g.pos[k]/norm, p), oddPower(g.vel[k]/norm, p), oddPower(g.acc[k]/norm, p)
			dg[0] += wp * s.factor
			wp *= s.factor * ax.vel / ax.half
			wv *= s.factor
			wa *= s.factor * ax.vel / ax.acc
			for v := range s.limit.pos {
				dg[1+v] += wp*s.limit.pos[v][k] + wv*s.limit.vel[v][k] + wa*s.limit.acc[v][k]
			}
		}
		along := 0.0
		for v := range zi {
			along += gi[v] * zi[v]
		}
		for v := range zi {
			gi[v] = gi[v]/norm - along*dg[v]/(norm*norm)
		}
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
