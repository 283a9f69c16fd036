package recursion

import (
	"fmt"
	"math"
	"slices"

	"ident/robot"
	"ident/symbolic"
)

// Node is a value of the graph.
type Node = symbolic.Node

// Vec is a vector of nodes.
type Vec = [3]Node

// Options says which constants of a robot stay symbols.
type Options struct {
	Geometry bool // the symbols of the file's geometry are inputs
	Gravity  bool // the components of gravity are inputs
	// Coordinates gives the coordinates as values of the graph, where they depend on others as those of
	// closed loops do; nil makes inputs of them.
	Coordinates func(g *symbolic.Graph) (*Coordinates, error)
	// Graph is the graph to build on; nil makes a new one.
	Graph *symbolic.Graph
}

// Coordinates are those of a tree, one entry each: positions, rates and accelerations. Where Cos or Sin
// is not zero it is that of the position, an angle.
type Coordinates struct{ Q, DQ, DDQ, Cos, Sin []Node }

// Tree is a robot on a graph. Coordinates are those of regressor and dynamics:
// one for each moving joint that mimics no other, in link order.
type Tree struct {
	G          *symbolic.Graph
	vec        algebra
	Links      []Link
	Coords     []int // link of each coordinate
	Q, DQ, DDQ []Node
	Gravity    Vec // in the base frame
	// Symbols and GravityInputs are the inputs that Options asked for.
	Symbols       []Node
	GravityInputs []Node
	// External are wrenches that links exert on their environment.
	External map[int]Wrench
	// Base is the motion of the base, along its own axes; nil where it stands.
	Base *BaseMotion
}

// BaseMotion is the motion of a base: angular velocity, velocity of the origin, angular acceleration,
// acceleration of the origin without gravity.
type BaseMotion struct{ W, V, DW, DV Vec }

// Link is a link with its joint on the antecedent.
type Link struct {
	Kind       robot.Kind
	Antecedent int    // -1 for the base
	Coord      int    // -1 for a fixed link
	Ratio      Node   // of the rate to that of the coordinate; 1 but for mimics
	Offset     Node   // of a joint that mimics another
	p          Vec    // O' in the antecedent's frame
	turns      []turn // the constant rotation, outermost first
	s, c       Node   // of the turn of a revolute joint
	slide      Node   // from O' to the origin, along z
	rate, acc  Node
	path       []int // coordinates that move the link, ascending
}

// turn is a rotation about z or x.
type turn struct {
	about int // 2 or 0
	s, c  Node
}

// Path returns the coordinates that move a link, ascending. The caller must not change them.
func (t *Tree) Path(j int) []int { return t.Links[j].path }

// New puts a robot on a fresh graph. The robot passes robot.Validate, or with
// Options.Geometry, where symbols need no values, robot.ValidateStructure.
func New(r *robot.Robot, opt Options) (*Tree, error) {
	validate := r.Validate
	if opt.Geometry {
		validate = r.ValidateStructure
	}
	if err := validate(); err != nil {
		return nil, err
	}
	t := &Tree{G: opt.Graph}
	if t.G == nil {
		t.G = symbolic.NewGraph()
	}
	t.vec = algebra{t.G}
	mimics := map[int]bool{}
	for _, m := range r.Mimics {
		mimics[m.Joint] = true
	}
	for j := range r.Links {
		l := &r.Links[j]
		n := Link{Kind: l.Joint.Kind, Antecedent: l.Antecedent, Coord: -1, Ratio: symbolic.One}
		if n.Kind != robot.Fixed && !mimics[j] {
			n.Coord = len(t.Coords)
			t.Coords = append(t.Coords, j)
		}
		t.Links = append(t.Links, n)
	}
	for _, m := range r.Mimics {
		j := m.Joint
		t.Links[j].Coord, t.Links[j].Ratio, t.Links[j].Offset = t.Links[m.Of].Coord, t.G.Float(m.Multiplier), t.G.Float(m.Offset)
	}
	b := builder{t: t, r: r, symbols: map[string]symbolic.Input{}}
	if opt.Coordinates == nil {
		b.motionInputs()
	} else {
		c, err := opt.Coordinates(t.G)
		if err != nil {
			return nil, err
		}
		t.Q, t.DQ, t.DDQ, b.cos, b.sin = c.Q, c.DQ, c.DDQ, c.Cos, c.Sin
	}
	b.gravity(opt)
	if opt.Geometry {
		if err := b.declare(); err != nil {
			return nil, err
		}
	}
	for j := range r.Links {
		if err := b.place(j); err != nil {
			return nil, err
		}
		l := &t.Links[j]
		if l.Antecedent >= 0 {
			l.path = append(l.path, t.Links[l.Antecedent].path...)
		}
		if l.Coord >= 0 {
			l.path = insert(l.path, l.Coord)
		}
	}
	return t, nil
}

func insert(sorted []int, k int) []int {
	at := len(sorted)
	for at > 0 && sorted[at-1] >= k {
		at--
	}
	if at < len(sorted) && sorted[at] == k {
		return sorted
	}
	return append(sorted[:at:at], append([]int{k}, sorted[at:]...)...)
}

// builder declares the inputs of a tree and places its links.
type builder struct {
	t        *Tree
	r        *robot.Robot
	symbols  map[string]symbolic.Input // those of the geometry that stay
	cos, sin []Node                    // of the coordinates, where they are given
}

// motionInputs declares q, dq and ddq.
func (b *builder) motionInputs() {
	t, r := b.t, b.r
	for c, j := range t.Coords {
		name := r.Links[j].Joint.Name
		unit := "rad"
		if t.Links[j].Kind == robot.Prismatic {
			unit = "m"
		}
		in := symbolic.Input{Kind: symbolic.Motion, Index: c}
		for _, v := range []struct {
			to                *[]Node
			group, doc, suffx string
		}{{&t.Q, "q", "position", ""}, {&t.DQ, "dq", "velocity", "/s"}, {&t.DDQ, "ddq", "acceleration", "/s²"}} {
			in.Group, in.Name, in.Unit = v.group, fmt.Sprintf("%s%d", v.group, c+1), unit+v.suffx
			in.Doc = fmt.Sprintf("%s of joint %s", v.doc, name)
			*v.to = append(*v.to, t.G.Input(in))
		}
	}
}

func (b *builder) gravity(opt Options) {
	t := b.t
	for k, v := range b.r.Gravity {
		if !opt.Gravity {
			t.Gravity[k] = t.G.Float(v)
			continue
		}
		t.Gravity[k] = t.G.Input(symbolic.Input{Name: "g" + "xyz"[k:k+1], Kind: symbolic.Gravity, Group: "g", Index: k, Unit: "m/s²",
			Doc: "acceleration of gravity along " + "xyz"[k:k+1] + " of the base", Value: v, Known: true})
		t.GravityInputs = append(t.GravityInputs, t.Gravity[k])
	}
}

// declare makes inputs of the symbols that the links' frames use, sorted.
func (b *builder) declare() error {
	t, r := b.t, b.r
	var names []string
	for j := range r.Links {
		if r.Links[j].MDH == nil {
			continue
		}
		for _, text := range r.Links[j].MDH.Text {
			e, err := symbolic.Parse(text)
			if err != nil {
				return fmt.Errorf("robot %q: placement of joint %q: %w", r.Name, r.Links[j].Joint.Name, err)
			}
			names = append(names, e.Symbols()...)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, name := range names {
		for _, group := range [][]Node{t.Q, t.DQ, t.DDQ, t.GravityInputs} {
			for _, n := range group {
				if t.G.NameOf(n) == name {
					return fmt.Errorf("robot %q: the symbol %s of the geometry is also the name of %s; rename it in the robot file", r.Name, name, t.G.InputOf(n).Doc)
				}
			}
		}
		in := symbolic.Input{Name: name, Kind: symbolic.Geometry, Group: "geometry", Index: i, Doc: "length (m) or angle (rad) of the geometry"}
		in.Value, in.Known = r.Symbols[name]
		b.symbols[name] = in
		t.Symbols = append(t.Symbols, t.G.Input(in))
	}
	return nil
}

// node returns an entry of a table of frames: the text's expression where it
// has symbols that stay, the value otherwise, because readers snap angles.
func (b *builder) node(text string, value float64) (Node, error) {
	t := b.t
	if len(b.symbols) > 0 {
		e, err := symbolic.Parse(text)
		if err != nil {
			return 0, err
		}
		if len(e.Symbols()) > 0 {
			return t.G.Expr(e, func(name string) symbolic.Input { return b.symbols[name] }), nil
		}
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("%q has no finite value", text)
	}
	return t.G.Float(value), nil
}
