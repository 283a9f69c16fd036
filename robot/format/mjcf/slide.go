package mjcf

import (
	"fmt"
	"slices"

	"ident/robot"
)

// A loop that is cut at a slide is closed by a weld: MuJoCo's equalities hold points or whole bodies, and a slide holds
// neither. One of the two links gives a part of its body to a body of its own, which slides on the other link and is
// welded to the rest. Where the weld is closed, the two move as one body with the sum of their inertias, that of the
// link. Readers that take welded bodies as one cut the loop at the same slide.

// slide is a loop that is cut at one.
type slide struct {
	name string // of the part
	of   int    // the link that it is a part of
	on   int    // the link that it slides on, -1 for the base
	at   robot.Transform
	axis [3]float64 // in the part's frame, along which the cut joint's coordinate grows
}

// planSlides chooses the links that give parts of their bodies.
func (x *writer) planSlides() error {
	x.slides = map[int]slide{}
	named := map[string]bool{}
	for _, l := range x.r.Links {
		named[l.Name] = true
	}
	for _, l := range x.r.Lumped {
		named[l.Name] = true
	}
	for n, l := range x.r.Loops {
		if l.Spherical || x.r.Extra[l.Frame].Kind != robot.Prismatic {
			continue
		}
		frame, from, one := x.end(l.Frame)
		meets, to, other := x.end(l.Meets)
		if !one || !other {
			continue // refused with the equalities
		}
		from, to = x.inUser(frame, from), x.inUser(meets, to)
		z := [3]float64{to.R[0][2], to.R[1][2], to.R[2][2]}
		s := slide{of: meets, on: frame, at: from.Mul(to.Inv()), axis: z}
		if !x.gives(meets) || !x.carries(frame) {
			for i := range z {
				z[i] = -from.R[i][2]
			}
			s = slide{of: frame, on: meets, at: to.Mul(from.Inv()), axis: z}
		}
		if !x.gives(s.of) || !x.carries(s.on) {
			return notWritable(x.r.LoopName(n), "neither of the links at its slide has a mass that could be split in two")
		}
		for s.name = fmt.Sprintf("loop%d", n+1); named[s.name]; {
			s.name += "_"
		}
		named[s.name] = true
		x.slides[n] = s
	}
	return nil
}

// inUser returns a place in the user's frame of a link.
func (x *writer) inUser(link int, at robot.Transform) robot.Transform {
	if link < 0 {
		return at
	}
	return x.r.Links[link].UserFrame.Inv().Mul(at)
}

// carries reports whether a link is a body of the file, or the world.
func (x *writer) carries(link int) bool { return link < 0 || !x.r.Links[link].Massless }

// gives reports whether a link has a mass.
func (x *writer) gives(link int) bool { return link >= 0 && x.carries(link) && x.body(link).Mass() > 0 }

// body returns the inertia of a link's own body, or of the whole link where that has no mass of its own.
func (x *writer) body(link int) robot.Inertial {
	if own := x.r.Links[link].Own; own.Mass() != 0 {
		return own
	}
	return x.r.Links[link].Inertial
}

// share returns the part of its body that a link keeps: halves are exact.
func (x *writer) share(link int) float64 {
	parts := 1.0
	for _, s := range x.slides {
		if s.of == link {
			parts++
		}
	}
	return 1 / parts
}

// parts writes those that slide on a link.
func (x *writer) parts(link int, pad string) error {
	var order []int
	for n, s := range x.slides {
		if s.on == link {
			order = append(order, n)
		}
	}
	slices.Sort(order)
	for _, n := range order {
		s := x.slides[n]
		fmt.Fprintf(&x.b, "%s<body name=%s%s>\n", pad, quoted(s.name), pose(s.at))
		l := &x.r.Links[s.of]
		if err := x.inertial(s.name, times(x.share(s.of), x.body(s.of).InFrame(l.UserFrame.Inv())), pad+"  "); err != nil {
			return err
		}
		fmt.Fprintf(&x.b, "%s  <joint name=%s type=\"slide\" axis=%q/>\n%s</body>\n", pad, quoted(x.r.Extra[x.r.Loops[n].Frame].Name), spaced(s.axis), pad)
	}
	return nil
}

// times returns a body of the given part of all ten parameters.
func times(part float64, p robot.Inertial) robot.Inertial {
	for i := range p {
		p[i] *= part
	}
	return p
}
