package recursion

// Solve returns x with a·x = b for a symmetric positive definite matrix, by
// a = Lᵀ·D·L from the last row to the first: in this order a zero of a stays a
// zero of L where joints are on different branches (Featherstone 2005).
func (t *Tree) Solve(a [][]Node, b []Node) []Node {
	g := t.G
	n := len(b)
	m := square(n)
	for i := range n {
		copy(m[i], a[i])
	}
	inverse := make([]Node, n)
	for k := n - 1; k >= 0; k-- {
		inverse[k] = g.Div(one, m[k][k])
		for i := range k {
			if m[k][i] == 0 {
				m[i][k] = 0
				continue
			}
			l := g.Mul(m[k][i], inverse[k])
			for j := range i + 1 {
				m[i][j] = g.Sub(m[i][j], g.Mul(l, m[k][j]))
			}
			m[i][k] = l // upper triangle: the factor
		}
	}
	x := append([]Node(nil), b...)
	for k := n - 1; k >= 0; k-- {
		for i := range k {
			x[i] = g.Sub(x[i], g.Mul(m[i][k], x[k]))
		}
	}
	for k := range n {
		x[k] = g.Mul(x[k], inverse[k])
		for i := range k {
			x[k] = g.Sub(x[k], g.Mul(m[i][k], x[i]))
		}
	}
	return x
}
