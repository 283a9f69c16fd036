package loops

import (
	"math"
	"slices"

	"ident/symbolic"
)

// solver puts explicit formulas of plane loops on a graph. A loop with three
// revolute joints to be found, the others known, is a triangle of their axes with
// known sides: two circles meet on the side of the third where the assembly has
// it. Loops are solved one after the other, each with the results of those before
// it (Assur's groups of two bars), and couplings with one unknown likewise.
//
// Rates are barycentric: with the axes at the complex numbers O of the plane, and
// the slides along d,
//
//	Σ u̇ = 0,  Σ u̇·O + i·Σ u̇·d = 0
//
// so those of the triangle's corners are the coordinates of a point in it. The
// derivative by time of both gives accelerations and the rates of G.
//
// Slices have an entry for each coordinate.
type solver struct {
	g          *symbolic.Graph
	known      []bool          // driven or solved
	closedForm []bool          // at has a formula free of atan2
	at         []symbolic.Node // positions in closed form
	phase      []cplx          // cosine and sine of revolute coordinates
	rate       []symbolic.Node
	acc        []symbolic.Node   // nil where rates of G are wanted
	jacobian   [][]symbolic.Node // by driven joint
	// Rates of the Jacobian; nil where accelerations are wanted.
	jacobianRate [][]symbolic.Node
	guard        []symbolic.Node // positive where a triangle is far enough from flat
}

// element is a joint of a loop, or the placement of the frames at its cut, on the
// way round: out along one side and back along the other.
type element struct {
	step          *planeJoint // nil for the placement
	ratio, offset float64
	at            cplx // as planeJoint.at; of the placement its translation
	turned        cplx // rotation of the placement
	e             cplx // rotation of a revolute joint
	o             cplx // position of its axis, or direction of a slide
}

// minTriangleSine is the sine of a triangle's angle below which Newton's method
// takes over: the formulas lose its inverse in digits, and near flat triangles
// assemblies meet.
const minTriangleSine = 0.2

// minParallelogramSine is the sine of a parallelogram's angle below which Newton's method takes over.
const minParallelogramSine = 0.01

// circuit lists the elements of a plane loop.
func (s *solver) circuit(p *plane) []element {
	var out []element
	joint := func(f *planeJoint, sign float64) {
		out = append(out, element{step: f, ratio: sign * f.ratio, offset: sign * f.offset, at: s.constant(f.at[0], f.at[1])})
	}
	a, b := &p.sides[0], &p.sides[1]
	for i := range a.steps {
		joint(&a.steps[i], 1)
	}
	sin, cos := math.Sincos(p.angle)
	out = append(out, element{
		at:     s.constant(a.end[0]-(cos*b.end[0]-sin*b.end[1]), a.end[1]-(sin*b.end[0]+cos*b.end[1])),
		turned: s.phasor(p.angle),
	})
	for i := range slices.Backward(b.steps) {
		joint(&b.steps[i], -1)
	}
	return out
}

// rotation returns the rotation of a known revolute joint.
func (s *solver) rotation(p *element) cplx {
	k := p.step.coord
	if math.Abs(p.ratio) != 1 {
		u := s.g.Add(s.g.Mul(s.g.Float(p.ratio), s.at[k]), s.g.Float(p.offset))
		return cplx{s.g.Cos(u), s.g.Sin(u)}
	}
	e := s.phase[k]
	if e == (cplx{}) {
		e = cplx{s.g.Cos(s.at[k]), s.g.Sin(s.at[k])}
		s.phase[k] = e
	}
	if p.ratio < 0 {
		e = conj(e)
	}
	return s.mul(e, s.phasor(p.offset))
}

// frame is a frame of the plane: its rotation and its origin.
type frame struct{ e, p cplx }

// pass goes through known elements from a frame on, and places them.
func (s *solver) pass(f frame, elements []element) frame {
	for i := range elements {
		p := &elements[i]
		d := s.mul(f.e, p.at)
		switch {
		case p.step == nil:
			f.p = s.add(f.p, d)
			f.e = s.mul(f.e, p.turned)
		case p.step.slides:
			p.o = d
			u := s.g.Add(s.g.Mul(s.g.Float(p.ratio), s.at[p.step.coord]), s.g.Float(p.offset))
			f.p = s.add(f.p, s.scale(u, d))
		default:
			p.o = s.add(f.p, d)
			f.e = s.mul(f.e, p.e)
			f.p = s.sub(p.o, s.mul(f.e, p.at))
		}
	}
	return f
}

// triangle solves a plane loop for three revolute joints; it returns false for
// any other. The elements of pl must hold their places at one state of the assembly.
func (s *solver) triangle(pl *plane, ref reference) bool {
	elements := s.circuit(pl)
	var corners []int
	for i := range elements {
		p := &elements[i]
		switch {
		case p.step == nil:
		case !s.known[p.step.coord]:
			if p.step.slides || math.Abs(p.ratio) != 1 {
				return false
			}
			corners = append(corners, i)
		case p.step.slides && !s.closedForm[p.step.coord], math.Abs(p.ratio) != 1 && !s.closedForm[p.step.coord]:
			return false
		}
	}
	if len(corners) != 3 {
		return false
	}
	// The way round begins at the first corner.
	elements = append(elements[corners[0]:], elements[:corners[0]]...)
	ib, ic := corners[1]-corners[0], corners[2]-corners[0]
	a, b, c := &elements[0], &elements[ib], &elements[ic]
	if a.step.coord == b.step.coord || b.step.coord == c.step.coord || a.step.coord == c.step.coord {
		return false
	}
	for i := range elements {
		if p := &elements[i]; p.step != nil && !p.step.slides && i != 0 && i != ib && i != ic {
			p.e = s.rotation(p)
		}
	}
	ab := [2]float64{b.step.o[0] - a.step.o[0], b.step.o[1] - a.step.o[1]}
	ac := [2]float64{c.step.o[0] - a.step.o[0], c.step.o[1] - a.step.o[1]}
	area := ab[0]*ac[1] - ab[1]*ac[0]
	if math.Abs(area) <= rankTolerance*(math.Hypot(ab[0], ab[1])*math.Hypot(ac[0], ac[1])) {
		return false
	}
	g := s.g
	start := frame{e: s.constant(1, 0)}
	first, second, third := s.pass(start, elements[1:ib]), s.pass(start, elements[ib+1:ic]), s.pass(start, elements[ic+1:])
	// In the frame before the first corner: the position of the third, and the
	// sides from the first to the second and on to the third in their own bodies.
	home := frame{e: conj(third.e), p: s.scale(-symbolic.One, s.mul(conj(third.e), third.p))}
	at := s.add(home.p, s.mul(home.e, c.at))
	base := s.sub(at, a.at)
	one := s.sub(s.add(first.p, s.mul(first.e, b.at)), a.at)
	two := s.sub(s.add(second.p, s.mul(second.e, c.at)), b.at)
	l1, l2, l := s.square(one), s.square(two), s.square(base)
	if l1 == 0 || l2 == 0 || l == 0 {
		return false
	}
	x := g.Mul(g.Rat(1, 2), g.Sub(g.Add(l1, l), l2))
	whole := g.Mul(l1, l)
	high := g.Sub(whole, g.Mul(x, x))
	defer func() {
		for _, p := range []*element{a, b, c} {
			s.known[p.step.coord] = true
		}
	}()
	// Linear relations are exact up to the state where the two assemblies of the loop coincide; the triangle below loses digits before.
	if s.parallel(pl, elements, [3]*element{a, b, c}, ref) {
		s.guard = append(s.guard, g.Sub(high, g.Mul(g.Float(minParallelogramSine*minParallelogramSine), whole)))
		return true
	}
	s.guard = append(s.guard, g.Sub(high, g.Mul(g.Float(minTriangleSine*minTriangleSine), whole)))
	y := g.Sqrt(high)
	if area > 0 {
		y = -y
	}
	side := s.scale(g.Div(symbolic.One, l), s.mul(base, cplx{x, y}))
	ea := s.scale(g.Div(symbolic.One, l1), s.mul(side, conj(one)))
	eb := s.scale(g.Div(symbolic.One, l2), s.mul(s.sub(base, side), conj(two)))
	a.e = ea
	b.e = s.mul(eb, conj(s.mul(ea, first.e)))
	c.e = conj(s.mul(s.mul(eb, second.e), third.e))
	// Positions of the joints in that frame.
	a.o, b.o, c.o = a.at, s.add(a.at, side), at
	s.pass(frame{ea, s.sub(a.o, s.mul(ea, a.at))}, elements[1:ib])
	s.pass(frame{eb, s.sub(b.o, s.mul(eb, b.at))}, elements[ib+1:ic])
	s.pass(home, elements[ic+1:])
	for _, p := range []*element{a, b, c} {
		e := s.mul(p.e, s.phasor(-p.offset))
		if p.ratio < 0 {
			e = conj(e)
		}
		s.phase[p.step.coord] = e
	}
	s.rates(elements, [3]*element{a, b, c}, side, base)
	return true
}
