package loops

import (
	"fmt"
	"math"
	"slices"

	"ident/symbolic"
)

// explicit is the closing of all loops by formulas, as programs that run on
// blocks of samples.
type explicit struct {
	angles  []angled // coordinates whose position is the angle of a vector
	plain   []int    // that have a formula
	unknown []int    // dependent coordinates of the tree
	guards  int
	pairs   int
	program [2]*symbolic.Machine // with accelerations; with the rates of G
}

// angled is a coordinate with the pairs of G in its row.
type angled struct {
	coord int
	pairs []int
}

// explicitly looks for formulas for all loops; nil where there are none.
func (t *Tracker) explicitly() *explicit {
	e := &explicit{}
	for turning := range e.program {
		s, args := t.sketch(turning == 1)
		if s == nil {
			return nil
		}
		if turning == 0 {
			t.thin(s)
			e.list(t, s)
		}
		var out []symbolic.Node
		out = append(out, s.guard...)
		for _, a := range e.angles {
			out = append(out, s.turn[a.coord].x, s.turn[a.coord].y)
		}
		for _, k := range e.plain {
			out = append(out, s.at[k])
		}
		for _, p := range t.pairs {
			out = append(out, s.gain[p.Coord][p.Driven])
		}
		for _, k := range e.unknown {
			out = append(out, s.rate[k])
		}
		if turning == 0 {
			for _, k := range e.unknown {
				out = append(out, s.acc[k])
			}
		} else {
			for _, p := range t.pairs {
				out = append(out, s.spin[p.Coord][p.Driven])
			}
		}
		e.program[turning] = symbolic.Compile(s.g.Program("closing", args, symbolic.Result{Name: "c", Rows: 1, Cols: len(out), Entries: out}))
	}
	return e
}

// thin drops the pairs that the formulas show to be zero: of joints that loops
// solved before others hold, by drives of these.
func (t *Tracker) thin(s *sketch) {
	var kept []Pair
	for i, p := range t.pairs {
		if t.absent[i] = s.gain[p.Coord][p.Driven] == 0; !t.absent[i] {
			kept = append(kept, p)
		}
	}
	t.pairs = kept
}

func (e *explicit) list(t *Tracker, s *sketch) {
	e.guards, e.pairs = len(s.guard), len(t.pairs)
	for k := range t.c.unit {
		if slices.Contains(t.driven, k) {
			continue
		}
		if k < t.c.dof {
			e.unknown = append(e.unknown, k)
		}
		if s.plain[k] {
			e.plain = append(e.plain, k)
			continue
		}
		a := angled{coord: k}
		for i, p := range t.pairs {
			if p.Coord == k {
				a.pairs = append(a.pairs, i)
			}
		}
		e.angles = append(e.angles, a)
	}
}

// sketch solves all loops on a graph, whose inputs are positions, rates and
// accelerations of the driven joints; nil where it cannot.
func (t *Tracker) sketch(turning bool) (*sketch, []symbolic.Node) {
	n, nd := len(t.c.unit), len(t.driven)
	s := &sketch{g: symbolic.NewGraph(), known: make([]bool, n), at: make([]symbolic.Node, n), plain: make([]bool, n),
		turn: make([]spot, n), rate: make([]symbolic.Node, n)}
	table := func() [][]symbolic.Node {
		rows := make([][]symbolic.Node, n)
		for k := range rows {
			rows[k] = make([]symbolic.Node, nd)
		}
		return rows
	}
	s.gain = table()
	if turning {
		s.spin = table()
	} else {
		s.acc = make([]symbolic.Node, n)
	}
	var args []symbolic.Node
	input := func(group string, to []symbolic.Node) {
		for i, k := range t.driven {
			to[k] = s.g.Input(symbolic.Input{Name: fmt.Sprintf("%s%d", group, i+1), Group: group, Index: i})
			args = append(args, to[k])
		}
	}
	input("q", s.at)
	input("dq", s.rate)
	if !turning {
		input("ddq", s.acc)
	}
	for i, k := range t.driven {
		s.known[k], s.plain[k] = true, true
		s.gain[k][i] = symbolic.One
	}
	for _, g := range t.groups {
		left := make([]*contour, len(g.loops))
		for i := range g.loops {
			left[i] = &g.loops[i]
		}
		for len(left) > 0 {
			rest := slices.DeleteFunc(slices.Clone(left), func(con *contour) bool { return s.solve(con, t) })
			if len(rest) == len(left) {
				return nil, nil
			}
			left = rest
		}
	}
	return s, args
}

// solve solves one loop if the others have left it few enough unknowns.
func (s *sketch) solve(con *contour, t *Tracker) bool {
	if con.linear != nil {
		return s.coupling(con, t.c.unit)
	}
	if con.flat == nil || con.spherical {
		return false
	}
	pl := con.flat.clone()
	pl.sides[0].walk(t.start)
	pl.sides[1].walk(t.start)
	return s.triangle(pl, t.open)
}

// explicitScratch is what the programs need of a goroutine.
type explicitScratch struct {
	scratch [2]*symbolic.Scratch
	in, out [][]float64
	vectors [][]float64 // guards, cosines and sines, positions
	spare   [][]float64 // rates of G that nobody wants
	last    []float64   // G at the last sample
	next    []float64
	room    int
}

func (x *explicitScratch) grow(e *explicit, n int) {
	if n <= x.room {
		return
	}
	rows := func(k int) [][]float64 {
		out := make([][]float64, k)
		for i := range out {
			out[i] = make([]float64, n)
		}
		return out
	}
	x.room = n
	x.vectors, x.spare = rows(e.guards+2*len(e.angles)+len(e.plain)), rows(e.pairs)
	x.last, x.next = make([]float64, e.pairs), make([]float64, len(e.angles))
	for i, m := range e.program {
		x.scratch[i] = m.NewScratch()
	}
}

// run evaluates the formulas at n samples of the driven joints' motion, without
// regard to what they leave open: whole turns, and whether they hold.
func (e *explicit) run(x *explicitScratch, p *Path, m *Drive, first, n int) {
	x.grow(e, n)
	x.in, x.out = x.in[:0], x.out[:0]
	kind := 1
	lists := [3][][]float64{m.Q, m.DQ}
	if m.DDQ != nil {
		kind, lists[2] = 0, m.DDQ
	}
	for _, list := range lists {
		for _, v := range list {
			x.in = append(x.in, v[first:first+n])
		}
	}
	for _, v := range x.vectors {
		x.out = append(x.out, v[:n])
	}
	for _, v := range p.Gains {
		x.out = append(x.out, v[:n])
	}
	for _, k := range e.unknown {
		x.out = append(x.out, p.DQ[k][:n])
	}
	switch {
	case kind == 0:
		for _, k := range e.unknown {
			x.out = append(x.out, p.DDQ[k][:n])
		}
	case p.Turns != nil:
		for _, v := range p.Turns {
			x.out = append(x.out, v[:n])
		}
	default:
		for _, v := range x.spare {
			x.out = append(x.out, v[:n])
		}
	}
	e.program[kind].Run(x.out, x.in, n, x.scratch[kind])
}

// upTo brings an angle to the turn of a near one.
func upTo(angle, near float64) float64 {
	return angle + 2*math.Pi*math.RoundToEven((near-angle)/(2*math.Pi))
}
