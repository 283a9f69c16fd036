package loops

import (
	"math"

	"ident/internal/spatial"
)

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
		} else if con.plane != nil {
			con.plane.mismatch(r, q, g.length, con.spherical)
			con.plane.columns(g.m[con.first*width:], width, g.unit, g.length, con.spherical)
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
func (g *group) columns(side *chain, row, width int, sign float64, spherical bool) {
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
