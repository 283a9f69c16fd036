package symbolic

import "fmt"

// Node is a value of a Graph. The negative of a node is -n, which costs
// nothing: signs travel along the edges of the graph and end up in additions
// and subtractions. Node 0 is the number 0 and node 1 the number 1, so the zero
// value of an array of nodes is an array of zeros.
type Node int32

// One is the number 1 of every graph; the number 0 is the zero Node.
const One Node = 1

// Graph is a directed acyclic graph of operations on real numbers in which every
// value exists once: repeating an operation returns its first node. Constructors
// simplify as they go; see the package comment. The zero value is not usable;
// NewGraph makes one. A Graph is not safe for concurrent use.
type Graph struct {
	nodeTable
	inputs []Input
	byName map[string]Node
	names  map[Node]string // given by Name, for listings
}

// NewGraph returns a graph that holds 0 and 1.
func NewGraph() *Graph {
	g := &Graph{
		nodeTable: nodeTable{index: map[node]Node{}, known: map[string]Node{}},
		byName:    map[string]Node{}, names: map[Node]string{},
	}
	for n := range 2 {
		c := exactly(Int(int64(n)))
		g.known[c.key()] = g.push(node{op: opConst, a: Node(len(g.consts))})
		g.consts = append(g.consts, c)
	}
	return g
}

// Input returns the node of a named input, made at the first call. It panics for
// an empty name, and for a name whose earlier input has another description.
func (g *Graph) Input(in Input) Node {
	if in.Name == "" {
		panic("symbolic: an input needs a name")
	}
	if n, ok := g.byName[in.Name]; ok {
		if old := g.inputs[g.nodes[n].a]; old != in {
			panic(fmt.Sprintf("symbolic: input %q is described as %+v and as %+v", in.Name, old, in))
		}
		return n
	}
	n := g.push(node{op: opInput, a: Node(len(g.inputs))})
	g.inputs = append(g.inputs, in)
	g.byName[in.Name] = n
	return n
}

// Name gives a node the name under which listings print it, and returns the
// node. The first name stays; constants and inputs have their own.
func (g *Graph) Name(n Node, name string) Node {
	at := n.abs()
	if op := g.nodes[at].op; n > 0 && op != opConst && op != opInput && g.names[at] == "" {
		g.names[at] = name
	}
	return n
}

// Number returns the value of a node that is a constant.
func (g *Graph) Number(n Node) (float64, bool) {
	if v := g.nodes[n.abs()]; v.op == opConst {
		return n.sign() * g.consts[v.a].value, true
	}
	return 0, false
}

func (n Node) abs() Node {
	if n < 0 {
		return -n
	}
	return n
}

func (n Node) sign() float64 {
	if n < 0 {
		return -1
	}
	return 1
}

// times returns the node, or its negative.
func (n Node) times(negative bool) Node {
	if negative {
		return -n
	}
	return n
}

// InputOf returns the description of an input's node. It panics for others.
func (g *Graph) InputOf(n Node) Input {
	v := g.nodes[n]
	if v.op != opInput {
		panic("symbolic: the node is no input")
	}
	return g.inputs[v.a]
}

// NameOf returns the name of a node: an input's own or the one given by Name, ""
// where there is none.
func (g *Graph) NameOf(n Node) string {
	if v := g.nodes[n.abs()]; v.op == opInput {
		return g.inputs[v.a].Name
	}
	return g.names[n.abs()]
}
