package loops

import (
	"math"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
)

// contour is a loop as two chains from the link that carries both its sides.
type contour struct {
	sides     [2]chain
	spherical bool
	plane     *plane // of a plane loop, else nil
	first     int    // of its rows in the group's equations
	// A coupling of joints instead: one equation, whose derivative is constant.
	linear  []term
	columns []int
	offset  float64
}

func (c *contour) rows() int {
	switch {
	case c.linear != nil:
		return 1
	case c.plane != nil:
		return 3
	}
	return 6
}

// coords lists the coordinates that a contour ties together.
func (c *contour) coords() []int {
	var out []int
	for _, side := range c.sides {
		for _, s := range side.steps {
			out = append(out, s.coord)
		}
	}
	for _, t := range c.linear {
		out = append(out, t.coord)
	}
	return out
}

// assign gives the coordinates their columns in the group's equations.
func (c *contour) assign(column map[int]int) {
	for s := range c.sides {
		steps := c.sides[s].steps
		for i := range steps {
			steps[i].column = column[steps[i].coord]
		}
	}
	if c.plane != nil {
		c.plane.assign(column)
	}
	for _, t := range c.linear {
		c.columns = append(c.columns, column[t.coord])
	}
}

// clone returns a contour with joints of its own.
func (c *contour) clone() contour {
	n := *c
	for s := range n.sides {
		n.sides[s].steps = slices.Clone(n.sides[s].steps)
	}
	if n.plane != nil {
		n.plane = n.plane.clone()
	}
	return n
}

// chain is one side of a contour: joints outwards from the common link.
type chain struct {
	steps []chainJoint
	tail  robot.Transform // from the last joint to the frame at the cut
	r     spatial.Mat     // of the frame at the cut, in the common link's
	p     spatial.Vec
}

// chainJoint is a joint of a chain, with the constant placement before it.
type chainJoint struct {
	at            robot.Transform
	slides        bool
	coord, column int
	ratio, offset float64
	z, o          spatial.Vec // axis, and origin of the joint's frame
}

// newContour cuts the chains of loop i off at the last link that carries both.
func newContour(c *Closure, i int) contour {
	l := c.loops[i]
	if l.linear != nil {
		return contour{linear: l.linear, offset: l.offset}
	}
	path := func(link int) []int {
		var p []int
		for ; link >= 0; link = c.links[link].Antecedent {
			p = append(p, link)
		}
		slices.Reverse(p)
		return p
	}
	a, b := path(l.frame), path(l.meets)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	con := contour{spherical: l.spherical}
	for s, links := range [2][]int{a[n:], b[n:]} {
		at := robot.Identity()
		for _, link := range links {
			k := &c.links[link]
			at = at.Mul(k.Placement)
			if k.Coord < 0 {
				continue
			}
			con.sides[s].steps = append(con.sides[s].steps, chainJoint{at: at, slides: k.Kind == robot.Prismatic, coord: k.Coord, ratio: k.Ratio, offset: k.Offset})
			at = robot.Identity()
		}
		con.sides[s].tail = at
	}
	con.plane = con.inPlane(c.length)
	return con
}

// walk places the joints of a chain and the frame at its end.
func (c *chain) walk(q []float64) {
	r, p := spatial.Eye(), spatial.Vec{}
	for i := range c.steps {
		s := &c.steps[i]
		if i == 0 {
			r, p = s.at.R, s.at.P
		} else {
			p = spatial.Add(p, spatial.MulVec(r, s.at.P))
			r = spatial.Mul(r, s.at.R)
		}
		x := s.ratio*q[s.coord] + s.offset
		s.z = spatial.Vec{r[0][2], r[1][2], r[2][2]}
		if s.slides {
			p = spatial.AddScaled(p, x, s.z)
		} else {
			sin, cos := math.Sincos(x)
			for k := range 3 {
				u, v := r[k][0], r[k][1]
				r[k][0], r[k][1] = u*cos+v*sin, v*cos-u*sin
			}
		}
		s.o = p
	}
	c.p = spatial.Add(p, spatial.MulVec(r, c.tail.P))
	c.r = spatial.Mul(r, c.tail.R)
}

// drift returns the linear and the angular acceleration of the frame at the end of a
// chain whose joints turn and slide at steady rates.
func (c *chain) drift(dq []float64) (dv, dw spatial.Vec) {
	var w, o spatial.Vec
	for i := range c.steps {
		s := &c.steps[i]
		arm := spatial.Sub(s.o, o)
		dv = spatial.Add(dv, spatial.Add(spatial.Cross(dw, arm), spatial.Cross(w, spatial.Cross(w, arm))))
		rate := spatial.Scale(s.ratio*dq[s.coord], s.z)
		turn := spatial.Cross(w, rate)
		if s.slides {
			dv = spatial.AddScaled(dv, 2, turn)
		} else {
			dw = spatial.Add(dw, turn)
			w = spatial.Add(w, rate)
		}
		o = s.o
	}
	arm := spatial.Sub(c.p, o)
	return spatial.Add(dv, spatial.Add(spatial.Cross(dw, arm), spatial.Cross(w, spatial.Cross(w, arm)))), dw
}
