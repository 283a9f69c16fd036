package baseparams

import (
	"slices"

	"ident/regressor"
	"ident/robot"
)

// ring is the arithmetic that the rules need, on numbers or on expressions.
type ring[T any] interface {
	Int(n int) T
	// Float returns x, or false if x is none of the numbers that the ring has.
	Float(x float64) (T, bool)
	Add(a, b T) T
	Neg(a T) T
	Mul(a, b T) T
	Div(a, b T) T
	Zero(a T) bool
	// Spent returns a measure of the work done, or 0 if no amount of work is too much.
	Spent() int
}

// budget is the number of terms that the rules may handle with expressions, a fraction of a second's work. Right angles
// between axes need some tens of thousands even for eighty links; with a symbol for every angle each link adds a factor,
// and relations of a million characters are useless.
const budget = 100_000

// entry is a standard parameter with its coefficient.
type entry[T any] struct {
	col  int
	coef T
}

// regrouping applies the rules of Gautier, Khalil and Bennis. Each column holds the combination of standard parameters
// regrouped onto it; an eliminated column holds nothing.
type regrouping[T any] struct {
	ring[T]
	value func(T) float64
	held  [][]entry[T]
	onto  [][]entry[T] // per eliminated column, the columns whose combination it is
	gone  []bool
	first []int // per link, column of XX, -1 for none
	ia    []int // per link, column of its own rotor inertia, -1 for none
	a     [][3][3]T
	p     [][3]T
}

func newRegrouping[T any](f ring[T], value func(T) float64, cols []regressor.Column, links int) *regrouping[T] {
	g := &regrouping[T]{ring: f, value: value, held: make([][]entry[T], len(cols)), onto: make([][]entry[T], len(cols)), gone: make([]bool, len(cols)),
		first: slices.Repeat([]int{-1}, links), ia: slices.Repeat([]int{-1}, links), a: make([][3][3]T, links), p: make([][3]T, links)}
	for c, col := range cols {
		g.held[c] = []entry[T]{{c, f.Int(1)}}
		switch {
		case col.Term == regressor.Links && col.Param == robot.XX:
			g.first[col.Link] = c
		case col.Term == regressor.Ia && col.Drive == 0:
			g.ia[col.Link] = c
		}
	}
	return g
}

// drop removes a parameter without effect.
func (g *regrouping[T]) drop(c int) { g.held[c], g.gone[c] = nil, true }

// add regroups the combination of column c, times coef, onto column to.
func (g *regrouping[T]) add(to, c int, coef T) {
	if g.Zero(coef) {
		return
	}
	g.onto[c] = append(g.onto[c], entry[T]{to, coef})
	old, more := g.held[to], g.held[c]
	out := make([]entry[T], 0, len(old)+len(more))
	i := 0
	for _, m := range more {
		for i < len(old) && old[i].col < m.col {
			out = append(out, old[i])
			i++
		}
		v := g.Mul(coef, m.coef)
		if i < len(old) && old[i].col == m.col {
			v = g.Add(old[i].coef, v)
			i++
		}
		if !g.Zero(v) {
			out = append(out, entry[T]{m.col, v})
		}
	}
	g.held[to] = append(out, old[i:]...)
}

// run applies the rules from the last link to the first. If the budget is exceeded, it gives up and returns false.
func (g *regrouping[T]) run(links []shape) bool {
	for j := len(links) - 1; j >= 0; j-- {
		if g.Spent() > budget {
			return false
		}
		s := &links[j]
		if g.first[j] >= 0 {
			g.link(j, s, links)
			g.rotor(j, s)
		}
	}
	return true
}

// link applies the rules to the ten parameters of link j.
func (g *regrouping[T]) link(j int, s *shape, links []shape) {
	col := func(p int) int { return g.first[j] + p }
	switch s.kind {
	case robot.Fixed:
		for p := range robot.NumInertial {
			g.toAntecedent(j, s.ant, p)
		}
		return
	case robot.Prismatic:
		for p := robot.XX; p <= robot.ZZ; p++ {
			g.toAntecedent(j, s.ant, p)
		}
	default:
		g.add(col(robot.XX), col(robot.YY), g.Int(-1))
		g.shaft(j, s.ant)
		g.toAntecedent(j, s.ant, robot.MZ)
		g.toAntecedent(j, s.ant, robot.M)
	}
	switch {
	case s.first < 0:
		g.drop(col(robot.MX))
		g.drop(col(robot.MY))
		g.drop(col(robot.MZ))
	case !s.before:
	case s.kind == robot.Revolute:
		for _, p := range []int{robot.XX, robot.XY, robot.XZ, robot.YZ} {
			g.drop(col(p))
		}
		if s.straight {
			g.drop(col(robot.MX))
			g.drop(col(robot.MY))
		}
	case s.along:
		g.slideAlong(j, s)
	default:
		g.slideAcross(j, s, links)
	}
}

// rotor regroups the rotor inertia if it turns with the link.
func (g *regrouping[T]) rotor(j int, s *shape) {
	c := g.ia[j]
	switch {
	case c < 0:
		return
	case s.kind == robot.Revolute && (s.first == j || s.second && s.square):
		g.add(g.first[j]+robot.ZZ, c, g.Int(1))
	case s.kind == robot.Prismatic && s.base && s.level:
		g.add(g.first[j]+robot.M, c, g.Int(1))
	default:
		return
	}
	g.drop(c)
}

var tensor = [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}

// toAntecedent transforms a parameter to the antecedent's frame: column p of the matrix λ. Onto the base, it vanishes.
func (g *regrouping[T]) toAntecedent(j, i, p int) {
	c := g.first[j] + p
	if i >= 0 {
		a, o := &g.a[j], &g.p[j]
		switch {
		case p <= robot.ZZ:
			for q, x := range g.turned(a, p) {
				g.add(g.first[i]+q, c, x)
			}
		case p == robot.M:
			g.addMoment(i, c, [3]T{}, *o, true)
		default:
			k := p - robot.MX
			g.addMoment(i, c, [3]T{a[0][k], a[1][k], a[2][k]}, *o, false)
		}
	}
	g.drop(c)
}

// turned returns a unit of the p-th entry of an inertia matrix in another frame, a being its orientation there.
func (g *regrouping[T]) turned(a *[3][3]T, p int) [6]T {
	var out [6]T
	u, v := tensor[p][0], tensor[p][1]
	for q, t := range tensor {
		out[q] = g.Mul(a[t[0]][u], a[t[1]][v])
		if u != v {
			out[q] = g.Add(out[q], g.Mul(a[t[0]][v], a[t[1]][u]))
		}
	}
	return out
}

// addMoment adds a first moment m at o, or a mass at o: m gives J = 2(o·m)I - o·mᵀ - m·oᵀ and MS = m; a mass gives |o|²I
// - o·oᵀ, o and 1.
func (g *regrouping[T]) addMoment(i, c int, m, o [3]T, mass bool) {
	if mass {
		m = o
	}
	trace := g.Int(0)
	for k := range 3 {
		trace = g.Add(trace, g.Mul(o[k], m[k]))
	}
	for q, t := range tensor {
		x := g.Neg(g.Mul(o[t[0]], m[t[1]]))
		if !mass {
			x = g.Add(x, g.Neg(g.Mul(m[t[0]], o[t[1]])))
		}
		if t[0] == t[1] {
			x = g.Add(x, trace)
			if !mass {
				x = g.Add(x, trace)
			}
		}
		g.add(g.first[i]+q, c, x)
	}
	for k := range 3 {
		g.add(g.first[i]+robot.MX+k, c, m[k])
	}
	if mass {
		g.add(g.first[i]+robot.M, c, g.Int(1))
	}
}

// shaft moves YY of a revolute link: with XX = YY the inertia is the same from every angle, I - a·aᵀ in the antecedent's
// frame with a the joint's axis there.
func (g *regrouping[T]) shaft(j, i int) {
	c := g.first[j] + robot.YY
	if i >= 0 {
		for q, t := range tensor {
			x := g.Neg(g.Mul(g.a[j][t[0]][2], g.a[j][t[1]][2]))
			if t[0] == t[1] {
				x = g.Add(x, g.Int(1))
			}
			g.add(g.first[i]+q, c, x)
		}
	}
	g.drop(c)
}

// slideAlong handles a prismatic joint along the only direction about which the link turns: MZ has no effect, MX and MY
// move to the antecedent's first moments and to the inertia ZZ of the link that turns.
func (g *regrouping[T]) slideAlong(j int, s *shape) {
	a, o := &g.a[j], &g.p[j]
	for k := range 2 {
		c := g.first[j] + robot.MX + k
		arm := g.Int(0)
		for u := range 3 {
			g.add(g.first[s.ant]+robot.MX+u, c, a[u][k])
			arm = g.Add(arm, g.Mul(a[u][k], o[u]))
		}
		g.add(g.first[s.last]+robot.ZZ, c, g.Mul(g.Int(2), arm))
		g.drop(c)
	}
	g.drop(g.first[j] + robot.MZ)
}

// slideAcross handles a prismatic joint across the direction about which the link turns: the part of MS along that
// direction has no effect.
func (g *regrouping[T]) slideAcross(j int, s *shape, links []shape) {
	// The axis of r1 in this frame; joints between turn about it or slide.
	axis := [3]T{g.Int(0), g.Int(0), g.Int(1)}
	var path []int
	for k := j; k != s.first; k = links[k].ant {
		path = append(path, k)
	}
	for _, k := range slices.Backward(path) {
		var v [3]T
		for u := range 3 {
			v[u] = g.Int(0)
			for w := range 3 {
				v[u] = g.Add(v[u], g.Mul(g.a[k][w][u], axis[w]))
			}
		}
		axis = v
	}
	c := g.first[j] + robot.MX
	out := 2
	for out > 0 && (s.r1[out] < coincident && s.r1[out] > -coincident) {
		out--
	}
	for k := range out {
		if v := s.r1[k]; v > coincident || v < -coincident {
			g.add(c+k, c+out, g.Neg(g.Div(axis[k], axis[out])))
		}
	}
	g.drop(c + out)
}
