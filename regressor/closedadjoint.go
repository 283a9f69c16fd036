package regressor

// closedAdjoint is the part of an Adjoint for robots with closed loops.
type closedAdjoint struct {
	ws       *Workspace
	up, down *Block
	shifted  []float64
}

// shift is the step of central differences in rad, rad/s and rad/s² (or m). Rounding of an entry over twice the step,
// and the third derivative times its square, are both near 1e-10 of the entries.
const shift = 1e-5

// pullback is Pullback through loops by central differences. The rows of a sample depend only on its own motion, so one
// joint is shifted at all samples at once: six evaluations a driven joint. Entries at shifted states that the loops
// cannot reach contribute nothing.
func (c *closedAdjoint) pullback(m *Model, to [3][][]float64, gamma *Block, motion [3][][]float64) {
	n := gamma.Rows
	if c.up == nil || c.up.cap < n {
		c.up, c.down, c.shifted = m.NewBlock(n), m.NewBlock(n), make([]float64, n)
	}
	c.up.Resize(n)
	c.down.Resize(n)
	for kind := range motion {
		for i := range motion[kind] {
			kept := motion[kind][i]
			at := func(b *Block, by float64) {
				for l, v := range kept[:n] {
					c.shifted[l] = v + by
				}
				motion[kind][i] = c.shifted[:n]
				m.Eval(b, motion[0], motion[1], motion[2], c.ws)
			}
			at(c.up, shift)
			at(c.down, -shift)
			motion[kind][i] = kept
			dst := to[kind][i]
			for k, mask := range m.mask {
				for a, col := range mask {
					if kind == 1 && m.columns[col].Term == Fs {
						continue // the sign has no slope
					}
					up, down, g := c.up.Joint[k][a], c.down.Joint[k][a], gamma.Joint[k][a]
					for l := range n {
						if d := g[l] * (up[l] - down[l]) / (2 * shift); d == d {
							dst[l] += d
						}
					}
				}
			}
		}
	}
}
