package dynamics

import (
	"math"

	"ident/robot"
)

// Equations evaluates the equations of motion M·ddq + h = τ of a tree, state after state, in memory of
// its own, as forward dynamics asks for it. One goroutine uses it at a time.
//
// It is the composite-rigid-body algorithm (Walker and Orin 1982) and the recursion of Newton and
// Euler without accelerations, over the same placements, as scalars.
type Equations struct {
	t     *Tree
	links []placed // an antecedent before those that it carries
}

// placed is a link in a state. Vectors are along the axes of its own frame.
type placed struct {
	r                [9]float64 // rotation to the antecedent's axes, row-major
	p                [3]float64 // origin in the antecedent's frame
	w, dw, dv        [3]float64 // velocity and acceleration without ddq; of the origin less gravity
	f, n             [3]float64 // wrench on the link at its origin
	i                [6]float64 // composite inertia about the origin: xx xy xz yy yz zz
	s                [3]float64 // composite first moments
	m                float64    // composite mass
	r0               [9]float64 // constant part of r
	own              [6]float64
	first            [3]float64
	mass, ia         float64
	ratio, offset    float64
	antecedent, link int
	coord            int
	kind             robot.Kind
}

// Equations returns an evaluator of the equations of motion with memory of its own. Use one in each goroutine.
func (t *Tree) Equations() *Equations {
	e := &Equations{t: t, links: make([]placed, len(t.links))}
	for j := range t.links {
		l, b := &t.links[j], &e.links[j]
		for i := range 3 {
			copy(b.r0[3*i:], l.Placement.R[i][:])
		}
		b.r, b.p = b.r0, l.Placement.P
		o := l.inertia
		b.own = [6]float64{o[0][0], o[0][1], o[0][2], o[1][1], o[1][2], o[2][2]}
		b.first, b.mass, b.ia, b.ratio, b.offset = l.first, l.mass, l.ia, l.Ratio, l.Offset
		b.antecedent, b.link, b.coord, b.kind = l.Antecedent, j, l.Coord, l.Kind
	}
	return e
}

// At stores the inertia matrix, row-major DOF×DOF with the rotors, and h, the torques of gravity, Coriolis
// and centrifugal forces, of a state.
func (e *Equations) At(mass, h, q, dq []float64) {
	e.t.check("q", q)
	e.t.check("dq", dq)
	e.t.check("h", h)
	n := len(h)
	if len(mass) != n*n {
		panic("dynamics: the inertia matrix needs DOF×DOF entries")
	}
	clear(mass)
	clear(h)
	for j := range e.links {
		e.outward(&e.links[j], q, dq, nil)
	}
	for j := len(e.links) - 1; j >= 0; j-- {
		b := &e.links[j]
		if b.coord >= 0 {
			h[b.coord] += b.ratio * b.along()
			mass[b.coord*n+b.coord] += b.ratio * b.ratio * b.ia
			e.column(b, mass, n)
		}
		if b.antecedent >= 0 {
			b.carry(&e.links[b.antecedent])
		}
	}
}

// Torques stores those of a motion, as Tree.InverseDynamics does.
func (e *Equations) Torques(tau, q, dq, ddq []float64) {
	e.t.check("tau", tau)
	e.t.check("q", q)
	e.t.check("dq", dq)
	e.t.check("ddq", ddq)
	clear(tau)
	for j := range e.links {
		e.outward(&e.links[j], q, dq, ddq)
	}
	for j := len(e.links) - 1; j >= 0; j-- {
		b := &e.links[j]
		if b.coord >= 0 {
			tau[b.coord] += b.ratio * (b.along() + b.ia*b.ratio*ddq[b.coord])
		}
		if b.antecedent >= 0 {
			b.push(&e.links[b.antecedent])
		}
	}
}

// along returns the part of the link's wrench along its joint.
func (b *placed) along() float64 {
	if b.kind == robot.Revolute {
		return b.n[2]
	}
	return b.f[2]
}

// outward places a link, moves it by the rates and the accelerations, nil for none, and finds the wrench
// that its body needs.
func (e *Equations) outward(b *placed, q, dq, ddq []float64) {
	rate := 0.0
	switch b.kind {
	case robot.Revolute:
		s, c := math.Sincos(b.ratio*q[b.coord] + b.offset)
		rate = b.ratio * dq[b.coord]
		r, o := &b.r, &b.r0
		r[0], r[1] = c*o[0]+s*o[1], c*o[1]-s*o[0]
		r[3], r[4] = c*o[3]+s*o[4], c*o[4]-s*o[3]
		r[6], r[7] = c*o[6]+s*o[7], c*o[7]-s*o[6]
	case robot.Prismatic:
		d := b.ratio*q[b.coord] + b.offset
		rate = b.ratio * dq[b.coord]
		p := &e.t.links[b.link].Placement.P
		b.p = [3]float64{p[0] + d*b.r0[2], p[1] + d*b.r0[5], p[2] + d*b.r0[8]}
	}
	r := &b.r
	var w, dw, dv [3]float64
	if b.antecedent >= 0 {
		a, p := &e.links[b.antecedent], &b.p
		w, dw = turnedBack(r, &a.w), turnedBack(r, &a.dw)
		wp := cross(&a.w, p)
		x, y := cross(&a.dw, p), cross(&a.w, &wp)
		at := [3]float64{a.dv[0] + x[0] + y[0], a.dv[1] + x[1] + y[1], a.dv[2] + x[2] + y[2]}
		dv = turnedBack(r, &at)
	} else {
		g := &e.t.gravity
		up := [3]float64{-g[0], -g[1], -g[2]}
		dv = turnedBack(r, &up)
	}
	acc := 0.0
	if ddq != nil && b.coord >= 0 {
		acc = b.ratio * ddq[b.coord]
	}
	switch b.kind {
	case robot.Revolute:
		dw[2] += acc
		// dw + w × (rate·z)
		dw[0] += w[1] * rate
		dw[1] -= w[0] * rate
		w[2] += rate
	case robot.Prismatic:
		dv[2] += acc
		dv[0] += 2 * rate * w[1]
		dv[1] -= 2 * rate * w[0]
	}
	b.w, b.dw, b.dv = w, dw, dv
	s, i := &b.first, &b.own
	ws := cross(&w, s)
	x, y := cross(&dw, s), cross(&w, &ws)
	b.f = [3]float64{b.mass*dv[0] + x[0] + y[0], b.mass*dv[1] + x[1] + y[1], b.mass*dv[2] + x[2] + y[2]}
	momentum := symmetric(i, &w)
	x, y = cross(&w, &momentum), cross(s, &dv)
	z := symmetric(i, &dw)
	b.n = [3]float64{z[0] + x[0] + y[0], z[1] + x[1] + y[1], z[2] + x[2] + y[2]}
	b.i, b.s, b.m = *i, *s, b.mass
}

// column adds the joint's column of the inertia matrix, and its row: the wrench of the composite body under
// a unit rate, taken along the joints towards the base.
func (e *Equations) column(b *placed, mass []float64, n int) {
	var f, k [3]float64
	if b.kind == robot.Revolute {
		f = [3]float64{-b.s[1], b.s[0], 0}
		k = [3]float64{b.i[2], b.i[4], b.i[5]}
	} else {
		f = [3]float64{0, 0, b.m}
		k = [3]float64{b.s[1], -b.s[0], 0}
	}
	for o := b; ; {
		if o.coord >= 0 {
			along := f[2]
			if o.kind == robot.Revolute {
				along = k[2]
			}
			v := along * b.ratio * o.ratio
			mass[o.coord*n+b.coord] += v
			if o != b {
				mass[b.coord*n+o.coord] += v
			}
		}
		if o.antecedent < 0 {
			return
		}
		f, k = turned(&o.r, &f), turned(&o.r, &k)
		x := cross(&o.p, &f)
		k[0], k[1], k[2] = k[0]+x[0], k[1]+x[1], k[2]+x[2]
		o = &e.links[o.antecedent]
	}
}

// push adds the wrench to that of the antecedent.
func (b *placed) push(a *placed) {
	f, n := turned(&b.r, &b.f), turned(&b.r, &b.n)
	x := cross(&b.p, &f)
	for i := range 3 {
		a.f[i] += f[i]
		a.n[i] += n[i] + x[i]
	}
}

// carry adds the composite body and the wrench to those of the antecedent.
func (b *placed) carry(a *placed) {
	b.push(a)
	r, p := &b.r, &b.p
	s := turned(r, &b.s)
	// R·I·Rᵀ, of which the rows of R·I are the first half.
	t := &b.i
	for i := range 3 {
		u, v, w := r[3*i], r[3*i+1], r[3*i+2]
		c0, c1, c2 := u*t[0]+v*t[1]+w*t[2], u*t[1]+v*t[3]+w*t[4], u*t[2]+v*t[4]+w*t[5]
		for j := i; j < 3; j++ {
			a.i[packed[i][j]] += c0*r[3*j] + c1*r[3*j+1] + c2*r[3*j+2]
		}
	}
	// About the antecedent's origin: 2·(p·s)·1 − p·sᵀ − s·pᵀ + m·(p·p·1 − p·pᵀ).
	m := b.m
	d := [3]float64{2*s[0] + m*p[0], 2*s[1] + m*p[1], 2*s[2] + m*p[2]}
	pd := p[0]*d[0] + p[1]*d[1] + p[2]*d[2]
	a.i[0] += pd - p[0]*d[0]
	a.i[3] += pd - p[1]*d[1]
	a.i[5] += pd - p[2]*d[2]
	a.i[1] -= p[0]*s[1] + s[0]*p[1] + m*p[0]*p[1]
	a.i[2] -= p[0]*s[2] + s[0]*p[2] + m*p[0]*p[2]
	a.i[4] -= p[1]*s[2] + s[1]*p[2] + m*p[1]*p[2]
	for i := range 3 {
		a.s[i] += s[i] + m*p[i]
	}
	a.m += m
}

// packed is the place of an entry of a symmetric matrix.
var packed = [3][3]int{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}

func cross(a, b *[3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// turned is R·v, turnedBack Rᵀ·v.
func turned(r *[9]float64, v *[3]float64) [3]float64 {
	return [3]float64{r[0]*v[0] + r[1]*v[1] + r[2]*v[2], r[3]*v[0] + r[4]*v[1] + r[5]*v[2], r[6]*v[0] + r[7]*v[1] + r[8]*v[2]}
}

func turnedBack(r *[9]float64, v *[3]float64) [3]float64 {
	return [3]float64{r[0]*v[0] + r[3]*v[1] + r[6]*v[2], r[1]*v[0] + r[4]*v[1] + r[7]*v[2], r[2]*v[0] + r[5]*v[1] + r[8]*v[2]}
}

// symmetric returns the product of a packed matrix and a vector.
func symmetric(i *[6]float64, v *[3]float64) [3]float64 {
	return [3]float64{i[0]*v[0] + i[1]*v[1] + i[2]*v[2], i[1]*v[0] + i[3]*v[1] + i[4]*v[2], i[2]*v[0] + i[4]*v[1] + i[5]*v[2]}
}
