package loops

import "ident/symbolic"

// rates finds rates, G and its derivative or the accelerations of the corners, which resolve gives from the sum of the
// known joints' rates and from their moment.
func (s *solver) rates(elements []element, corners [3]*element, resolve func(sum symbolic.Node, moment cplx) [3]symbolic.Node) {
	g := s.g
	// solve finds the values of the corners from those of the known joints, of(k),
	// with `more` added to the moment.
	solve := func(of func(k int) symbolic.Node, more cplx, set func(k int, v symbolic.Node)) {
		var sum symbolic.Node
		moment := more
		for i := range elements {
			p := &elements[i]
			if p.step == nil || !s.known[p.step.coord] {
				continue
			}
			u := g.Mul(g.Float(p.ratio), of(p.step.coord))
			if p.step.slides {
				moment = s.add(moment, s.scale(u, timesI(p.o)))
				continue
			}
			sum = g.Add(sum, u)
			moment = s.add(moment, s.scale(u, p.o))
		}
		for i, v := range resolve(sum, moment) {
			set(corners[i].step.coord, g.Mul(g.Float(corners[i].ratio), v)) // a ratio of ±1 is its inverse
		}
	}
	solve(func(k int) symbolic.Node { return s.rate[k] }, cplx{}, func(k int, v symbolic.Node) { s.rate[k] = v })
	nd := len(s.jacobian[corners[0].step.coord])
	for j := range nd {
		solve(func(k int) symbolic.Node { return s.jacobian[k][j] }, cplx{}, func(k int, v symbolic.Node) { s.jacobian[k][j] = v })
	}
	// drift is the derivative of the moment of the values by the motion of the axes.
	drift := func(of func(k int) symbolic.Node) cplx {
		var w symbolic.Node
		var m, d cplx
		for i := range elements {
			p := &elements[i]
			if p.step == nil {
				continue
			}
			k := p.step.coord
			f := g.Float(p.ratio)
			v, u := g.Mul(f, s.rate[k]), g.Mul(f, of(k))
			if p.step.slides {
				d = s.sub(d, s.scale(g.Mul(u, w), p.o))
				m = s.add(m, s.scale(v, timesI(p.o)))
				continue
			}
			d = s.add(d, s.scale(u, timesI(s.sub(s.scale(w, p.o), m))))
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
		of := func(k int) symbolic.Node { return s.jacobian[k][j] }
		solve(func(k int) symbolic.Node { return s.jacobianRate[k][j] }, drift(of), func(k int, v symbolic.Node) { s.jacobianRate[k][j] = v })
	}
}
