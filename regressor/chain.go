package regressor

import (
	"slices"

	"ident/internal/lanes"
	"ident/robot"
)

// chain is the tree of links; recursions run along it outward.
type chain struct {
	links   []link
	gravity [3]float64
}

// link is one link with the joint that carries it.
type link struct {
	kind       robot.Kind
	antecedent int
	r          [3][3]float64
	p          [3]float64
	coord      int // coordinate that moves the joint, -1 for a fixed one
	ratio      float64
	offset     float64
	rows       []linkRow // coordinates that move this link, ascending
	own        bool      // this joint alone has its coordinate: its screw here is the unit z
}

// linkRow is one coordinate that moves a link.
type linkRow struct {
	coord  int
	before int // position of the same coordinate in the antecedent's rows, -1 if it starts here
}

// newChain returns the links of a valid robot and the link of each coordinate: of
// every moving joint that does not mimic another.
func newChain(r *robot.Robot) (chain, []int) {
	c := chain{gravity: r.Gravity}
	var coords []int
	mimics := map[int]robot.Mimic{}
	for _, f := range r.Mimics {
		mimics[f.Joint] = f
	}
	for j := range r.Links {
		l := &r.Links[j]
		p := link{kind: l.Joint.Kind, antecedent: l.Antecedent, r: l.Placement.R, p: l.Placement.P, coord: -1, ratio: 1}
		if _, mimic := mimics[j]; p.kind != robot.Fixed && !mimic {
			p.coord = len(coords)
			coords = append(coords, j)
		}
		c.links = append(c.links, p)
	}
	shared := map[int]bool{}
	for j, f := range mimics {
		lead := c.links[f.Of].coord
		c.links[j].coord, c.links[j].ratio, c.links[j].offset = lead, f.Multiplier, f.Offset
		shared[lead] = true
	}
	for j := range c.links {
		p := &c.links[j]
		if i := p.antecedent; i >= 0 {
			for k, row := range c.links[i].rows {
				p.rows = append(p.rows, linkRow{coord: row.coord, before: k})
			}
		}
		if p.coord < 0 {
			continue
		}
		p.own = !shared[p.coord]
		if !slices.ContainsFunc(p.rows, func(w linkRow) bool { return w.coord == p.coord }) {
			p.rows = append(p.rows, linkRow{coord: p.coord, before: -1})
			slices.SortFunc(p.rows, func(a, b linkRow) int { return a.coord - b.coord })
		}
	}
	return c, coords
}

// movers returns the coordinates that move a link, ascending.
func (c *chain) movers(link int) []int {
	var coords []int
	for _, row := range c.links[link].rows {
		coords = append(coords, row.coord)
	}
	return coords
}

// place returns sine and cosine of the link's joint angle, and the origin of its frame in its antecedent's.
func (p *link) place(ws *Workspace) (s, c []float64, pos lanes.Vec) {
	n := ws.n
	s, c = ws.sin[:n], ws.cos[:n]
	switch p.kind {
	case robot.Revolute:
		angle := ws.cut(ws.batch.Q[p.coord])
		if p.ratio != 1 || p.offset != 0 {
			for i := range n {
				ws.tmp[0][i] = p.ratio*angle[i] + p.offset
			}
			angle = ws.tmp[0][:n]
		}
		lanes.Sincos(s, c, angle)
	default:
		copy(s, ws.zeros)
		copy(c, ws.ones)
	}
	if p.kind == robot.Prismatic {
		q := ws.cut(ws.batch.Q[p.coord])
		for i := range n {
			d := p.ratio*q[i] + p.offset
			for k := range 3 {
				ws.pos[k][i] = p.p[k] + d*p.r[k][2]
			}
		}
	}
	return s, c, lanes.Cut(&ws.pos, n)
}

// scaled returns a derivative of the joint's own variable: the coordinate's times the ratio. It uses memory unless the
// ratio is one.
func (p *link) scaled(memory []float64, v [][]float64, ws *Workspace) []float64 {
	x := ws.cut(v[p.coord])
	if p.ratio == 1 {
		return x
	}
	for i := range x {
		memory[i] = p.ratio * x[i]
	}
	return memory[:ws.n]
}

// shift sets dst = v + w × the joint's offset: the velocity of a point of the antecedent.
func (p *link) shift(dst, v, w, pos *lanes.Vec) {
	if p.kind == robot.Prismatic {
		lanes.CrossAdd(dst, v, w, pos)
	} else {
		lanes.CrossAddConst(dst, v, w, &p.p)
	}
}

// moveScrews transforms the screws of earlier joints to this frame and adds the joint's own.
func (p *link) moveScrews(st *linkState, ws *Workspace, pos *lanes.Vec, s, c []float64) {
	n := ws.n
	for i := range p.rows {
		row := &p.rows[i]
		a, v := lanes.Cut(&st.a[i], n), lanes.Cut(&st.v[i], n)
		if row.before >= 0 {
			ant := &ws.links[p.antecedent]
			aa, av := lanes.Cut(&ant.a[row.before], n), lanes.Cut(&ant.v[row.before], n)
			sum := lanes.Cut(&ws.tmp2, n)
			p.shift(&sum, &av, &aa, pos)
			lanes.RotateT(&v, &sum, &p.r, c, s)
			lanes.RotateT(&a, &aa, &p.r, c, s)
		} else {
			for k := range 3 {
				lanes.Fill(a[k], 0)
				lanes.Fill(v[k], 0)
			}
		}
		if row.coord == p.coord {
			along := a[2]
			if p.kind == robot.Prismatic {
				along = v[2]
			}
			for l := range along {
				along[l] += p.ratio
			}
		}
	}
}
