package symbolic

// nodeTable holds the nodes of a graph, each once, and reads their structure
// without making an operation.
type nodeTable struct {
	nodes  []node
	index  map[node]Node // of operations
	consts []constant
	known  map[string]Node // of constants, by their text
	watch  watch
}

// node is an operation. Its operands' signs are normalised: those of products
// and odd functions are taken out, and the first operand of a sum is positive.
// For constants a is the position in nodeTable.consts, for inputs in Graph.inputs.
type node struct {
	op   Op
	a, b Node
}

func (t *nodeTable) push(n node) Node {
	t.nodes = append(t.nodes, n)
	return Node(len(t.nodes) - 1)
}

// intern returns the node of an operation whose operands are normalised.
func (t *nodeTable) intern(n node) Node {
	t.watch.step()
	if at, ok := t.index[n]; ok {
		return at
	}
	at := t.push(n)
	t.index[n] = at
	return at
}

// constant returns the node of a constant, of either sign.
func (t *nodeTable) constant(c constant) Node {
	negative := c.value < 0
	if negative {
		c.value = -c.value
		c.exact = c.exact.Neg()
	}
	if c.value == 0 && (!c.isExact || c.exact.IsZero()) {
		return 0
	}
	key := c.key()
	n, ok := t.known[key]
	if !ok {
		n = t.push(node{op: opConst, a: Node(len(t.consts))})
		t.consts = append(t.consts, c)
		t.known[key] = n
	}
	return n.times(negative)
}

// constantOf returns the signed constant of a node, if it is one.
func (t *nodeTable) constantOf(n Node) (constant, bool) {
	v := t.nodes[n.abs()]
	if v.op != opConst {
		return constant{}, false
	}
	c := t.consts[v.a]
	if n < 0 {
		c.value, c.exact = -c.value, c.exact.Neg()
	}
	return c, true
}

// fold returns the node of an operation on two constants.
func (t *nodeTable) fold(a, b constant, exact func(a, b Expr) Expr, value float64) Node {
	if a.isExact && b.isExact {
		e := exact(a.exact, b.exact)
		if e.IsZero() {
			return 0
		}
		return t.constant(exactly(e))
	}
	return t.constant(constant{value: value})
}

// coefficient takes a constant factor, and the sign, off a node.
func (t *nodeTable) coefficient(a Node) (k, x Node) {
	v := t.nodes[a.abs()]
	if v.op == OpMul && t.nodes[v.a].op == opConst {
		return v.a.times(a < 0), v.b
	}
	return One.times(a < 0), a.abs()
}

// cancel undoes a sum: (x + y) - y.
func (t *nodeTable) cancel(a, b Node) (Node, bool) {
	v := t.nodes[a.abs()]
	if v.op != OpAdd {
		return 0, false
	}
	x, y := v.a.times(a < 0), v.b.times(a < 0)
	switch b {
	case -x:
		return y, true
	case -y:
		return x, true
	}
	return 0, false
}

// addends takes a sum apart.
func (t *nodeTable) addends(n Node, to []Node) []Node {
	if n == 0 {
		return to
	}
	v := t.nodes[n.abs()]
	if v.op != OpAdd {
		return append(to, n)
	}
	return t.addends(v.b.times(n < 0), t.addends(v.a.times(n < 0), to))
}
