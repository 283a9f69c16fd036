package symbolic

import "math"

// Sub returns a - b.
func (g *Graph) Sub(a, b Node) Node { return g.Add(a, -b) }

// Add returns a + b.
func (g *Graph) Add(a, b Node) Node {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	if a == -b {
		return 0
	}
	ca, isA := g.constantOf(a)
	cb, isB := g.constantOf(b)
	if isA && isB {
		return g.fold(ca, cb, Expr.Add, ca.value+cb.value)
	}
	if n, ok := g.collect(a, b); ok {
		return n
	}
	if n, ok := g.cancel(a, b); ok {
		return n
	}
	if n, ok := g.cancel(b, a); ok {
		return n
	}
	if n, ok := g.angleSum(a, b); ok {
		return n
	}
	if a.abs() > b.abs() {
		a, b = b, a
	}
	negative := a < 0
	if negative {
		a, b = -a, -b
	}
	return g.intern(node{OpAdd, a, b}).times(negative)
}

// collect adds multiples of one value: 2x + 3x, x + x.
func (g *Graph) collect(a, b Node) (Node, bool) {
	ka, xa := g.coefficient(a)
	kb, xb := g.coefficient(b)
	if xa != xb || xa == One {
		return 0, false
	}
	return g.Mul(g.Add(ka, kb), xa), true
}

// Mul returns a·b.
func (g *Graph) Mul(a, b Node) Node {
	negative := (a < 0) != (b < 0)
	a, b = a.abs(), b.abs()
	switch {
	case a == 0 || b == 0:
		return 0
	case a == One:
		return b.times(negative)
	case b == One:
		return a.times(negative)
	}
	if g.nodes[b].op == opConst || a > b && g.nodes[a].op != opConst {
		a, b = b, a
	}
	if ca, ok := g.constantOf(a); ok {
		if cb, ok := g.constantOf(b); ok {
			return g.fold(ca, cb, Expr.Mul, ca.value*cb.value).times(negative)
		}
		if k, x := g.coefficient(b); k != One {
			return g.Mul(g.Mul(a, k), x).times(negative)
		}
	} else {
		// Two constants meet: (2x)·(3y) is 6·(x·y). One alone stays where it is,
		// because 2x may be shared.
		ka, xa := g.coefficient(a)
		kb, xb := g.coefficient(b)
		if ka != One && kb != One {
			return g.Mul(g.Mul(ka, kb), g.Mul(xa, xb)).times(negative)
		}
		if v := g.nodes[b]; v.op == OpDiv && v.b == a {
			return v.a.times(negative)
		}
		if v := g.nodes[a]; v.op == OpDiv && v.b == b {
			return v.a.times(negative)
		}
		if g.nodes[a].op == OpSqrt && a == b {
			return g.nodes[a].a.times(negative)
		}
	}
	return g.intern(node{OpMul, a, b}).times(negative)
}

// Div returns a/b. It panics for the number b = 0; a symbolic divisor is
// trusted.
func (g *Graph) Div(a, b Node) Node {
	negative := (a < 0) != (b < 0)
	a, b = a.abs(), b.abs()
	switch {
	case b == 0:
		panic("symbolic: division by zero")
	case a == 0:
		return 0
	case b == One:
		return a.times(negative)
	case a == b:
		return One.times(negative)
	}
	if cb, ok := g.constantOf(b); ok {
		ca, ok := g.constantOf(a)
		if ok {
			return g.fold(ca, cb, Expr.Div, ca.value/cb.value).times(negative)
		}
		if cb.isExact {
			return g.Mul(g.constant(exactly(cb.exact.inverse())), a).times(negative)
		}
		return g.Mul(g.constant(constant{value: 1 / cb.value}), a).times(negative)
	}
	return g.intern(node{OpDiv, a, b}).times(negative)
}

// Sqrt returns the square root.
func (g *Graph) Sqrt(a Node) Node {
	if c, ok := g.constantOf(a); ok && c.value >= 0 {
		if c.isExact && isNumber(c.exact) {
			return g.constant(exactly(Sqrt(c.exact)))
		}
		return g.constant(constant{value: math.Sqrt(c.value)})
	}
	return g.function(OpSqrt, a)
}

// Abs returns the absolute value.
func (g *Graph) Abs(a Node) Node {
	if a = a.abs(); g.nodes[a].op == opConst || g.nodes[a].op == OpAbs || g.nodes[a].op == OpSqrt {
		return a
	}
	return g.function(OpAbs, a)
}

// Sign returns 1, 0 or -1.
func (g *Graph) Sign(a Node) Node {
	if c, ok := g.constantOf(a); ok {
		if c.value == 0 {
			return 0
		}
		return One.times(c.value < 0)
	}
	return g.function(OpSign, a.abs()).times(a < 0)
}

// Asin returns the inverse sine.
func (g *Graph) Asin(a Node) Node { return g.function(OpAsin, a.abs()).times(a < 0) }

// Acos returns the inverse cosine.
func (g *Graph) Acos(a Node) Node { return g.function(OpAcos, a) }

// Atan returns the inverse tangent.
func (g *Graph) Atan(a Node) Node { return g.function(OpAtan, a.abs()).times(a < 0) }

// Atan2 returns the angle of the vector (x, y), in -π … π.
func (g *Graph) Atan2(y, x Node) Node {
	cy, isY := g.constantOf(y)
	if cx, isX := g.constantOf(x); isX && isY {
		return g.Float(math.Atan2(cy.value, cx.value))
	}
	return g.intern(node{OpAtan2, y, x})
}

// function returns the node of a function of one operand, a number where the
// operand is one.
func (g *Graph) function(op Op, a Node) Node {
	if c, ok := g.constantOf(a); ok {
		return g.Float(op.apply(c.value, 0))
	}
	return g.intern(node{op: op, a: a})
}

// Sum returns the sum of the nodes, added from the first to the last.
func (g *Graph) Sum(terms ...Node) Node {
	var s Node
	for _, t := range terms {
		s = g.Add(s, t)
	}
	return s
}
