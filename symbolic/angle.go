package symbolic

import (
	"math"
	"math/big"
	"slices"
)

// Sin returns the sine of an angle in radians. Right angles are taken out of a
// sum, sines of multiples of π/12 are exact, and the terms of a sum are put in
// order, so that sin(q1 + (q2 + q3)) and sin((q2 + q1) + q3) are one node.
func (g *Graph) Sin(angle Node) Node { return g.circular(angle, 0) }

// Cos returns the cosine of an angle in radians, as Sin does.
func (g *Graph) Cos(angle Node) Node { return g.circular(angle, 1) }

// circular returns sin(angle + k·π/2).
func (g *Graph) circular(angle Node, k int) Node {
	rest, turn := g.unturned(angle)
	k = (k + turn) & 3
	if rest < 0 { // sin(-x + kπ/2) = sin(x + (2-k)π/2)
		rest, k = -rest, (2-k)&3
	}
	op := OpSin
	if k&1 == 1 {
		op = OpCos
	}
	var v Node
	c, ok := g.constantOf(rest)
	if !ok {
		v = g.intern(node{op: op, a: rest})
	} else {
		num, den, ok := pieces(c.exact)
		switch {
		case !c.isExact || !ok || 12%den != 0:
			v = g.Float(op.apply(c.value, 0))
		case op == OpSin:
			v = g.constant(exactly(special(num*(12/den), false)))
		default:
			v = g.constant(exactly(special(num*(12/den), true)))
		}
	}
	return v.times(k >= 2)
}

// unturned writes an angle as rest + turn·π/2. A constant rest lies above 0 and
// below π/2; the terms of a sum are added in the order in which they were made,
// constants first.
func (g *Graph) unturned(angle Node) (rest Node, turn int) {
	terms := g.addends(angle, nil)
	slices.SortFunc(terms, func(a, b Node) int {
		if ca, cb := g.nodes[a.abs()].op == opConst, g.nodes[b.abs()].op == opConst; ca != cb {
			if ca {
				return -1
			}
			return 1
		}
		return int(a.abs() - b.abs())
	})
	var constants Node
	for len(terms) > 0 && g.nodes[terms[0].abs()].op == opConst {
		constants = g.Add(constants, terms[0])
		terms = terms[1:]
	}
	if c, ok := g.constantOf(constants); ok && c.isExact {
		c.exact, turn = quarters(c.exact, len(terms) == 0)
		constants = 0
		if !c.exact.IsZero() {
			constants = g.constant(exactly(c.exact))
		}
	}
	for _, t := range terms {
		rest = g.Add(rest, t)
	}
	return g.Add(rest, constants), turn
}

// quarters takes right angles out of a constant angle: all of them where it
// stands alone, otherwise only if nothing is left.
func quarters(e Expr, alone bool) (rest Expr, turn int) {
	num, den, ok := pieces(e)
	if !ok {
		return e, 0
	}
	q := new(big.Rat).SetFrac64(2*int64(num), int64(den))
	floor := new(big.Int).Div(q.Num(), q.Denom()) // rounds towards -∞
	if !alone && !q.IsInt() {
		return e, 0
	}
	turn = int(new(big.Int).And(floor, big.NewInt(3)).Int64())
	return e.Sub(Symbol("Pi").times(new(big.Rat).SetFrac(floor, big.NewInt(2)))), turn
}

// addends takes a sum apart.
func (g *Graph) addends(n Node, to []Node) []Node {
	if n == 0 {
		return to
	}
	v := g.nodes[n.abs()]
	if v.op != OpAdd {
		return append(to, n)
	}
	return g.addends(v.b.times(n < 0), g.addends(v.a.times(n < 0), to))
}

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

// apply is the operation on numbers.
func (op Op) apply(a, b float64) float64 {
	switch op {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpDiv:
		return a / b
	case OpNeg:
		return -a
	case OpSin:
		return math.Sin(a)
	case OpCos:
		return math.Cos(a)
	case OpSqrt:
		return math.Sqrt(a)
	case OpAbs:
		return math.Abs(a)
	case OpAsin:
		return math.Asin(a)
	case OpAcos:
		return math.Acos(a)
	case OpAtan:
		return math.Atan(a)
	case OpSign:
		switch {
		case a > 0:
			return 1
		case a < 0:
			return -1
		}
		return a
	}
	panic("symbolic: no such operation")
}
