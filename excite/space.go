package excite

import (
	"math/rand/v2"
)

// space is the set of candidates: one block of variables a free joint, the
// first its place as a fraction of the half range, the others the weights of
// its shapes as fractions of the top speed.
type space struct {
	axes   []axis
	basis  basis
	period float64
	limit  table     // where the limits are measured
	times  []float64 // where the regressor is evaluated
	rows   table
	// A motion on top of a given one has no place of its own: base holds the
	// given one, baseRows its samples, [order][joint][sample], and room what it
	// leaves of the limits.
	base     Motion
	baseRows [3][][]float64
	room     []room
	least    float64 // part of its tightest limit that every joint uses at least
	vars     int
}

// room is what a given motion leaves of a joint's limits in either direction,
// as fractions of the limits, at the entries of the space's limit table.
type room struct{ up, down [4][]float64 }

func newSpace(axes []axis, b basis, period float64, samples int, base Motion) *space {
	// Half a step off the ends: at rest the sign of the velocity, and with it
	// Coulomb friction, would be that of a rounding error.
	s := &space{axes: axes, basis: b, period: period, limit: b.limits(), times: steps(samples, period, 0.5), base: base, least: leastUse}
	s.rows = tabulate(b, s.times, 1)
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
		s.leave()
	}
	return s
}

// leastUse is the part of its tightest limit that every joint uses at least, where
// joints' own limits are all there is. The criterion alone would not mind a
// joint that hardly moves: its columns are scaled. The noise would.
const leastUse = 0.5

// leave fills the room that the given motion leaves. Where it leaves none, a
// small one keeps the map from shapes to motions defined; the final check tells.
func (s *space) leave() {
	const smallest = 1e-3
	n := len(s.axes)
	s.room = make([]room, n)
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

// perJoint is the number of variables of a free joint. Without a place of its
// own the first has no effect.
func (s *space) perJoint() int { return s.basis.size() + 1 }

// combine stores the sum of the shapes weighted by x times scale.
func combine(dst []float64, shapes [][]float64, x []float64, scale, start float64) {
	for k := range dst {
		dst[k] = start
	}
	for v, b := range shapes {
		w := x[v] * scale
		for k, y := range b {
			dst[k] += w * y
		}
	}
}

// trajectory returns the motion of feasible variables.
func (s *space) trajectory(z []float64) Motion {
	names, place, weight := make([]string, len(s.axes)), make([]float64, len(s.axes)), grid(len(s.axes), s.basis.size())
	still := true
	var start []float64
	if s.base != nil {
		start = make([]float64, len(s.axes))
		s.base.Eval(0, start, make([]float64, len(s.axes)), make([]float64, len(s.axes)))
		_, still = s.base.(*rest)
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

// motion fills the samples of the regressor's grid.
func (s *space) motion(z []float64, motion *[3][][]float64) {
	for i := range s.axes {
		ax := &s.axes[i]
		for o := range motion {
			dst := motion[o][i]
			if !ax.held {
				start := 0.0
				if o == 0 && s.base == nil {
					start = ax.centre + ax.half*z[ax.at]
				}
				combine(dst, s.rows.values[o], z[ax.at+1:ax.at+s.perJoint()], ax.vel, start)
			} else {
				start := 0.0
				if o == 0 && s.base == nil {
					start = ax.centre
				}
				combine(dst, nil, nil, 0, start)
			}
			if s.base != nil {
				for k, x := range s.baseRows[o][i] {
					dst[k] += x
				}
			}
		}
	}
}

// pullback adds to grad the derivative by the variables, given that by the
// samples of the motion.
func (s *space) pullback(grad []float64, back *[3][][]float64) {
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		gi := grad[ax.at : ax.at+s.perJoint()]
		if s.base == nil {
			for _, d := range back[0][i] {
				gi[0] += ax.half * d
			}
		}
		for v := range s.rows.values[0] {
			for o := range back {
				gi[1+v] += ax.vel * inner(back[o][i], s.rows.values[o][v])
			}
		}
	}
}

// draw returns a random candidate: a random shape for each joint as large as
// its tightest limit allows, at a random place in what is left of its range.
func (s *space) draw(rng *rand.Rand, g *gauger) []float64 {
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
		gauge := worst
		if s.base == nil {
			gauge = max(worst, (hi-lo)/2)
		}
		for v := range zi[1:] {
			zi[1+v] /= gauge
		}
		if s.base == nil {
			zi[0] = -(lo+hi)/2/gauge + max(0, 1-(hi-lo)/2/gauge)*place
		}
	}
	return z
}
