package loops

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/spatial"
)

// group is the loops that share dependent coordinates, and are solved together.
type group struct {
	loops   []contour
	unknown []int // coordinates to solve for
	driven  []int // places in the tracker's list of driven coordinates
	coords  []int // their coordinates
	unit    []float64
	length  float64
	rows    int

	m      []float64 // rows × (unknowns and driven): the mismatch's derivative, then its factors
	r      []float64 // mismatch
	lead   []int     // the row of each pivot
	free   []bool
	x      []float64 // solution for one right-hand side
	gain   []float64 // G: unknowns × driven
	turned []float64 // its rates
	before []float64
	missed []float64 // what the last prediction was off by
}

// group finds the loops' chains and which of them belong together.
func (t *Tracker) group() error {
	c := t.c
	place := make([]int, len(c.unit)) // in the list of driven coordinates, -1 if dependent
	for k := range place {
		place[k] = slices.Index(t.driven, k)
	}
	var groups []*group
	for i := range c.loops {
		con := c.contour(i)
		g := &group{loops: []contour{con}, length: c.length}
		for _, k := range con.coords() {
			if place[k] < 0 && !slices.Contains(g.unknown, k) {
				g.unknown = append(g.unknown, k)
			}
		}
		// Loops that share a dependent coordinate with this one are solved with it.
		var rest []*group
		for _, o := range groups {
			if !slices.ContainsFunc(o.unknown, func(k int) bool { return slices.Contains(g.unknown, k) }) {
				rest = append(rest, o)
				continue
			}
			g.loops = append(o.loops, g.loops...)
			for _, k := range o.unknown {
				if !slices.Contains(g.unknown, k) {
					g.unknown = append(g.unknown, k)
				}
			}
		}
		groups = append(rest, g)
	}
	held := make([]bool, len(c.unit))
	for _, g := range groups {
		slices.Sort(g.unknown)
		column := map[int]int{}
		for i, k := range g.unknown {
			column[k] = i
			held[k] = true
			g.unit = append(g.unit, c.unit[k])
		}
		for l := range g.loops {
			for _, k := range g.loops[l].coords() {
				if j := place[k]; j >= 0 && !slices.Contains(g.driven, j) {
					g.driven = append(g.driven, j)
				}
			}
		}
		slices.Sort(g.driven)
		for i, j := range g.driven {
			k := t.driven[j]
			g.coords = append(g.coords, k)
			column[k] = len(g.unknown) + i
			g.unit = append(g.unit, c.unit[k])
		}
		for l := range g.loops {
			for s := range g.loops[l].sides {
				steps := g.loops[l].sides[s].steps
				for i := range steps {
					steps[i].column = column[steps[i].coord]
				}
			}
			con := &g.loops[l]
			if con.first = g.rows; con.flat != nil {
				con.flat.assign(column)
			}
			for _, t := range con.linear {
				con.columns = append(con.columns, column[t.coord])
			}
			g.rows += con.rows()
		}
		for _, k := range g.unknown {
			if k >= c.dof {
				continue
			}
			for _, j := range g.driven {
				t.pairs = append(t.pairs, Pair{Coord: k, Driven: j})
			}
		}
	}
	for k := range c.dof {
		if place[k] < 0 && !held[k] {
			return fmt.Errorf("robot %q: joint %q has no drive and no loop moves it", c.robot, c.joints[k])
		}
	}
	t.groups = groups
	return nil
}

// allocate gives the group memory of its own.
func (g *group) allocate() {
	rows, n := g.rows, len(g.unknown)+len(g.driven)
	loops := make([]contour, len(g.loops))
	for l := range loops {
		loops[l] = g.loops[l]
		for s := range loops[l].sides {
			loops[l].sides[s].steps = slices.Clone(loops[l].sides[s].steps)
		}
		if f := loops[l].flat; f != nil {
			loops[l].flat = f.clone()
		}
	}
	g.loops = loops
	g.m, g.r, g.free = make([]float64, rows*n), make([]float64, rows), make([]bool, rows)
	g.lead, g.x = make([]int, len(g.unknown)), make([]float64, len(g.unknown))
	g.gain, g.turned = make([]float64, len(g.unknown)*len(g.driven)), make([]float64, len(g.unknown)*len(g.driven))
	g.before, g.missed = make([]float64, len(g.unknown)), make([]float64, len(g.unknown))
}

// predict adds to the dependent coordinates what G gives for the next step, and
// what that was off by at the last one: of steady steps the second derivative
// makes the same error each time.
func (g *group) predict(q, at, next []float64) {
	n := len(g.driven)
	for i, k := range g.unknown {
		q[k] += g.missed[i]
		for j, d := range g.driven {
			q[k] += g.gain[i*n+j] * (next[d] - at[d])
		}
	}
}

// close solves for the dependent coordinates from where they are, and leaves G
// and the factors of the last derivative. It returns false where that does not
// converge or is singular.
func (g *group) close(q []float64) bool {
	for i, k := range g.unknown {
		g.missed[i] -= q[k]
	}
	last := math.Inf(1)
	for range trackSteps {
		size := g.evaluate(q)
		// Newton's method at least halves the mismatch or has lost its way.
		if !(size < last/2 || size <= closed) || !g.eliminate() {
			return false
		}
		last = size
		g.solve(g.r)
		for i, k := range g.unknown {
			q[k] -= g.x[i] * g.unit[i]
		}
		if size < trackedWell {
			g.derive()
			for i, k := range g.unknown {
				g.missed[i] += q[k]
			}
			return true
		}
	}
	return false
}

// forget drops what the last prediction was off by: the next step is not like
// it.
func (g *group) forget() { clear(g.missed) }

// evaluate fills the mismatch and its derivative, and returns the largest
// entry, +Inf where the frames at a cut are more than a right angle apart.
func (g *group) evaluate(q []float64) float64 {
	clear(g.m)
	width, worst := len(g.unit), 0.0
	for l := range g.loops {
		con := &g.loops[l]
		r := g.r[con.first : con.first+con.rows()]
		if con.linear != nil {
			r[0] = con.offset
			for i, t := range con.linear {
				at := con.columns[i]
				r[0] += t.factor * q[t.coord] / g.unit[at]
				g.m[con.first*width+at] += t.factor
			}
		} else if con.flat != nil {
			con.flat.mismatch(r, q, g.length, con.spherical)
			con.flat.columns(g.m[con.first*width:], width, g.unit, g.length, con.spherical)
		} else if !g.space(con, r, q) {
			return math.Inf(1)
		}
		for _, v := range r {
			if v < 0 {
				v = -v
			}
			if !(v <= worst) {
				worst = v
			}
		}
	}
	return worst
}

// space fills the six rows of a loop in space. It returns false where the frames
// are too far apart for the skew part to stand for their rotation.
func (g *group) space(con *contour, r, q []float64) bool {
	a, b := &con.sides[0], &con.sides[1]
	a.walk(q)
	b.walk(q)
	m := spatial.MulT2(&a.r, &b.r)
	if trace := m[0][0] + m[1][1] + m[2][2]; !con.spherical && trace < 1 {
		return false
	}
	for k := range 3 {
		r[k] = (a.p[k] - b.p[k]) / g.length
	}
	if con.spherical {
		r[3], r[4], r[5] = 0, 0, 0
	} else {
		// The skew part is the rotation vector to the third order of its size.
		r[3], r[4], r[5] = (m[2][1]-m[1][2])/2, (m[0][2]-m[2][0])/2, (m[1][0]-m[0][1])/2
	}
	g.columns(a, con.first, len(g.unit), 1, con.spherical)
	g.columns(b, con.first, len(g.unit), -1, con.spherical)
	return true
}

// columns adds one side's part of the mismatch's derivative.
func (g *group) columns(side *chainTo, row, width int, sign float64, spherical bool) {
	m := g.m
	for i := range side.steps {
		s := &side.steps[i]
		f := sign * s.ratio * g.unit[s.column]
		at := row*width + s.column
		if s.slides {
			f /= g.length
			m[at] += f * s.z[0]
			m[at+width] += f * s.z[1]
			m[at+2*width] += f * s.z[2]
			continue
		}
		x, y, z := side.p[0]-s.o[0], side.p[1]-s.o[1], side.p[2]-s.o[2]
		h := f / g.length
		m[at] += h * (s.z[1]*z - s.z[2]*y)
		m[at+width] += h * (s.z[2]*x - s.z[0]*z)
		m[at+2*width] += h * (s.z[0]*y - s.z[1]*x)
		if !spherical {
			m[at+3*width] += f * s.z[0]
			m[at+4*width] += f * s.z[1]
			m[at+5*width] += f * s.z[2]
		}
	}
}

// eliminate factors the unknowns' columns, each by the row of largest pivot. It
// returns false where a pivot is too small for the state to be regular.
func (g *group) eliminate() bool {
	nu, width := len(g.unknown), len(g.unit)
	for i := range g.free {
		g.free[i] = true
	}
	largest := 0.0
	for c := range nu {
		best, most := -1, 0.0
		for i, free := range g.free {
			if v := math.Abs(g.m[i*width+c]); free && v > most {
				best, most = i, v
			}
		}
		if largest = max(largest, most); best < 0 || most <= rankTolerance*largest {
			return false
		}
		g.free[best] = false
		g.lead[c] = best
		pivot := g.m[best*width : best*width+nu]
		for i, free := range g.free {
			if !free {
				continue
			}
			row := g.m[i*width : i*width+nu]
			f := row[c] / pivot[c]
			row[c] = f
			if f == 0 {
				continue
			}
			for k := c + 1; k < nu; k++ {
				row[k] -= f * pivot[k]
			}
		}
	}
	return true
}

// solve leaves in x the unknowns, in units, for a right-hand side of rows.
func (g *group) solve(r []float64) {
	nu, width := len(g.unknown), len(g.unit)
	for c := range nu {
		row := g.m[g.lead[c]*width : g.lead[c]*width+nu]
		v := r[g.lead[c]]
		for k := range c {
			v -= row[k] * g.x[k]
		}
		g.x[c] = v
	}
	g.backward()
}

func (g *group) backward() {
	nu, width := len(g.unknown), len(g.unit)
	for c := nu - 1; c >= 0; c-- {
		row := g.m[g.lead[c]*width : g.lead[c]*width+nu]
		v := g.x[c]
		for k := c + 1; k < nu; k++ {
			v -= row[k] * g.x[k]
		}
		g.x[c] = v / row[c]
	}
}

// derive solves for G.
func (g *group) derive() {
	nu, nd, width := len(g.unknown), len(g.driven), len(g.unit)
	for j := range nd {
		for c := range nu {
			row := g.m[g.lead[c]*width : g.lead[c]*width+nu]
			v := g.m[g.lead[c]*width+nu+j]
			for k := range c {
				v -= row[k] * g.x[k]
			}
			g.x[c] = v
		}
		g.backward()
		for c := range nu {
			g.gain[c*nd+j] = -g.x[c] * g.unit[c] / g.unit[nu+j]
		}
	}
}

// motion finds rates and accelerations of the dependent coordinates.
func (g *group) motion(dq, ddq []float64) {
	nd := len(g.driven)
	for i, k := range g.unknown {
		v, a := 0.0, 0.0
		for j, d := range g.coords {
			v += g.gain[i*nd+j] * dq[d]
			a += g.gain[i*nd+j] * ddq[d]
		}
		dq[k], ddq[k] = v, a
	}
	clear(g.r)
	g.drift(dq, 1)
	g.solve(g.r)
	for i, k := range g.unknown {
		ddq[k] -= g.x[i] * g.unit[i]
	}
}

// drift adds to the right-hand side, times a factor, the accelerations of the
// mismatch at steady rates of all coordinates.
func (g *group) drift(dq []float64, f float64) {
	for l := range g.loops {
		con := &g.loops[l]
		r := g.r[con.first:]
		if con.linear != nil {
			continue
		}
		if con.flat != nil {
			x, y := con.flat.sides[0].drift(dq)
			u, v := con.flat.sides[1].drift(dq)
			r[0] += f * (x - u) / g.length
			r[1] += f * (y - v) / g.length
			continue
		}
		dv, dw := con.sides[0].drift(dq)
		ev, ew := con.sides[1].drift(dq)
		for k := range 3 {
			r[k] += f * (dv[k] - ev[k]) / g.length
			if !con.spherical {
				r[3+k] += f * (dw[k] - ew[k])
			}
		}
	}
}

// turn finds the rates of G at the rates dq of all coordinates; v is scratch.
func (g *group) turn(dq, v []float64) {
	nd := len(g.driven)
	for j, d := range g.coords {
		// v is the motion of one driven joint alone.
		clear(g.r)
		g.drift(dq, -0.5)
		for _, c := range g.coords {
			v[c] = 0
		}
		v[d] = 1
		for i, k := range g.unknown {
			v[k] = g.gain[i*nd+j]
		}
		g.drift(v, -0.5)
		for _, c := range g.coords {
			v[c] += dq[c]
		}
		for _, k := range g.unknown {
			v[k] += dq[k]
		}
		g.drift(v, 0.5)
		g.solve(g.r)
		for i := range g.unknown {
			g.turned[i*nd+j] = -g.x[i] * g.unit[i]
		}
	}
}
