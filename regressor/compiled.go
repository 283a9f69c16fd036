package regressor

import (
	"sync"

	"ident/mechanics/recursion"
	"ident/robot"
	"ident/symbolic"
)

// program evaluates the columns of a model's links (Y, or D1 and D2) on blocks of samples.
type program struct {
	source  *symbolic.Program
	machine *symbolic.Machine
	entries []entry
}

// entry is the place of a program's result: the block (D1, or Y and D2), the row, and the position in it.
type entry struct {
	first   bool
	row, at int
}

// programs are compiled at their first use.
type programs struct {
	dynamic, momentum func() *program
	adjoint           func() *symbolic.Machine          // of dynamic
	torques           [maxSets]func() *symbolic.Machine // of one set of parameters, and of two
	rest              []part                            // parts that have no program
}

// programScratch is a program's working memory for one goroutine.
type programScratch struct {
	of      *program
	scratch *symbolic.Scratch
	in, out [][]float64
}

// Compiled returns a model that evaluates its links' columns by programs with the fewest operations, customized to this
// robot and these columns, a block of samples an instruction. For a seven-joint arm it is some eight times faster than
// the recursion, after a few milliseconds at the first evaluation. Values differ from the recursion's by rounding and
// have the same bits on every processor. For closed loops it compiles the tree's model. A model with other columns that
// need the links' motion (rotors on moving links, payloads, measured wrenches, contacts) is returned unchanged; a
// selection of columns of a compiled model is not compiled.
func (m *Model) Compiled() *Model {
	if m.loops != nil {
		c := *m.loops
		c.tree = c.tree.Compiled()
		return c.model()
	}
	if m.programs != nil {
		return m
	}
	var rest []part
	for _, p := range m.parts {
		switch p := p.(type) {
		case *drive:
			rest = append(rest, p)
		case *body:
			if p.payload {
				return m
			}
		default:
			return m
		}
	}
	c := *m
	dynamic := sync.OnceValue(func() *program { return c.compileDynamic() })
	c.programs = &programs{
		dynamic:  dynamic,
		momentum: sync.OnceValue(func() *program { return c.compileMomentum() }),
		adjoint:  sync.OnceValue(func() *symbolic.Machine { return symbolic.Compile(dynamic().source.Adjoint()) }),
		rest:     rest,
	}
	for i := range c.programs.torques {
		c.programs.torques[i] = sync.OnceValue(func() *symbolic.Machine { return c.compileTorques(i + 1) })
	}
	return &c
}

// graph returns the model's robot as a symbolic graph.
func (m *Model) graph() *recursion.Tree {
	r := &robot.Robot{Gravity: m.chain.gravity}
	for j := range m.chain.links {
		p := &m.chain.links[j]
		r.Links = append(r.Links, robot.Link{Antecedent: p.antecedent, Joint: robot.Joint{Kind: p.kind}, Placement: robot.Transform{R: p.r, P: p.p}})
		if p.coord >= 0 && m.coords[p.coord] != j {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: j, Of: m.coords[p.coord], Multiplier: p.ratio, Offset: p.offset})
		}
	}
	t, err := recursion.New(r, recursion.Options{})
	if err != nil {
		panic("regressor: a model whose robot has no program: " + err.Error()) // NewDynamic has validated the robot
	}
	return t
}

// collector collects the entries of a program, link by link.
type collector struct {
	p     program
	nodes []symbolic.Node
}

func (c *collector) add(e entry, n symbolic.Node) {
	c.p.entries = append(c.p.entries, e)
	c.nodes = append(c.nodes, n)
}

func (c *collector) compile(t *recursion.Tree, args ...[]symbolic.Node) *program {
	var all []symbolic.Node
	for _, a := range args {
		all = append(all, a...)
	}
	c.p.source = t.G.Program("columns", all, symbolic.Result{Name: "Y", Rows: 1, Cols: len(c.nodes), Entries: c.nodes})
	c.p.machine = symbolic.Compile(c.p.source)
	return &c.p
}

func (m *Model) compileDynamic() *program {
	t := m.graph()
	var out collector
	ms, screws := t.Motions(recursion.Rates{DQ: t.DQ, DDQ: t.DDQ}, t.Gravity), t.Screws()
	for _, p := range m.parts {
		b, ok := p.(*body)
		if !ok {
			continue
		}
		for c, param := range b.params {
			n, f := t.UnitWrench(&ms[b.link], param)
			for i, row := range b.coords {
				out.add(entry{false, row, b.at[i][c]}, t.Along(n, f, &screws[b.link][i]))
			}
		}
	}
	return out.compile(t, t.Q, t.DQ, t.DDQ)
}

func (m *Model) compileMomentum() *program {
	t := m.graph()
	var out collector
	ms, screws := t.Motions(recursion.Rates{DQ: t.DQ}, t.Gravity), t.Screws()
	changes := t.Variations(ms)
	for _, p := range m.parts {
		b, ok := p.(*body)
		if !ok {
			continue
		}
		j := b.link
		twist := ms[j].Twist()
		for c, param := range b.params {
			for i, row := range b.coords {
				out.add(entry{true, row, b.at[i][c]}, t.Bilinear(&screws[j][i], &twist, param))
				out.add(entry{false, row, b.at[i][c]},
					t.G.Sub(t.Weight(&ms[j], &screws[j][i], param), t.Bilinear(&changes[j][i], &twist, param)))
			}
		}
	}
	return out.compile(t, t.Q, t.DQ)
}

// run evaluates a program into d1 and the other block.
func (p *program) run(d1, other *Block, ws *Workspace, motion ...[][]float64) {
	s := &ws.program
	if s.of != p {
		*s = programScratch{of: p, scratch: p.machine.NewScratch(), out: make([][]float64, len(p.entries))}
	}
	s.in = s.in[:0]
	for _, v := range motion {
		s.in = append(s.in, v...)
	}
	for k, e := range p.entries {
		b := other
		if e.first {
			b = d1
		}
		s.out[k] = b.Joint[e.row][e.at]
	}
	p.machine.Run(s.out, s.in, other.Rows, s.scratch)
}
