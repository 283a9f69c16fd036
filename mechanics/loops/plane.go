package loops

import (
	"math"
	"slices"

	"ident/internal/spatial"
)

// plane is a loop whose joints all turn about one direction or slide across it,
// in coordinates of that plane. Such a loop has three equations, two positions
// and an angle that is linear in the coordinates, and its joints are given by
// their positions at zero (the product of exponentials, Brockett 1984).
type plane struct {
	sides [2]planeChain
	angle float64 // between the frames at the cut, at zero
}

type planeChain struct {
	steps []planeJoint
	end   [2]float64 // of the frame at the cut, at zero
	turn  float64    // angle of the frame at the cut
	p     [2]float64
}

type planeJoint struct {
	slides        bool
	coord, column int
	ratio, offset float64    // ratio with the sense of the joint's axis
	at            [2]float64 // a point of the axis at zero, or the direction of the slide
	o             [2]float64 // at, in the present state
}

// planeTolerance is the largest distance from plane of a loop that counts as such:
// the mismatch after closing, in the directions normal to the plane equations.
const planeTolerance = closed

// inPlane returns the loop in its plane, nil where it has none.
func (c *contour) inPlane(length float64) *plane {
	var n spatial.Vec
	var at [2]chain
	for i := range c.sides {
		at[i] = c.sides[i].zero()
		for _, s := range at[i].steps {
			if !s.slides && n == (spatial.Vec{}) {
				n = s.z
			}
		}
	}
	if n == (spatial.Vec{}) {
		return nil
	}
	e := alongPlane(n)
	flat := func(v spatial.Vec) [2]float64 { return [2]float64{spatial.Dot(e[0], v), spatial.Dot(e[1], v)} }
	pl := &plane{}
	for i := range c.sides {
		for _, s := range at[i].steps {
			f := planeJoint{slides: s.slides, coord: s.coord, ratio: s.ratio, offset: s.offset, at: flat(s.o)}
			along := spatial.Dot(n, s.z)
			switch {
			case s.slides && math.Abs(along) <= planeTolerance:
				f.at = flat(s.z)
			case !s.slides && spatial.Norm(spatial.Cross(n, s.z)) <= planeTolerance:
				if along < 0 {
					f.ratio, f.offset = -f.ratio, -f.offset
				}
			default:
				return nil
			}
			pl.sides[i].steps = append(pl.sides[i].steps, f)
		}
		pl.sides[i].end = flat(at[i].p)
	}
	a, b := &at[0], &at[1]
	if math.Abs(spatial.Dot(n, spatial.Sub(a.p, b.p))) > planeTolerance*length {
		return nil
	}
	if c.spherical {
		return pl
	}
	phi := spatial.RotationVector(spatial.MulT2(&a.r, &b.r))
	if spatial.Norm(spatial.Cross(n, phi)) > planeTolerance {
		return nil
	}
	pl.angle = spatial.Dot(n, phi)
	return pl
}

// zero returns the chain with every joint at zero, whatever offset it has beside
// its coordinate's: those are joint motion as well.
func (c *chain) zero() chain {
	z := chain{steps: slices.Clone(c.steps), tail: c.tail}
	top := 0
	for i := range z.steps {
		// The offsets of the copy alone; the chain keeps its own.
		z.steps[i].offset = 0
		top = max(top, z.steps[i].coord)
	}
	z.walk(make([]float64, top+1))
	for i := range z.steps {
		z.steps[i].offset = c.steps[i].offset
	}
	return z
}

// alongPlane returns two unit vectors that make a right-handed frame with n.
func alongPlane(n spatial.Vec) [2]spatial.Vec {
	k := 0
	for i := range 3 {
		if math.Abs(n[i]) < math.Abs(n[k]) {
			k = i
		}
	}
	var x spatial.Vec
	x[k] = 1
	x = spatial.AddScaled(x, -n[k], n)
	x = spatial.Scale(1/spatial.Norm(x), x)
	return [2]spatial.Vec{x, spatial.Cross(n, x)}
}

// walk places the joints of a chain and the frame at its end.
func (c *planeChain) walk(q []float64) {
	angle, sin, cos := 0.0, 0.0, 1.0
	x, y := 0.0, 0.0
	for i := range c.steps {
		s := &c.steps[i]
		u := s.ratio*q[s.coord] + s.offset
		dx, dy := cos*s.at[0]-sin*s.at[1], sin*s.at[0]+cos*s.at[1]
		if s.slides {
			s.o = [2]float64{dx, dy}
			x, y = x+u*dx, y+u*dy
			continue
		}
		// The axis stays where it is while the links after it turn about it.
		ox, oy := x+dx, y+dy
		s.o = [2]float64{ox, oy}
		angle += u
		sin, cos = math.Sincos(angle)
		x, y = ox-(cos*s.at[0]-sin*s.at[1]), oy-(sin*s.at[0]+cos*s.at[1])
	}
	c.turn = angle
	c.p = [2]float64{x + cos*c.end[0] - sin*c.end[1], y + sin*c.end[0] + cos*c.end[1]}
}

// mismatch fills the three rows of a plane loop: two positions in units of
// length and an angle.
func (p *plane) mismatch(r, q []float64, length float64, spherical bool) {
	a, b := &p.sides[0], &p.sides[1]
	a.walk(q)
	b.walk(q)
	r[0], r[1] = (a.p[0]-b.p[0])/length, (a.p[1]-b.p[1])/length
	if spherical {
		r[2] = 0
		return
	}
	// Whole turns are no mismatch.
	d := a.turn - b.turn + p.angle
	r[2] = d - 2*math.Pi*math.Round(d/(2*math.Pi))
}

// columns adds the derivative of a plane loop's mismatch.
func (p *plane) columns(m []float64, width int, unit []float64, length float64, spherical bool) {
	for side := range p.sides {
		c := &p.sides[side]
		sign := 1 - 2*float64(side)
		for i := range c.steps {
			s := &c.steps[i]
			f := sign * s.ratio * unit[s.column]
			h := f / length
			if s.slides {
				m[s.column] += h * s.o[0]
				m[width+s.column] += h * s.o[1]
				continue
			}
			m[s.column] -= h * (c.p[1] - s.o[1])
			m[width+s.column] += h * (c.p[0] - s.o[0])
			if !spherical {
				m[2*width+s.column] += f
			}
		}
	}
}

// drift returns the acceleration of the frame at the end of a chain whose joints move
// at steady rates. Its angular acceleration is zero in a plane.
func (c *planeChain) drift(dq []float64) (x, y float64) {
	w := 0.0
	// Each joint adds to the rotation of all that follows, so the part of the
	// end's acceleration that one axis makes is that of the arm from it, with
	// the rate after less that before.
	for i := range c.steps {
		s := &c.steps[i]
		rate := s.ratio * dq[s.coord]
		if s.slides {
			x -= 2 * w * rate * s.o[1]
			y += 2 * w * rate * s.o[0]
			continue
		}
		before := w * w
		w += rate
		d := w*w - before
		x -= d * (c.p[0] - s.o[0])
		y -= d * (c.p[1] - s.o[1])
	}
	return x, y
}

// assign gives the joints their columns in the group's equations.
func (p *plane) assign(column map[int]int) {
	for side := range p.sides {
		steps := p.sides[side].steps
		for i := range steps {
			steps[i].column = column[steps[i].coord]
		}
	}
}

// clone returns a plane with joints of its own.
func (p *plane) clone() *plane {
	c := *p
	for side := range c.sides {
		c.sides[side].steps = slices.Clone(c.sides[side].steps)
	}
	return &c
}
