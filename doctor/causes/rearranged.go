package causes

import (
	"math"
	"math/bits"
	"slices"
)

// exchangeStep is the evidence in nats that each further exchange or sign change must add before it is accepted.
const exchangeStep = 10.0

// rearranged returns the best arrangement of the torques by exchanges and signs together, found from some of the rows.
// It returns nil unless at least two changes are needed; a single one is a hypothesis of its own.
func (t *trial) rearranged() *hypothesis {
	n := len(t.joints)
	if n < 2 || n > manyJoints {
		return nil
	}
	from, signs := t.coarsely().arrangement()
	c := Cause{Kind: TorqueSign, Value: -1}
	turned := false
	cost := math.Log(float64(n))
	for e, k := range from {
		if signs[e] < 0 {
			turned = true
			cost += math.Log(float64(n))
		}
		if k != e || signs[e] < 0 {
			c.Joints = append(c.Joints, t.joints[e])
			c.Order = append(c.Order, t.joints[k])
			c.Signs = append(c.Signs, signs[e])
		}
		if k != e {
			c.Kind = TorqueOrder
			cost += math.Log(float64(n))
		}
	}
	if moved := len(c.Joints); moved < 2 || moved == 2 && !turned {
		return nil
	}
	h := t.refitted(c, t.design, t.arranged(from, signs), from, cost)
	h.rows = func(t *trial) changedRows { return changedRows{y: t.arranged(from, signs), gravity: 1} }
	t.witnessed(h)
	return h
}

// reweighings is the largest number of reweightings in the search.
const reweighings = 4

// arranged returns the torques in an arrangement.
func (t *trial) arranged(from []int, signs []float64) [][]float64 {
	y := make([][]float64, len(from))
	for e, k := range from {
		y[e] = scaled(signs[e], t.y[k])
	}
	return y
}

// arrangement returns the best arrangement, by fits without rows left out.
func (t *trial) arrangement() (from []int, signs []float64) {
	n := len(t.joints)
	from, signs = identity(n), slices.Repeat([]float64{1}, n)
	weights := t.factors.weights
	for range reweighings {
		a := t.arranging(weights)
		f, g := a.needed(a.best())
		if slices.Equal(f, identity(n)) { // no exchange is left: friction tells the signs
			g, _ = a.signs(f)
			f, g = a.needed(f, g)
		}
		if slices.Equal(f, from) && slices.Equal(g, signs) {
			break
		}
		from, signs = f, g
		// The weights of a wrong arrangement reflect its errors: take those of this one.
		y := t.arranged(from, signs)
		weights = weightsOf(t.within(t.design, y, t.factors.weights), y)
	}
	return from, signs
}

// arranging holds the sums of squares of torques for any arrangement.
type arranging struct {
	t        *trial
	n        int
	friction []float64   // by equation, see frictionEvidence
	gram     [][]float64 // by equation, of the residuals with each torque in each equation alone: torque of in equation e is e·n+of
}

// arranging prepares the search from a fit with weights.
func (t *trial) arranging(weights []float64) *arranging {
	n := len(t.joints)
	a := &arranging{t: t, n: n, friction: t.frictionEvidence()}
	none := make([]float64, len(t.rows))
	y := make(sides, n)
	for e := range y {
		y[e] = slices.Repeat([][]float64{none}, n*n)
		for of := range n {
			y[e][e*n+of] = t.y[of]
		}
	}
	s := t.together(t.design, weights)
	all := identity(n * n)
	for _, r := range s.leftOut(y, [folds]matrix{s.solve(s.project(y))}) {
		g := make([]float64, n*n*n*n)
		t.desk.work.Gram(g, n*n, all, r)
		for i := range n * n {
			for k := range i {
				g[i*n*n+k] = g[k*n*n+i]
			}
		}
		a.gram = append(a.gram, g)
	}
	return a
}

// best exchanges the torques of two equations, with the best signs of all, as long as that adds enough evidence.
func (a *arranging) best() (from []int, signs []float64) {
	from = identity(a.n)
	signs, most := a.signs(from)
	for changed := true; changed; {
		changed = false
		start := slices.Clone(from)
		for e := range a.n {
			for of := range e {
				next := slices.Clone(start)
				next[e], next[of] = next[of], next[e]
				if s, v := a.signs(next); v > most+exchangeStep {
					from, signs, most, changed = next, s, v-exchangeStep, true
				}
			}
		}
	}
	return from, signs
}

// needed undoes exchanges and signs that hardly lower the error: each must explain as much as it would have to as a
// single change.
func (a *arranging) needed(from []int, signs []float64) ([]int, []float64) {
	for {
		_, logs, squares := a.left(from, signs)
		var f []int
		var g []float64
		least := math.Inf(1)
		try := func(order []int, sign []float64) {
			_, l, s := a.left(order, sign)
			if lost := max(1-math.Exp((logs-l)/float64(a.n)), 1-squares/s); lost < min(needDiscrete, least) {
				f, g, least = order, sign, lost
			}
		}
		for e, k := range from {
			if signs[e] < 0 {
				s := slices.Clone(signs)
				s[e] = 1
				try(from, s)
			}
			if k == e {
				continue
			}
			order, s := slices.Clone(from), slices.Clone(signs)
			at := slices.Index(from, e)
			order[e], order[at] = e, k
			s[e], s[at] = s[at], s[e]
			try(order, s)
			s = slices.Clone(signs)
			s[e], s[at] = 1, 1
			try(order, s)
		}
		if f == nil {
			return from, signs
		}
		from, signs = f, g
	}
}

// left returns the evidence of an arrangement, in which equation e has the torque from[e], without the cost of its
// changes. It also returns the sum of the logarithms of the squared errors, and the sum of these errors.
func (a *arranging) left(from []int, signs []float64) (nats, logs, squares float64) {
	for e, k := range from {
		g := a.gram[e]
		sum := 0.0
		for x, i := range from {
			row := g[(x*a.n+i)*a.n*a.n:]
			for z, of := range from {
				sum += signs[x] * signs[z] * row[z*a.n+of]
			}
		}
		now := rms(a.t.left[k])
		l := math.Log(max(sum/float64(len(a.t.rows))/(now*now), 1e-12))
		nats -= a.t.neff[k] / 2 * l
		logs += l
		squares += sum
	}
	return nats, logs, squares
}

// signs returns the best signs of an arrangement and the evidence of the errors, without that of friction. Reversing all
// torques changes nothing for a free fit, but friction would then drive the joints, and that counts against the signs.
// For exchanged torques, friction is not known from a fit in the file's order; then the signs with fewer reversed torques
// are taken.
func (a *arranging) signs(from []int) (signs []float64, nats float64) {
	// The squared error of an equation is Σ sign·sign·product over the pairs of torques.
	products := make([][]float64, a.n)
	for e := range from {
		for x, i := range from {
			for z, of := range from {
				products[e] = append(products[e], a.gram[e][(x*a.n+i)*a.n*a.n+z*a.n+of])
			}
		}
	}
	unit := make([]float64, a.n)
	for e, k := range from {
		now := rms(a.t.left[k])
		unit[e] = 1 / (float64(len(a.t.rows)) * now * now)
	}
	// Torques without size have no valid evidence; reverse none.
	signs, nats = slices.Repeat([]float64{1}, a.n), math.Inf(-1)
	most := nats
	s := make([]float64, a.n)
	exchanged := !slices.Equal(from, identity(a.n))
	for pattern := range uint(1) << a.n {
		turned := bits.OnesCount(pattern)
		if turned == a.n || exchanged && 2*turned > a.n {
			continue
		}
		for e := range s {
			s[e] = 1 - 2*float64(pattern>>e&1)
		}
		v, driven := -exchangeStep*float64(turned), 0.0
		for e, f := range a.friction {
			if !exchanged && s[e]*f < 0 {
				driven += math.Abs(f)
			}
		}
		for e, k := range from {
			sum := 0.0
			for x, by := range s {
				row := products[e][x*a.n : (x+1)*a.n]
				half := row[x] / 2
				for z := x + 1; z < a.n; z++ {
					half += by * s[z] * row[z]
				}
				sum += 2 * half
			}
			v -= a.t.neff[k] / 2 * math.Log(max(sum*unit[e], 1e-12))
		}
		if v-driven > most {
			most, nats, signs = v-driven, v, slices.Clone(s)
		}
	}
	return signs, nats
}

// laterTimes is the number of times, evenly over the log, at which an exchange is tried first; each of the next searches has as many within
// a tenth of that.
const laterTimes = 19

// exchangedLater returns the best exchange of two torques from some time of the log on, nil if none is promising.
func (t *trial) exchangedLater() *hypothesis {
	n := len(t.joints)
	begin, end := t.rows[t.order.time[0]].t, t.rows[t.order.time[len(t.rows)-1]].t
	if n < 2 || !(end > begin) {
		return nil
	}
	var pairs [][2]int
	for x := range n {
		for y := x + 1; y < n && (n <= manyPairs || y == x+1); y++ {
			pairs = append(pairs, [2]int{x, y})
		}
	}
	torques := func(u *trial, p [2]int, from float64) [][]float64 {
		out := slices.Clone(u.y)
		a, b := slices.Clone(u.y[p[0]]), slices.Clone(u.y[p[1]])
		for k, r := range u.rows {
			if (r.t-begin)/(end-begin) >= from {
				a[k], b[k] = b[k], a[k]
			}
		}
		out[p[0]], out[p[1]] = a, b
		return out
	}
	at := func(i int) float64 { return float64(i+1) / (laterTimes + 1) }
	c := t.coarsely()
	score := c.scan(len(pairs)*laterTimes, func(i int) [][]float64 { return torques(c, pairs[i/laterTimes], at(i%laterTimes)) })
	best := slices.Index(score, slices.Max(score))
	cost := math.Log(float64(len(score)))
	pair, from := pairs[best/laterTimes], at(best%laterTimes)
	first := c.tried(&refit{cost: cost, torques: func([][]float64) [][]float64 { return torques(c, pair, from) }}, c.design)
	if !first.promising() {
		return nil
	}
	for step := at(0) / 10; step > finest/2; step /= 10 {
		near := func(i int) float64 { return from + step*float64(i-laterTimes/2) }
		score := t.scan(laterTimes, func(i int) [][]float64 { return torques(t, pair, near(i)) })
		from = near(slices.Index(score, slices.Max(score)))
	}
	if from < edge || from > 1-edge {
		return nil // that of the whole log
	}
	return t.refitted(Cause{Kind: TorqueOrder, Joints: []int{t.joints[pair[0]], t.joints[pair[1]]}, Value: from}, t.design, torques(t, pair, from), nil, cost)
}
