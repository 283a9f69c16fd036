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

// apply returns the operation on numbers.
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
	case OpAtan2:
		return math.Atan2(a, b)
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
