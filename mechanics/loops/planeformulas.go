package loops

import (
	"math"
	"slices"

	"ident/symbolic"
)

// solver puts explicit formulas of plane loops on a graph, for loops with three
// joints to be found and the others known (Assur's groups of two bars):
//
//   - Three revolute joints: their axes are a triangle of known sides, and two
//     circles meet on the side of the third where the assembly has it.
//   - Two revolute joints and a slide, as in a slider-crank: a circle about one
//     axis meets the line on which the slide takes it.
//   - One revolute joint and two slides: the angles of a loop sum up to zero, and
//     two lines meet.
//
// Loops are solved one after the other, each with the results of those before it,
// and couplings with one unknown likewise.
//
// Rates follow from the same three equations whatever the joints: with the axes at
// the complex numbers O of the plane, and the slides along d,
//
//	Σ u̇ = 0,  Σ u̇·O + i·Σ u̇·d = 0
//
// Those of a triangle's corners are the barycentric coordinates of a point in it.
// The derivative by time of both gives accelerations and the rates of G.
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
	angle         float64
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
		angle:  p.angle,
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

// dyad solves a plane loop for the three joints that are not known; it returns false if there are not three, or
// if their positions have no formula. The elements of pl must hold their places at one state of the assembly.
func (s *solver) dyad(pl *plane, ref reference) bool {
	elements := s.circuit(pl)
	var unknown, slides []int
	for i := range elements {
		p := &elements[i]
		switch {
		case p.step == nil:
		case !s.known[p.step.coord]:
			if math.Abs(p.ratio) != 1 {
				return false
			}
			unknown = append(unknown, i)
			if p.step.slides {
				slides = append(slides, i)
			}
		case p.step.slides && !s.closedForm[p.step.coord], math.Abs(p.ratio) != 1 && !s.closedForm[p.step.coord]:
			return false
		}
	}
	if len(unknown) != 3 || len(slides) == 3 {
		return false
	}
	// The way round begins at the first corner: the slide if there is one, the revolute joint if there are two.
	first := unknown[0]
	switch len(slides) {
	case 1:
		first = slides[0]
	case 2:
		first = unknown[slices.IndexFunc(unknown, func(i int) bool { return !elements[i].step.slides })]
	}
	elements = append(elements[first:], elements[:first]...)
	var c corners
	for i := range elements {
		p := &elements[i]
		switch {
		case slices.Contains(unknown, (first+i)%len(elements)):
			c.at[c.n], c.joint[c.n] = i, p
			c.n++
		case p.step != nil && !p.step.slides:
			p.e = s.rotation(p)
		}
	}
	if j := c.joint; j[0].step.coord == j[1].step.coord || j[1].step.coord == j[2].step.coord || j[0].step.coord == j[2].step.coord {
		return false
	}
	solved := false
	switch len(slides) {
	case 0:
		solved = s.triangle(pl, elements, c, ref)
	case 1:
		solved = s.slider(elements, c)
	case 2:
		solved = s.crossing(elements, c, ref)
	}
	if solved {
		for _, p := range c.joint {
			s.known[p.step.coord] = true
		}
	}
	return solved
}

// corners are the joints of a loop that are to be found, and their places in its elements.
type corners struct {
	n     int
	at    [3]int
	joint [3]*element
}

// sides passes through the known elements that follow each corner, each time from a frame at home.
func (s *solver) sides(elements []element, c corners) (first, second, third frame) {
	start := frame{e: s.constant(1, 0)}
	return s.pass(start, elements[1:c.at[1]]), s.pass(start, elements[c.at[1]+1:c.at[2]]), s.pass(start, elements[c.at[2]+1:])
}

// turned notes the rotation of a corner as that of its coordinate.
func (s *solver) turned(p *element) {
	e := s.mul(p.e, s.phasor(-p.offset))
	if p.ratio < 0 {
		e = conj(e)
	}
	s.phase[p.step.coord] = e
}

// slid notes the place u of a corner that slides as that of its coordinate.
func (s *solver) slid(p *element, u symbolic.Node) {
	k := p.step.coord
	s.at[k] = s.g.Mul(s.g.Float(p.ratio), s.g.Sub(u, s.g.Float(p.offset))) // a ratio of ±1 is its inverse
	s.closedForm[k] = true
}

// slider solves a loop for a slide and two revolute joints. In the frame before the slide, which takes the first
// axis along d from where it is at zero, the second axis stands still, and the link between the two is as long as
// its side: with D from the first axis at zero to the second,
//
//	|D − u·d|² = l²,  u = D·d ± √(l² − (d × D)²)
func (s *solver) slider(elements []element, c corners) bool {
	g := s.g
	slide, a, b := c.joint[0], c.joint[1], c.joint[2]
	first, second, third := s.sides(elements, c)
	home := frame{e: conj(third.e), p: s.scale(-symbolic.One, s.mul(conj(third.e), third.p))}
	d := slide.at
	from := s.add(first.p, s.mul(first.e, a.at))
	to := s.add(home.p, s.mul(home.e, b.at))
	one := s.sub(s.add(second.p, s.mul(second.e, b.at)), a.at)
	length := s.square(one)
	// The side that the assembly has: the link points along the slide or against it.
	ahead := slide.step.o[0]*(b.step.o[0]-a.step.o[0]) + slide.step.o[1]*(b.step.o[1]-a.step.o[1])
	if length == 0 || ahead == 0 {
		return false
	}
	apart := s.sub(to, from)
	across := s.cross(d, apart)
	high := g.Sub(length, g.Mul(across, across))
	s.guard = append(s.guard, g.Sub(high, g.Mul(g.Float(minTriangleSine*minTriangleSine), length)))
	along := g.Sqrt(high)
	if ahead < 0 {
		along = -along
	}
	u := g.Sub(s.dot(d, apart), along)
	side := s.sub(apart, s.scale(u, d))
	ea := s.scale(g.Div(symbolic.One, length), s.mul(side, conj(one)))
	a.e = s.mul(ea, conj(first.e))
	b.e = conj(s.mul(s.mul(ea, second.e), third.e))
	a.o, b.o, slide.o = s.add(from, s.scale(u, d)), to, d
	s.pass(frame{s.constant(1, 0), s.scale(u, d)}, elements[1:c.at[1]])
	s.pass(frame{ea, s.sub(a.o, s.mul(ea, a.at))}, elements[c.at[1]+1:c.at[2]])
	s.pass(home, elements[c.at[2]+1:])
	s.slid(slide, u)
	s.turned(a)
	s.turned(b)
	inverse := g.Div(symbolic.One, along)
	// v_a + v_b = −sum and v_b·side + v_s·i·d = r, whose products with i·d and with side leave one rate each.
	s.rates(elements, c.joint, func(sum symbolic.Node, moment cplx) [3]symbolic.Node {
		r := s.sub(s.scale(sum, a.o), moment)
		vb := g.Mul(s.dot(d, r), inverse)
		return [3]symbolic.Node{g.Mul(s.cross(side, r), inverse), -g.Add(sum, vb), vb}
	})
	return true
}

// crossing solves a loop for a revolute joint and two slides. The angle of the joint is what the known ones leave, so
// the directions of both slides are known, and the places along them are those at which their lines meet.
func (s *solver) crossing(elements []element, c corners, ref reference) bool {
	g := s.g
	a, one, two := c.joint[0], c.joint[1], c.joint[2]
	sine := one.step.o[0]*two.step.o[1] - one.step.o[1]*two.step.o[0]
	if math.Abs(sine) <= rankTolerance {
		return false
	}
	whole := s.constant(1, 0) // the known angles together
	for i := range elements {
		p := &elements[i]
		switch {
		case p.step == nil:
			whole = s.mul(whole, p.turned)
		case p.step.slides || p == a:
		default:
			whole = s.mul(whole, p.e)
		}
	}
	a.e = conj(whole)
	// From the frame before the revolute joint, with both slides at zero, the way round misses its start by gap.
	a.o = a.at
	after := frame{a.e, s.sub(a.o, s.mul(a.e, a.at))}
	before := s.pass(after, elements[1:c.at[1]])
	one.o = s.mul(before.e, one.at)
	middle := s.pass(before, elements[c.at[1]+1:c.at[2]])
	two.o = s.mul(middle.e, two.at)
	end := s.pass(middle, elements[c.at[2]+1:])
	// u1·d1 + u2·d2 = −gap
	det := s.cross(one.o, two.o)
	inverse := g.Div(symbolic.One, det)
	gap := s.scale(-symbolic.One, end.p)
	u1, u2 := g.Mul(s.cross(gap, two.o), inverse), g.Mul(s.cross(one.o, gap), inverse)
	s.guard = append(s.guard, g.Sub(g.Mul(det, det), g.Float(minParallelogramSine*minParallelogramSine)))
	middle = s.pass(frame{before.e, s.add(before.p, s.scale(u1, one.o))}, elements[c.at[1]+1:c.at[2]])
	s.pass(frame{middle.e, s.add(middle.p, s.scale(u2, two.o))}, elements[c.at[2]+1:])
	s.slid(one, u1)
	s.slid(two, u2)
	s.leave(a, elements, ref)
	// v_a = −sum, and v_1·i·d1 + v_2·i·d2 is what is left of the moment.
	s.rates(elements, c.joint, func(sum symbolic.Node, moment cplx) [3]symbolic.Node {
		r := s.sub(s.scale(sum, a.o), moment)
		r = cplx{r.y, -r.x} // divided by i
		return [3]symbolic.Node{-sum, g.Mul(s.cross(r, two.o), inverse), g.Mul(s.cross(one.o, r), inverse)}
	})
	return true
}

// leave notes the angle of the only revolute joint to be found, which is what the others leave of whole turns: a sum
// of their angles if they have formulas free of the angles of vectors, on the turn of the reference.
func (s *solver) leave(a *element, elements []element, ref reference) {
	g, k := s.g, a.step.coord
	var rest symbolic.Node
	constant, at := 0.0, 0.0
	for i := range elements {
		p := &elements[i]
		switch {
		case p.step == nil:
			constant += p.angle
		case p.step.slides || p == a:
		case !s.closedForm[p.step.coord]:
			s.turned(a)
			return
		default:
			c := p.step.coord
			rest = g.Add(rest, g.Mul(g.Float(p.ratio), s.at[c]))
			constant += p.offset
			at += p.ratio * ref.q[c]
		}
	}
	// ratio·q + offset + rest + constant is a whole number of turns.
	constant += a.offset
	turns := 2 * math.Pi * math.Round((a.ratio*ref.q[k]+at+constant)/(2*math.Pi))
	s.at[k] = g.Mul(g.Float(-a.ratio), g.Add(rest, g.Float(constant-turns)))
	s.closedForm[k], s.phase[k] = true, cplx{}
}

// triangle solves a loop for three revolute joints.
func (s *solver) triangle(pl *plane, elements []element, c3 corners, ref reference) bool {
	a, b, c := c3.joint[0], c3.joint[1], c3.joint[2]
	ib, ic := c3.at[1], c3.at[2]
	ab := [2]float64{b.step.o[0] - a.step.o[0], b.step.o[1] - a.step.o[1]}
	ac := [2]float64{c.step.o[0] - a.step.o[0], c.step.o[1] - a.step.o[1]}
	area := ab[0]*ac[1] - ab[1]*ac[0]
	if math.Abs(area) <= rankTolerance*(math.Hypot(ab[0], ab[1])*math.Hypot(ac[0], ac[1])) {
		return false
	}
	g := s.g
	first, second, third := s.sides(elements, c3)
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
	// Linear relations are exact up to the state where the two assemblies of the loop coincide; the triangle below loses digits before.
	if s.parallel(pl, elements, c3.joint, ref) {
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
	for _, p := range c3.joint {
		s.turned(p)
	}
	inverse := g.Div(symbolic.One, s.cross(side, base))
	s.rates(elements, c3.joint, func(sum symbolic.Node, moment cplx) [3]symbolic.Node {
		r := s.sub(s.scale(sum, a.o), moment)
		vb := g.Mul(s.cross(r, base), inverse)
		vc := g.Mul(s.cross(side, r), inverse)
		return [3]symbolic.Node{-g.Add(sum, g.Add(vb, vc)), vb, vc}
	})
	return true
}
