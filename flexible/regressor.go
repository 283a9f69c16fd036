package flexible

// Regressor fills W of
//
//	W(z, ż, z̈)·χ = F
//
// by rows of Size and columns of parameters, row-major: torques of joints, zero for amplitudes. Lengths and tips are
// taken as known.
//
// It shares no formula with the recursion. A point of link i is W_i·u, u = h + Σ δ_k·φ_k, so that with
//
//	p̈ − g = (Ẅ_i − G)·h + Σ_k (δ_k·Ẅ_i + 2·δ̇_k·Ẇ_i + δ̈_k·W_i)·φ_k    G·h = g
//	∂p/∂z_s = ∂W_i/∂z_s·u, and W_i·φ_k for the link's own amplitude k
//
// every generalized force is a sum of traces of ∂p·(p̈ − g)ᵀ over the moments of h and φ, each an unknown
// (D'Alembert's principle in Lagrange's form).
func (w *Work) Regressor(rows []float64, parameters []Parameter, z, dz, ddz []float64) {
	w.size(z, dz, ddz)
	a := w.arm
	if len(rows) != a.size*len(parameters) {
		panic("flexible: rows of another number of parameters")
	}
	m := newMaterial(a, z, dz, ddz)
	clear(rows)
	for s := range a.size {
		row := rows[s*len(parameters) : (s+1)*len(parameters)]
		for i, p := range parameters {
			row[i] = m.entry(s, p, z)
		}
	}
}

// material is the motion of the points of all links: displaced[i] and accelerated[i] are lists by h and modes of link i.
type material struct {
	arm       *Arm
	link      []int      // for each coordinate, the link that it belongs to
	w, wd, ww []Matrix   // W and its true derivatives
	by        [][]Matrix // ∂W_i/∂z_s, [i][s]
	second    [][]Matrix // acceleration of a point by its position h and by each mode shape φ, [i][0 … modes]
}

func newMaterial(a *Arm, z, dz, ddz []float64) *material {
	m := &material{arm: a}
	var c tally
	hat, dhat, ddhat := identity(), Matrix{}, Matrix{}
	by := make([]Matrix, a.size)
	for j := range a.links {
		l, at := &a.links[j], a.at[j]
		turn := rotation(&a.axes[j], z[at])
		p := c.place(&l.Place, &turn)
		first := c.place(&p, &a.axes[j])
		second := c.place(&first, &a.axes[j])
		dp, ddp := Matrix{}, Matrix{}
		c.add(&dp, dz[at], &first)
		c.add(&ddp, ddz[at], &first)
		c.add(&ddp, dz[at]*dz[at], &second)
		m.w = append(m.w, c.place(&hat, &p))
		m.wd = append(m.wd, derivative(&hat, &dhat, &p, &dp))
		m.ww = append(m.ww, secondDerivative(&hat, &dhat, &ddhat, &p, &dp, &ddp))

		own := make([]Matrix, a.size)
		for s := range at {
			own[s] = c.place(&by[s], &p)
		}
		own[at] = c.place(&hat, &first)
		m.by = append(m.by, own)
		m.link = append(m.link, j)

		acceleration := []Matrix{m.ww[j]}
		for i := range 3 {
			acceleration[0][i+1][0] -= a.gravity[i+1]
		}
		e, de, dde := identity(), Matrix{}, Matrix{}
		e[1][0] = l.Length
		for k := range l.Tip {
			t := tip(&l.Tip[k])
			c.add(&e, z[at+1+k], &t)
			c.add(&de, dz[at+1+k], &t)
			c.add(&dde, ddz[at+1+k], &t)
			var b Matrix
			c.add(&b, z[at+1+k], &m.ww[j])
			c.add(&b, 2*dz[at+1+k], &m.wd[j])
			c.add(&b, ddz[at+1+k], &m.w[j])
			acceleration = append(acceleration, b)
			m.link = append(m.link, j)
		}
		m.second = append(m.second, acceleration)
		for s := range at + 1 {
			by[s] = c.place(&own[s], &e)
		}
		for k := range l.Tip {
			t := tip(&l.Tip[k])
			by[at+1+k] = c.place(&m.w[j], &t)
		}
		hat, dhat, ddhat = c.place(&m.w[j], &e), derivative(&m.w[j], &m.wd[j], &e, &de), secondDerivative(&m.w[j], &m.wd[j], &m.ww[j], &e, &de, &dde)
	}
	return m
}

// derivative of a product.
func derivative(a, da, b, db *Matrix) Matrix {
	var c tally
	m, other := c.place(da, b), c.place(a, db)
	c.sum(&m, &other)
	return m
}

func secondDerivative(a, da, dda, b, db, ddb *Matrix) Matrix {
	var c tally
	m, cross, last := c.place(dda, b), c.place(da, db), c.place(a, ddb)
	c.add(&m, 2, &cross)
	c.sum(&m, &last)
	return m
}

// entry of coordinate s for a parameter.
func (m *material) entry(s int, p Parameter, z []float64) float64 {
	i, at := p.Link, m.arm.at[p.Link]
	if p.Kind == Stiffness {
		switch s {
		case at + 1 + p.Mode:
			return z[at+1+p.Other]
		case at + 1 + p.Other:
			return z[at+1+p.Mode]
		}
		return 0
	}
	if m.link[s] > i {
		return 0
	}
	// moved is ∂p/∂z_s by h, for part 0, or by φ of a mode.
	moved := func(part int) *Matrix {
		if s > at {
			if part == s-at {
				return &m.w[i]
			}
			return nil
		}
		return &m.by[i][s]
	}
	weight := func(part int) float64 {
		if part == 0 || s > at {
			return 1
		}
		return z[at+part]
	}
	// of columns r of the first part and c of the second.
	product := func(part, r, other, c int) float64 {
		d := moved(part)
		if d == nil {
			return 0
		}
		b, sum := &m.second[i][other], 0.0
		for x := 1; x < 4; x++ {
			sum += d[x][r] * b[x][c]
		}
		return weight(part) * sum
	}
	a, b := 0, 0
	if p.Kind != Rigid {
		b = p.Mode + 1
	}
	if p.Kind == Second {
		a, b = p.Mode+1, p.Other+1
	}
	sum := product(a, p.Row, b, p.Col)
	if a != b || p.Row != p.Col {
		sum += product(b, p.Col, a, p.Row)
	}
	return sum
}
