package flexible

// remainder fills w.rest: the generalized forces of velocities, gravity and strain (equations 83 to 90), without those of the drives.
func (w *Work) remainder(z, dz []float64) {
	c, n, g := &w.ops, len(w.arm.links), &w.arm.gravity
	for j := n - 1; j >= 0; j-- {
		l, at := &w.arm.links[j], w.arm.at[j]
		force := c.moment(&w.ddw[j], &w.inertia[j])
		weight := [4]float64{}
		for i := range 4 {
			weight[i] = 2 * l.Rigid[i][0]
		}
		var rate Matrix // Σ δ̇_k·D_jk
		for k := range l.First {
			c.add(&rate, dz[at+1+k], &w.cross[j][k])
			for i := range 4 {
				weight[i] += 2 * z[at+1+k] * l.First[k][0][i]
			}
			c.products, c.sums = c.products+4, c.sums+4
		}
		if len(l.First) > 0 {
			rate = transpose(&rate)
			coriolis := c.moment(&w.dw[j], &rate)
			c.add(&force, 2, &coriolis)
		}
		if j < n-1 {
			behind := c.momentT(&w.force[j+1], &w.step[j])
			c.sum(&force, &behind)
			more := c.apply(&w.step[j], &w.weight[j+1])
			for i := range more {
				weight[i] += more[i]
			}
			c.sums += 4
		}
		w.force[j], w.weight[j] = force, weight
		w.rest[at] = -2*c.trace(&w.turn[j], &force) + c.along(g, &w.turn[j], &weight)
		for f := range l.First {
			w.rest[at+1+f] = w.deflection(j, f, z, dz)
		}
	}
}

// deflection returns the entry of amplitude f of link j.
func (w *Work) deflection(j, f int, z, dz []float64) float64 {
	c, l, at := &w.ops, &w.arm.links[j], w.arm.at[j]+1
	own := c.moment(&w.ddw[j], &w.cross[j][f])
	var rate Matrix // S_jf
	for k := range l.First {
		c.add(&rate, dz[at+k], &l.Second[k][f])
	}
	coriolis := c.moment(&w.dw[j], &rate)
	c.add(&own, 2, &coriolis)
	// The trace with W_j: the top row of own is zero.
	sum := -2 * c.trace(&own, &w.w[j])
	moved := [4]float64{}
	for i := range 4 {
		moved[i] = 2 * l.First[f][0][i] // ε_jf
	}
	sum += c.along(&w.arm.gravity, &w.w[j], &moved)
	for k := range l.First {
		sum -= z[at+k] * l.Stiffness[k][f]
	}
	c.products, c.sums = c.products+len(l.First), c.sums+len(l.First)
	if j+1 < len(w.arm.links) {
		by := c.place(&w.lean[j][f], &w.place[j+1])
		sum += -2*c.trace(&by, &w.force[j+1]) + c.along(&w.arm.gravity, &by, &w.weight[j+1])
	}
	return sum
}

// along is gᵀ·a·v.
func (c *tally) along(g *[4]float64, a *Matrix, v *[4]float64) float64 {
	p := c.apply(a, v)
	c.products, c.sums = c.products+3, c.sums+2
	return g[1]*p[1] + g[2]*p[2] + g[3]*p[3]
}
