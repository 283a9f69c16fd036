package symbolic

import "slices"

// maxFactors bounds the products in which angle sums are looked for.
const maxFactors = 6

// angleSum finds cos(x)·cos(y)·f ∓ sin(x)·sin(y)·f and its like, which parallel
// axes produce, and returns cos(x ± y)·f.
func (g *Graph) angleSum(a, b Node) (Node, bool) {
	if g.nodes[a.abs()].op != OpMul || g.nodes[b.abs()].op != OpMul {
		return 0, false
	}
	ka, fa := g.factors(a)
	kb, fb := g.factors(b)
	if ka.abs() != kb.abs() || len(fa) != len(fb) {
		return 0, false
	}
	ta, ra := g.trigonometric(fa, fb)
	tb, rb := g.trigonometric(fb, fa)
	if len(ta) != 2 || len(tb) != 2 || !slices.Equal(ra, rb) {
		return 0, false
	}
	u, v := g.nodes[ta[0]], g.nodes[ta[1]]
	w, z := g.nodes[tb[0]], g.nodes[tb[1]]
	if w.a != u.a {
		w, z = z, w
	}
	if w.a != u.a || z.a != v.a || u.op == w.op || v.op == z.op {
		return 0, false
	}
	same := (ka < 0) == (kb < 0)
	var t Node
	if u.op == v.op { // a cos·cos, b sin·sin, or the other way round
		// cos(x-y) = cc + ss; cos(x+y) = cc - ss
		if same {
			t = g.Cos(g.Sub(u.a, v.a))
		} else {
			t = g.Cos(g.Add(u.a, v.a)).times(u.op == OpSin)
		}
	} else { // sin(x)cos(y) ± cos(x)sin(y), x being the angle whose sine a has
		x, y := u.a, v.a
		if u.op == OpCos {
			x, y = y, x
		}
		if same {
			t = g.Sin(g.Add(x, y))
		} else {
			t = g.Sin(g.Sub(x, y))
		}
	}
	for _, f := range ra {
		t = g.Mul(t, f)
	}
	return g.Mul(ka, t), true
}

// factors takes a product apart: its constant with the sign, and the other
// factors in order.
func (g *Graph) factors(n Node) (k Node, fs []Node) {
	k = One
	var walk func(n Node)
	walk = func(n Node) {
		switch v := g.nodes[n.abs()]; {
		case v.op == opConst:
			k = g.Mul(k, n)
		case v.op == OpMul && len(fs) < maxFactors:
			k = k.times(n < 0)
			walk(v.a)
			walk(v.b)
		default:
			k = k.times(n < 0)
			fs = append(fs, n.abs())
		}
	}
	walk(n)
	slices.Sort(fs)
	return k, fs
}

// trigonometric splits the factors of one product into sines and cosines that
// the other does not have as often, and the rest.
func (g *Graph) trigonometric(fs, others []Node) (trig, rest []Node) {
	left := slices.Clone(others)
	for _, f := range fs {
		i := slices.Index(left, f)
		if op := g.nodes[f].op; i < 0 && (op == OpSin || op == OpCos) {
			trig = append(trig, f)
			continue
		}
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		rest = append(rest, f)
	}
	return trig, rest
}
