package regressor

import (
	"fmt"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
)

// Adjoint is working memory of Pullback for one goroutine.
type Adjoint struct {
	motion, grad motion // of the Pullback at hand
	first, n     int    // samples at hand
	links        []adjointLink
	parts        []differentiable // the model's
	moved        int              // the first so many of them need the motion of a link
	program      adjointProgram   // of a compiled model
	closed       *closedAdjoint   // of a robot with closed loops
}

// motion has one slice per joint for each of q, dq and ddq, or for derivatives by them.
type motion struct{ q, dq, ddq [][]float64 }

// adjointLink is a link's motion at one sample. Fields ending in Bar hold the derivative of the sum by it.
type adjointLink struct {
	rot                spatial.Mat // placement on the antecedent
	p                  spatial.Vec
	w, dw, dv          spatial.Vec
	wBar, dwBar, dvBar spatial.Vec
	rate               float64
	a, v, aBar, vBar   []spatial.Vec // per row
}

// NewAdjoint allocates working memory for Pullback. It panics if the model is not Differentiable.
func (m *Model) NewAdjoint() *Adjoint {
	if c, ok := m.Differentiable(); !ok {
		panic(fmt.Sprintf("regressor: no derivative of column %s is known", c.Name))
	}
	if m.loops != nil {
		return &Adjoint{closed: &closedAdjoint{ws: m.NewWorkspace()}}
	}
	ad := &Adjoint{links: make([]adjointLink, len(m.chain.links))}
	for _, p := range m.parts {
		ad.parts = append(ad.parts, p.(differentiable))
		if p.where().link >= 0 {
			ad.moved++
		}
	}
	for j := range ad.links {
		n := len(m.chain.links[j].rows)
		l := &ad.links[j]
		l.a, l.v, l.aBar, l.vBar = make([]spatial.Vec, n), make([]spatial.Vec, n), make([]spatial.Vec, n), make([]spatial.Vec, n)
	}
	return ad
}

// Differentiable reports whether Pullback can differentiate all columns: those of the terms links, Ia, Fv, Fs and Fo. If
// not, it also returns the first other column.
func (m *Model) Differentiable() (Column, bool) {
	for _, c := range m.columns {
		switch c.Term {
		case Links, Ia, Fv, Fs, Fo:
		default:
			return c, false
		}
	}
	return Column{}, true
}

// Pullback adds to gq, gdq and gddq, joint by joint and sample by sample, the
// derivative by q, dq and ddq of
//
//	Σ gamma·Y(q, dq, ddq)
//
// over all entries of the regressor at the sample; gamma is laid out as a
// Block of the model. It is exact: one sweep outward repeats the recursion, one
// inward carries its adjoint, at the cost of a few evaluations whatever the
// number of joints. Coulomb friction's sign has no slope and adds nothing. It
// allocates nothing after the first call. A compiled model has a program for it, made
// from that of its rows. Through closed loops it is by central differences instead,
// good to nine digits.
func (m *Model) Pullback(gq, gdq, gddq [][]float64, gamma *Block, q, dq, ddq [][]float64, ad *Adjoint) {
	for _, v := range [...][][]float64{q, dq, ddq, gq, gdq, gddq} {
		m.checkMotion("motion or gradient", v, gamma.Rows)
	}
	if len(gamma.Joint) != len(m.mask) || len(ad.links) != len(m.chain.links) {
		panic(fmt.Sprintf("regressor: block of %d joints or workspace of %d links made for another model", len(gamma.Joint), len(ad.links)))
	}
	if m.loops != nil {
		ad.closed.pullback(m, [3][][]float64{gq, gdq, gddq}, gamma, [3][][]float64{slices.Clone(q), slices.Clone(dq), slices.Clone(ddq)})
		return
	}
	ad.motion, ad.grad = motion{q, dq, ddq}, motion{gq, gdq, gddq}
	if m.programs != nil {
		m.programs.pullback(gamma, ad)
	} else {
		m.sweepBack(gamma, ad)
	}
	ad.first, ad.n = 0, gamma.Rows
	for _, p := range ad.parts[ad.moved:] {
		p.adjoint(gamma, ad)
	}
}

// sweepBack adds the gradient of the parts that need the motion of links, by the recursion and its adjoint.
func (m *Model) sweepBack(gamma *Block, ad *Adjoint) {
	for t := range gamma.Rows {
		ad.first, ad.n = t, 1
		for j := range m.chain.links {
			if m.used[j] {
				m.chain.adjointOut(j, ad)
			}
		}
		next := ad.moved - 1
		for j := len(m.chain.links) - 1; j >= 0; j-- {
			if !m.used[j] {
				continue
			}
			for ; next >= 0 && m.parts[next].where().link == j; next-- {
				ad.parts[next].adjoint(gamma, ad)
			}
			m.chain.adjointIn(j, ad)
		}
	}
}

// adjointOut repeats the recursion of move at one sample.
func (c *chain) adjointOut(j int, ad *Adjoint) {
	p, l, t := &c.links[j], &ad.links[j], ad.first
	l.rot, l.p, l.rate = p.r, p.p, 0
	acc := 0.0
	if p.coord >= 0 {
		x := p.ratio*ad.motion.q[p.coord][t] + p.offset
		l.rate, acc = p.ratio*ad.motion.dq[p.coord][t], p.ratio*ad.motion.ddq[p.coord][t]
		if p.kind == robot.Revolute {
			l.rot = spatial.Mul(p.r, spatial.RotZ(x))
		} else {
			l.p = spatial.AddScaled(p.p, x, spatial.Vec{p.r[0][2], p.r[1][2], p.r[2][2]})
		}
	}
	l.wBar, l.dwBar, l.dvBar = spatial.Vec{}, spatial.Vec{}, spatial.Vec{}
	clear(l.aBar)
	clear(l.vBar)
	if p.antecedent < 0 {
		l.w, l.dw = spatial.Vec{}, spatial.Vec{}
		l.dv = spatial.MulTVec(l.rot, spatial.Scale(-1, c.gravity))
	} else {
		i := &ad.links[p.antecedent]
		l.w, l.dw = spatial.MulTVec(l.rot, i.w), spatial.MulTVec(l.rot, i.dw)
		l.dv = spatial.MulTVec(l.rot, spatial.Add(i.dv, spatial.Add(spatial.Cross(i.dw, l.p), spatial.Cross(i.w, spatial.Cross(i.w, l.p)))))
	}
	switch p.kind {
	case robot.Revolute:
		l.dw[0] += l.w[1] * l.rate
		l.dw[1] -= l.w[0] * l.rate
		l.dw[2] += acc
		l.w[2] += l.rate
	case robot.Prismatic:
		l.dv[0] += 2 * l.w[1] * l.rate
		l.dv[1] -= 2 * l.w[0] * l.rate
		l.dv[2] += acc
	}
	for k := range p.rows {
		row := &p.rows[k]
		l.a[k], l.v[k] = spatial.Vec{}, spatial.Vec{}
		if row.before >= 0 {
			i := &ad.links[p.antecedent]
			l.a[k] = spatial.MulTVec(l.rot, i.a[row.before])
			l.v[k] = spatial.MulTVec(l.rot, spatial.Add(i.v[row.before], spatial.Cross(i.a[row.before], l.p)))
		}
		if row.coord == p.coord {
			if p.kind == robot.Revolute {
				l.a[k][2] += p.ratio
			} else {
				l.v[k][2] += p.ratio
			}
		}
	}
}

// centripetalBar returns the derivative by w of v·(w×(w×s)).
func centripetalBar(w, s, v spatial.Vec) spatial.Vec {
	return spatial.AddScaled(spatial.AddScaled(spatial.Scale(spatial.Dot(w, s), v), spatial.Dot(v, w), s), -2*spatial.Dot(v, s), w)
}

// adjointIn carries the adjoint through the link's joint to its antecedent.
func (c *chain) adjointIn(j int, ad *Adjoint) {
	p, l, t := &c.links[j], &ad.links[j], ad.first
	// Without the joint's own motion, the vectors are the antecedent's, rotated.
	dw, dv := l.dw, l.dv
	var rateBar, accBar, posBar float64
	switch p.kind {
	case robot.Revolute:
		rateBar = l.wBar[2] + l.dwBar[0]*l.w[1] - l.dwBar[1]*l.w[0]
		accBar = l.dwBar[2]
		l.wBar[1] += l.rate * l.dwBar[0]
		l.wBar[0] -= l.rate * l.dwBar[1]
		dw[0] -= l.w[1] * l.rate
		dw[1] += l.w[0] * l.rate
	case robot.Prismatic:
		rateBar = 2 * (l.dvBar[0]*l.w[1] - l.dvBar[1]*l.w[0])
		accBar = l.dvBar[2]
		l.wBar[1] += 2 * l.rate * l.dvBar[0]
		l.wBar[0] -= 2 * l.rate * l.dvBar[1]
	}
	// A vector rotated back by the joint changes with its angle by -z×.
	turn := func(x, bar *spatial.Vec) float64 { return bar[0]*x[1] - bar[1]*x[0] }
	if p.kind == robot.Revolute {
		posBar = turn(&l.w, &l.wBar) + turn(&dw, &l.dwBar) + turn(&dv, &l.dvBar)
		for k := range p.rows {
			posBar += turn(&l.a[k], &l.aBar[k]) + turn(&l.v[k], &l.vBar[k])
		}
	}
	if i := p.antecedent; i >= 0 {
		up := &ad.links[i]
		sum := spatial.MulVec(l.rot, l.dvBar)
		up.wBar = spatial.Add(up.wBar, spatial.Add(spatial.MulVec(l.rot, l.wBar), centripetalBar(up.w, l.p, sum)))
		up.dwBar = spatial.Add(up.dwBar, spatial.Add(spatial.MulVec(l.rot, l.dwBar), spatial.Cross(l.p, sum)))
		up.dvBar = spatial.Add(up.dvBar, sum)
		pBar := spatial.Add(spatial.Cross(sum, up.dw), spatial.Cross(up.w, spatial.Cross(up.w, sum)))
		for k := range p.rows {
			row := &p.rows[k]
			if row.before < 0 {
				continue
			}
			vBar := spatial.MulVec(l.rot, l.vBar[k])
			up.vBar[row.before] = spatial.Add(up.vBar[row.before], vBar)
			up.aBar[row.before] = spatial.Add(up.aBar[row.before], spatial.Add(spatial.MulVec(l.rot, l.aBar[k]), spatial.Cross(l.p, vBar)))
			pBar = spatial.Add(pBar, spatial.Cross(vBar, up.a[row.before]))
		}
		if p.kind == robot.Prismatic {
			posBar += spatial.Dot(pBar, spatial.Vec{p.r[0][2], p.r[1][2], p.r[2][2]})
		}
	}
	if p.coord >= 0 {
		ad.grad.q[p.coord][t] += p.ratio * posBar
		ad.grad.dq[p.coord][t] += p.ratio * rateBar
		ad.grad.ddq[p.coord][t] += p.ratio * accBar
	}
}
