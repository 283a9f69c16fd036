package excite

import (
	"math"
	"slices"

	"ident/internal/lanes"
)

// limitMap maps unconstrained variables onto motions within the joints' limits.
type limitMap struct {
	s             *searchSpace
	part          [4][]float64   // one joint's motion as fractions of its limits: [order][entry]
	dSize, dRange []float64      // derivatives of the norms size and reach by the coefficients
	tops          [4][]float64   // the largest absolute entries of blocks of part
	last          []normedMotion // of every joint, by feasible
}

// normedMotion is a joint's motion as fractions of its limits, with their norms of order p.
type normedMotion struct {
	p           int
	coef        []float64
	part        [4][]float64
	size, reach float64
}

func newLimitMap(s *searchSpace) *limitMap {
	n := s.perJoint() - 1
	g := &limitMap{s: s, dSize: make([]float64, n), dRange: make([]float64, n)}
	for o := range g.part {
		g.part[o] = make([]float64, len(s.limit.times[o]))
	}
	g.last = make([]normedMotion, len(s.axes))
	for i := range g.last {
		g.last[i].coef = make([]float64, n)
		for o := range g.part {
			g.last[i].part[o] = make([]float64, len(g.part[o]))
		}
	}
	return g
}

// blockEntries is the number of entries of a motion that norms leave out together where all are small: a tenth of a motion
// comes near its limits.
const blockEntries = 16

// keep remembers the motion of joint i for a pullback at the same point.
func (g *limitMap) keep(i int, coef []float64, p int, size, reach float64) {
	m := &g.last[i]
	m.p, m.size, m.reach = p, size, reach
	copy(m.coef, coef)
	for o := range g.part {
		copy(m.part[o], g.part[o])
	}
}

// normsAgain is norms, of the motion kept where that is the same.
func (g *limitMap) normsAgain(i int, coef []float64, p int) (size, reach float64) {
	m := &g.last[i]
	if m.p != p || !slices.Equal(m.coef, coef) {
		return g.norms(i, coef, p)
	}
	for o := range g.part {
		copy(g.part[o], m.part[o])
	}
	return m.size, m.reach
}

// gain returns the factor l of a motion of size ρ, and its derivative by ρ: the size
// becomes l·ρ = least + (1 - least)·ρ²/√(1 + ρ⁴). Most joints of a good motion are at a limit, and this comes within a
// hundredth of it at ρ = 2.7, where ρ²/(1 + ρ²) needs 10: on so long a way the curvature by the shape falls as 1/ρ²,
// and a descent learns it anew.
func gain(rho, least float64) (l, dl float64) {
	root := math.Sqrt(1 + rho*rho*rho*rho)
	l = (least + (1-least)*rho*rho/root) / rho
	return l, ((1-least)*2*rho/(root*root*root) - l) / rho
}

// feasible stores in y the feasible point of the variables z, joint by joint. With ρ
// the p-norm of the motion as fractions of its limits at the entries that bound it,
// which is at least their maximum, the coefficients are multiplied by gain(ρ); the
// offset then is
//
//	(1 - π)·z₀/√(1 + z₀²)
//
// where π ≤ 1 is the p-norm of the resulting positions, so that offset and motion
// together stay in the range. Above a given motion the fractions are of its headroom,
// and there is no offset. p is a power of two. y may be z.
func (g *limitMap) feasible(y, z []float64, p int) {
	for i := range g.s.axes {
		ax := &g.s.axes[i]
		if ax.held {
			continue
		}
		zi, yi := z[ax.at:ax.at+g.s.perJoint()], y[ax.at:ax.at+g.s.perJoint()]
		size, reach := g.norms(i, zi[1:], p)
		g.keep(i, zi[1:], p, size, reach)
		l, _ := gain(size, g.s.least)
		if g.s.base == nil {
			yi[0] = (1 - l*reach) * zi[0] / math.Sqrt(1+zi[0]*zi[0])
		} else {
			yi[0] = 0
		}
		for v := 1; v < len(zi); v++ {
			yi[v] = zi[v] * l
		}
	}
}

// fractions computes joint i's motion with the given coefficients as fractions of
// its limits.
func (g *limitMap) fractions(i int, coef []float64) {
	ax := &g.s.axes[i]
	for o := range g.part {
		if top := ax.top(o); top > 0 {
			combine(g.part[o], g.s.limit.values[o], coef, ax.vel/top, 0)
			if g.s.base != nil {
				up, down := g.s.room[i].up[o], g.s.room[i].down[o]
				for k, x := range g.part[o] {
					if x > 0 {
						g.part[o][k] = x / up[k]
					} else {
						g.part[o][k] = x / down[k]
					}
				}
			}
		}
	}
}

// extent returns the extreme positions of a motion as fractions of the half range
// and the largest of its other fractions; above a given motion, positions count
// among these.
func (g *limitMap) extent(i int, coef []float64) (lo, hi, worst float64) {
	g.fractions(i, coef)
	for o, sig := range g.part {
		if g.s.axes[i].top(o) == 0 {
			continue
		}
		for _, x := range sig {
			if o == 0 {
				lo, hi = min(lo, x), max(hi, x)
			} else {
				worst = max(worst, math.Abs(x))
			}
		}
	}
	if g.s.base != nil {
		worst = max(worst, hi, -lo)
	}
	return lo, hi, worst
}

// norms computes the fractions and returns their p-norm, size, and that of the
// positions alone, reach. Powers are taken of ratios to the largest, which cannot
// overflow.
func (g *limitMap) norms(i int, coef []float64, p int) (size, reach float64) {
	g.fractions(i, coef)
	largest := func(o int) (m float64) {
		tops := g.tops[o][:0]
		for sig := g.part[o]; len(sig) > 0; sig = sig[min(len(sig), blockEntries):] {
			tops = append(tops, lanes.MaxAbs(sig[:min(len(sig), blockEntries)]))
		}
		g.tops[o] = tops
		return lanes.MaxAbs(tops)
	}
	sum := func(o int, unit float64) (t float64) {
		least, inverse := unit*negligible(p), 1/unit
		for b, top := range g.tops[o] {
			if top < least {
				continue
			}
			from := b * blockEntries
			for _, v := range g.part[o][from:min(from+blockEntries, len(g.part[o]))] {
				if math.Abs(v) >= least {
					t += power(v*inverse, p)
				}
			}
		}
		return t
	}
	// The smallest normal number keeps zero coefficients from dividing by zero.
	const tiny = 0x1p-1022
	far := max(largest(0), tiny)
	unit := far
	for o := 1; o < len(g.part); o++ {
		if g.s.axes[i].top(o) > 0 {
			unit = max(unit, largest(o))
		}
	}
	reach = far * math.Pow(sum(0, far), 1/float64(p))
	total := power(reach/unit, p)
	for o := 1; o < len(g.part); o++ {
		if g.s.axes[i].top(o) > 0 {
			total += sum(o, unit)
		}
	}
	return unit * math.Pow(total, 1/float64(p)), reach
}

// pullback turns the gradient by the feasible point into that by the variables z, in
// place.
func (g *limitMap) pullback(grad, z []float64, p int) {
	s := g.s
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		zi, gi := z[ax.at:ax.at+s.perJoint()], grad[ax.at:ax.at+s.perJoint()]
		coef, by := zi[1:], gi[1:]
		size, reach := g.normsAgain(i, coef, p)
		l, dl := gain(size, s.least)
		// ∂‖r‖ = Σ (rₖ/‖r‖)^(p-1) ∂rₖ
		r := oddPower(reach/size, p)
		clear(g.dSize)
		for o := range g.part {
			top := ax.top(o)
			if top == 0 {
				continue
			}
			norm := size
			if o == 0 {
				norm = reach
			}
			least, inverse := norm*negligible(p), 1/norm
			for k, x := range g.part[o] {
				if math.Abs(x) < least {
					g.part[o][k] = 0
					continue
				}
				y := oddPower(x*inverse, p)
				if s.base != nil {
					if x > 0 {
						y /= s.room[i].up[o][k]
					} else {
						y /= s.room[i].down[o][k]
					}
				}
				g.part[o][k] = y
			}
			for v := range coef {
				d := ax.vel / top * inner(g.part[o], s.limit.values[o][v])
				if o == 0 {
					g.dRange[v] = d
					d *= r
				}
				g.dSize[v] += d
			}
		}
		place, root := 0.0, math.Sqrt(1+zi[0]*zi[0])
		if s.base == nil {
			place = gi[0] * zi[0] / root
			gi[0] *= (1 - l*reach) / (root * root * root)
		} else {
			gi[0] = 0
		}
		along := inner(by, coef)
		for v := range coef {
			by[v] = l*by[v] + dl*(along-place*reach)*g.dSize[v] - place*l*g.dRange[v]
		}
	}
}

// negligible returns the ratio to the largest entry below which an entry's power of order p, or of the order before, is
// no more than 2⁻⁶⁰ of the largest: sums of some hundred have larger roundings.
func negligible(p int) float64 { return math.Exp2(-60 / float64(max(p-1, 1))) }

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
