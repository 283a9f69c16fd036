package excite

import (
	"math/rand/v2"

	"ident/internal/lanes"
)

// searchSpace is the set of candidates: one block of variables a free joint, the
// first the offset of its position as a fraction of the half range, the others the
// coefficients of the basis functions as fractions of the top speed.
type searchSpace struct {
	axes   []axis
	basis  basis
	period float64
	limit  table     // basis functions at the entries that bound them
	times  []float64 // of the regressor's samples
	rows   table     // basis functions at times
	// If base is set, candidates are added to that motion and have no offset of their own.
	base     Motion
	baseRows [3][][]float64 // samples of base: [order][joint][sample]
	// Positions halfway between the samples, where distances are measured too: of the basis functions, [basis
	// function][sample], and of base, [joint][sample].
	halfway, baseHalfway [][]float64
	room                 []headroom // beside base, one per joint
	least                float64    // least fraction of its tightest limit that every joint uses
	vars                 int
}

// headroom is the distance of a given motion from a joint's limits, upward and
// downward, as fractions of the limits: [order][entry of the limit table].
type headroom struct{ up, down [4][]float64 }

func newSearchSpace(axes []axis, b basis, period float64, samples int, base Motion, least float64) *searchSpace {
	// Half a step off the ends: at rest the sign of the velocity, and with it that of
	// Coulomb friction, would be that of a rounding error.
	s := &searchSpace{axes: axes, basis: b, period: period, limit: b.limits(), times: steps(samples, period, 0.5), base: base, least: least}
	s.rows = tabulate(b, s.times, 1)
	s.halfway = tabulate(b, steps(samples, period, 0), 1).values[0]
	for i := range s.axes {
		if !s.axes[i].held {
			s.axes[i].at = s.vars
			s.vars += s.perJoint()
		}
	}
	if base != nil {
		for o := range s.baseRows {
			s.baseRows[o] = grid(len(axes), samples)
		}
		sampleAt(base, s.times, s.baseRows[0], s.baseRows[1], s.baseRows[2])
		s.baseHalfway = grid(len(axes), samples)
		sampleAt(base, steps(samples, period, 0), s.baseHalfway, grid(len(axes), samples), grid(len(axes), samples))
		s.fillHeadroom()
	}
	return s
}

// Least fraction of its tightest limit that every joint uses, without and with
// coupled constraints. A criterion with scaled columns accepts a joint that hardly
// moves, with a signal below the noise; a coupled constraint may forbid more.
const (
	leastUse        = 0.5
	leastUseCoupled = 0.02
)

// fillHeadroom measures the headroom beside the given motion. Where there is none, a
// small one keeps the limit map defined; the final check then finds the violation.
func (s *searchSpace) fillHeadroom() {
	const smallest = 1e-3
	n := len(s.axes)
	s.room = make([]headroom, n)
	now := [4][]float64{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for o := range s.limit.times {
		for i := range s.room {
			s.room[i].up[o], s.room[i].down[o] = make([]float64, len(s.limit.times[o])), make([]float64, len(s.limit.times[o]))
		}
		for k, t := range s.limit.times[o] {
			s.base.Eval(t, now[0], now[1], now[2])
			s.base.Jerk(t, now[3])
			for i := range s.axes {
				if ax := &s.axes[i]; !ax.held && ax.top(o) > 0 {
					x := now[o][i]
					if o == 0 {
						x -= ax.centre
					}
					x /= ax.top(o)
					s.room[i].up[o][k], s.room[i].down[o][k] = max(1-x, smallest), max(1+x, smallest)
				}
			}
		}
	}
}

// perJoint returns the number of variables of a free joint. With base set the first has
// no effect.
func (s *searchSpace) perJoint() int { return s.basis.size() + 1 }

// combine stores start + scale·Σ x[v]·functions[v] in dst, entry by entry.
func combine(dst []float64, functions [][]float64, x []float64, scale, start float64) {
	for k := range dst {
		dst[k] = start
	}
	var room [64]float64
	coef := append(room[:0], x[:len(functions)]...)
	for v := range coef {
		coef[v] *= scale
	}
	lanes.Combine(dst, coef, functions)
}

// trajectory returns the motion of a feasible point.
func (s *searchSpace) trajectory(z []float64) Motion {
	names, place, weight := make([]string, len(s.axes)), make([]float64, len(s.axes)), grid(len(s.axes), s.basis.size())
	still := true
	var start []float64
	if s.base != nil {
		start = make([]float64, len(s.axes))
		s.base.Eval(0, start, make([]float64, len(s.axes)), make([]float64, len(s.axes)))
		_, still = s.base.(*restMotion)
	}
	for i := range s.axes {
		ax := &s.axes[i]
		names[i] = ax.name
		if !ax.held {
			zi := z[ax.at : ax.at+s.perJoint()]
			place[i] = ax.half * zi[0]
			for v, x := range zi[1:] {
				weight[i][v] = ax.vel * x
			}
		}
		switch {
		case s.base == nil:
			place[i] += ax.centre
		case still:
			place[i] = start[i]
		default:
			place[i] = 0
		}
	}
	m := s.basis.motion(names, place, weight)
	if !still {
		return &Sum{s.base, m}
	}
	return m
}

// motion stores the samples of a feasible point's motion: [order][joint][sample].
func (s *searchSpace) motion(z []float64, motion *[3][][]float64) {
	for o := range motion {
		s.follow(motion[o], z, o, s.rows.values[o], s.baseRows[o])
	}
}

// between stores the positions of a feasible point's motion halfway between the samples, [joint][sample].
func (s *searchSpace) between(z []float64, positions [][]float64) {
	s.follow(positions, z, 0, s.halfway, s.baseHalfway)
}

// follow stores a derivative of the position, of the order o, from that of the basis functions, [basis function][sample], and
// of the base motion, [joint][sample].
func (s *searchSpace) follow(motion [][]float64, z []float64, o int, functions, base [][]float64) {
	for i := range s.axes {
		ax, dst, start := &s.axes[i], motion[i], 0.0
		if o == 0 && s.base == nil {
			start = ax.centre
		}
		if ax.held {
			combine(dst, nil, nil, 0, start)
		} else {
			if o == 0 && s.base == nil {
				start += ax.half * z[ax.at]
			}
			combine(dst, functions, z[ax.at+1:ax.at+s.perJoint()], ax.vel, start)
		}
		if s.base != nil {
			for k, x := range base[i] {
				dst[k] += x
			}
		}
	}
}

// pullback adds to grad the derivative by the variables, given the derivative by the
// samples of the motion, [order][joint][sample], and by the positions halfway between them where they count.
func (s *searchSpace) pullback(grad []float64, back *[3][][]float64, halfway [][]float64) {
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		gi := grad[ax.at : ax.at+s.perJoint()]
		add := func(back []float64, functions [][]float64, o int) {
			if o == 0 && s.base == nil {
				gi[0] += ax.half * lanes.Sum(back)
			}
			for v := range functions {
				gi[1+v] += ax.vel * inner(back, functions[v])
			}
		}
		for o := range back {
			add(back[o][i], s.rows.values[o], o)
		}
		if halfway != nil {
			add(halfway[i], s.halfway, 0)
		}
	}
}

// draw returns a random feasible point: for each joint random coefficients, scaled to
// its tightest limit, and a random offset within the rest of its range.
func (s *searchSpace) draw(rng *rand.Rand, g *limitMap) []float64 {
	z := make([]float64, s.vars)
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		zi := z[ax.at : ax.at+s.perJoint()]
		for v := range zi[1:] {
			zi[1+v] = rng.NormFloat64()
		}
		place := 2*rng.Float64() - 1
		lo, hi, worst := g.extent(i, zi[1:])
		size := worst
		if s.base == nil {
			size = max(worst, (hi-lo)/2)
		}
		for v := range zi[1:] {
			zi[1+v] /= size
		}
		if s.base == nil {
			zi[0] = -(lo+hi)/2/size + max(0, 1-(hi-lo)/2/size)*place
		}
	}
	return z
}
