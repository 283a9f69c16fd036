package loops

import "ident/symbolic"

// coupling solves a linear relation for its one unknown; it returns false where
// there are more, or where a position in it has no formula.
func (s *solver) coupling(con *contour, unit []float64) bool {
	g := s.g
	to, factor := -1, 0.0
	for _, t := range con.linear {
		f := t.factor / unit[t.coord]
		switch {
		case !s.known[t.coord] && to < 0:
			to, factor = t.coord, f
		case !s.known[t.coord] || !s.closedForm[t.coord] || t.coord == to:
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
	for j := range s.jacobian[to] {
		s.jacobian[to][j] = sum(func(k int) symbolic.Node { return s.jacobian[k][j] }, 0)
	}
	s.known[to], s.closedForm[to] = true, true
	return true
}
