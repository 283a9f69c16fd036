package loops

import (
	"math"
	"slices"

	"ident/symbolic"
)

// sketch puts explicit formulas of plane loops on a graph. A loop that has three
// revolute joints still to be found, all else in it known, is a triangle of
// their axes whose sides are known: two circles meet on the side of the third
// where the assembly has it. Loops are solved one after the other, each with
// what those before it gave (Assur's groups of two bars), and couplings with one
// unknown likewise.
//
// Rates are barycentric: with the axes at the complex numbers O of the plane, and
// the slides along d,
//
//	Σ u̇ = 0,  Σ u̇·O + i·Σ u̇·d = 0
//
// so those of the triangle's corners are the coordinates of a point in it. The
// derivative by time of both gives accelerations and the rates of G.
type sketch struct {
	g     *symbolic.Graph
	known []bool
	at    []symbolic.Node // positions of coordinates that have a formula without an angle of a vector
	plain []bool          // that have
	turn  []spot          // cosine and sine of revolute coordinates
	rate  []symbolic.Node
	acc   []symbolic.Node   // in the sketch for accelerations
	gain  [][]symbolic.Node // by driven joint
	spin  [][]symbolic.Node // its rates, in the sketch for them
	guard []symbolic.Node   // positive where a triangle is far enough from flat
}

// spot is a complex number.
type spot struct{ x, y symbolic.Node }

// part is a joint of a loop, or the placement of the frames at its cut, on the
// way round: out along one side and back along the other.
type part struct {
	step          *flatStep // nil for the placement
	ratio, offset float64
	at, turned    spot
	e             spot // the rotation that it makes
	o             spot // where its axis is, or its direction
}

// slimmest is the sine of a triangle's angle below which Newton's method takes
// over: the formulas lose its inverse in digits, and near flat triangles
// assemblies meet.
const slimmest = 0.2

// flattest is the same for parallelograms.
const flattest = 0.01

func (s *sketch) mul(a, b spot) spot {
	g := s.g
	return spot{g.Sub(g.Mul(a.x, b.x), g.Mul(a.y, b.y)), g.Add(g.Mul(a.x, b.y), g.Mul(a.y, b.x))}
}

func (s *sketch) add(a, b spot) spot { return spot{s.g.Add(a.x, b.x), s.g.Add(a.y, b.y)} }

func (s *sketch) sub(a, b spot) spot { return spot{s.g.Sub(a.x, b.x), s.g.Sub(a.y, b.y)} }

func (s *sketch) scale(f symbolic.Node, a spot) spot { return spot{s.g.Mul(f, a.x), s.g.Mul(f, a.y)} }

func (s *sketch) cross(a, b spot) symbolic.Node {
	return s.g.Sub(s.g.Mul(a.x, b.y), s.g.Mul(a.y, b.x))
}

func (s *sketch) square(a spot) symbolic.Node { return s.g.Add(s.g.Mul(a.x, a.x), s.g.Mul(a.y, a.y)) }

func (s *sketch) constant(x, y float64) spot { return spot{s.g.Float(x), s.g.Float(y)} }

func (s *sketch) polar(angle float64) spot {
	sin, cos := math.Sincos(angle)
	return s.constant(cos, sin)
}

func conj(a spot) spot { return spot{a.x, -a.y} }

func quarter(a spot) spot { return spot{-a.y, a.x} }

// round lists the parts of a plane loop.
func (s *sketch) round(p *plane) []part {
	var out []part
	joint := func(f *flatStep, sign float64) {
		out = append(out, part{step: f, ratio: sign * f.ratio, offset: sign * f.offset, at: s.constant(f.at[0], f.at[1])})
	}
	a, b := &p.sides[0], &p.sides[1]
	for i := range a.steps {
		joint(&a.steps[i], 1)
	}
	sin, cos := math.Sincos(p.angle)
	out = append(out, part{
		at:     s.constant(a.end[0]-(cos*b.end[0]-sin*b.end[1]), a.end[1]-(sin*b.end[0]+cos*b.end[1])),
		turned: s.polar(p.angle),
	})
	for i := range slices.Backward(b.steps) {
		joint(&b.steps[i], -1)
	}
	return out
}

// rotation is the rotation of a known revolute joint.
func (s *sketch) rotation(p *part) spot {
	k := p.step.coord
	if math.Abs(p.ratio) != 1 {
		u := s.g.Add(s.g.Mul(s.g.Float(p.ratio), s.at[k]), s.g.Float(p.offset))
		return spot{s.g.Cos(u), s.g.Sin(u)}
	}
	e := s.turn[k]
	if e == (spot{}) {
		e = spot{s.g.Cos(s.at[k]), s.g.Sin(s.at[k])}
		s.turn[k] = e
	}
	if p.ratio < 0 {
		e = conj(e)
	}
	return s.mul(e, s.polar(p.offset))
}

// frame is where the parts of a loop take a frame of the plane.
type frame struct{ e, p spot }

// pass goes through known parts from a frame on, and places them.
func (s *sketch) pass(f frame, parts []part) frame {
	for i := range parts {
		p := &parts[i]
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
// any other. The plane has been walked at a state of the assembly.
func (s *sketch) triangle(pl *plane, o opening) bool {
	parts := s.round(pl)
	var corners []int
	for i := range parts {
		p := &parts[i]
		switch {
		case p.step == nil:
		case !s.known[p.step.coord]:
			if p.step.slides || math.Abs(p.ratio) != 1 {
				return false
			}
			corners = append(corners, i)
		case p.step.slides && !s.plain[p.step.coord], math.Abs(p.ratio) != 1 && !s.plain[p.step.coord]:
			return false
		}
	}
	if len(corners) != 3 {
		return false
	}
	// The way round begins at the first corner.
	parts = append(parts[corners[0]:], parts[:corners[0]]...)
	ib, ic := corners[1]-corners[0], corners[2]-corners[0]
	a, b, c := &parts[0], &parts[ib], &parts[ic]
	if a.step.coord == b.step.coord || b.step.coord == c.step.coord || a.step.coord == c.step.coord {
		return false
	}
	for i := range parts {
		if p := &parts[i]; p.step != nil && !p.step.slides && i != 0 && i != ib && i != ic {
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
	first, second, third := s.pass(start, parts[1:ib]), s.pass(start, parts[ib+1:ic]), s.pass(start, parts[ic+1:])
	// In the frame before the first corner: where the third is, and the sides
	// from the first to the second and on to the third in their own bodies.
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
		for _, p := range []*part{a, b, c} {
			s.known[p.step.coord] = true
		}
	}()
	// Linear relations lose no digits: they end where the assemblies meet.
	if s.parallel(pl, parts, [3]*part{a, b, c}, o) {
		s.guard = append(s.guard, g.Sub(high, g.Mul(g.Float(flattest*flattest), whole)))
		return true
	}
	s.guard = append(s.guard, g.Sub(high, g.Mul(g.Float(slimmest*slimmest), whole)))
	y := g.Sqrt(high)
	if area > 0 {
		y = -y
	}
	side := s.scale(g.Div(symbolic.One, l), s.mul(base, spot{x, y}))
	ea := s.scale(g.Div(symbolic.One, l1), s.mul(side, conj(one)))
	eb := s.scale(g.Div(symbolic.One, l2), s.mul(s.sub(base, side), conj(two)))
	a.e = ea
	b.e = s.mul(eb, conj(s.mul(ea, first.e)))
	c.e = conj(s.mul(s.mul(eb, second.e), third.e))
	// Each joint where it is now, seen in that frame.
	a.o, b.o, c.o = a.at, s.add(a.at, side), at
	s.pass(frame{ea, s.sub(a.o, s.mul(ea, a.at))}, parts[1:ib])
	s.pass(frame{eb, s.sub(b.o, s.mul(eb, b.at))}, parts[ib+1:ic])
	s.pass(home, parts[ic+1:])
	for _, p := range []*part{a, b, c} {
		e := s.mul(p.e, s.polar(-p.offset))
		if p.ratio < 0 {
			e = conj(e)
		}
		s.turn[p.step.coord] = e
	}
	s.rates(parts, [3]*part{a, b, c}, side, base)
	return true
}

// rates finds rates, G and its derivative or the accelerations of the corners.
func (s *sketch) rates(parts []part, corners [3]*part, side, base spot) {
	g := s.g
	inverse := g.Div(symbolic.One, s.cross(side, base))
	// solve finds the corners' part where the known joints have values of, and
	// the moment beside theirs is more.
	solve := func(of func(k int) symbolic.Node, more spot, set func(k int, v symbolic.Node)) {
		var sum symbolic.Node
		moment := more
		for i := range parts {
			p := &parts[i]
			if p.step == nil || !s.known[p.step.coord] {
				continue
			}
			u := g.Mul(g.Float(p.ratio), of(p.step.coord))
			if p.step.slides {
				moment = s.add(moment, s.scale(u, quarter(p.o)))
				continue
			}
			sum = g.Add(sum, u)
			moment = s.add(moment, s.scale(u, p.o))
		}
		r := s.sub(s.scale(sum, corners[0].o), moment)
		vb := g.Mul(s.cross(r, base), inverse)
		vc := g.Mul(s.cross(side, r), inverse)
		va := -g.Add(sum, g.Add(vb, vc))
		for i, v := range [3]symbolic.Node{va, vb, vc} {
			set(corners[i].step.coord, g.Mul(g.Float(corners[i].ratio), v)) // a ratio of ±1 is its inverse
		}
	}
	solve(func(k int) symbolic.Node { return s.rate[k] }, spot{}, func(k int, v symbolic.Node) { s.rate[k] = v })
	nd := len(s.gain[corners[0].step.coord])
	for j := range nd {
		solve(func(k int) symbolic.Node { return s.gain[k][j] }, spot{}, func(k int, v symbolic.Node) { s.gain[k][j] = v })
	}
	// drift is what moving axes add to the moment of the values of.
	drift := func(of func(k int) symbolic.Node) spot {
		var w symbolic.Node
		var m, d spot
		for i := range parts {
			p := &parts[i]
			if p.step == nil {
				continue
			}
			k := p.step.coord
			f := g.Float(p.ratio)
			v, u := g.Mul(f, s.rate[k]), g.Mul(f, of(k))
			if p.step.slides {
				d = s.sub(d, s.scale(g.Mul(u, w), p.o))
				m = s.add(m, s.scale(v, quarter(p.o)))
				continue
			}
			d = s.add(d, s.scale(u, quarter(s.sub(s.scale(w, p.o), m))))
			w = g.Add(w, v)
			m = s.add(m, s.scale(v, p.o))
		}
		return d
	}
	if s.acc != nil {
		solve(func(k int) symbolic.Node { return s.acc[k] }, drift(func(k int) symbolic.Node { return s.rate[k] }), func(k int, v symbolic.Node) { s.acc[k] = v })
		return
	}
	for j := range nd {
		of := func(k int) symbolic.Node { return s.gain[k][j] }
		solve(func(k int) symbolic.Node { return s.spin[k][j] }, drift(of), func(k int, v symbolic.Node) { s.spin[k][j] = v })
	}
}

// coupling solves a linear relation for its one unknown; it returns false where
// there are more, or where a position in it has no formula.
func (s *sketch) coupling(con *contour, unit []float64) bool {
	g := s.g
	to, factor := -1, 0.0
	for _, t := range con.linear {
		f := t.factor / unit[t.coord]
		switch {
		case !s.known[t.coord] && to < 0:
			to, factor = t.coord, f
		case !s.known[t.coord] || !s.plain[t.coord] || t.coord == to:
			return false
		}
	}
	if to < 0 {
		return false
	}
	sum := func(of func(k int) symbolic.Node, offset float64) symbolic.Node {
		v := g.Float(-offset / factor)
		for _, t := range con.linear {
			if t.coord != to {
				v = g.Sub(v, g.Mul(g.Float(t.factor/unit[t.coord]/factor), of(t.coord)))
			}
		}
		return v
	}
	s.at[to] = sum(func(k int) symbolic.Node { return s.at[k] }, con.offset)
	s.rate[to] = sum(func(k int) symbolic.Node { return s.rate[k] }, 0)
	if s.acc != nil {
		s.acc[to] = sum(func(k int) symbolic.Node { return s.acc[k] }, 0)
	}
	for j := range s.gain[to] {
		s.gain[to][j] = sum(func(k int) symbolic.Node { return s.gain[k][j] }, 0)
	}
	s.known[to], s.plain[to] = true, true
	return true
}
