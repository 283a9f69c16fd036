package kinematics

import (
	"fmt"

	"ident/robot"
	"ident/symbolic"
)

// PointProgram computes points fixed to links, and squared distances between points, along a motion, many samples an
// instruction. It is immutable and safe for concurrent use.
type PointProgram struct {
	machine      *symbolic.Machine
	shown, pairs int
}

// PointTrack holds the results of a PointProgram, and the memory of one goroutine. Slices have one entry per sample.
type PointTrack struct {
	At     [][3][]float64 // coordinates in the base, m, of the points that are shown
	Square [][]float64    // squared distance of each pair, m²
	of     *PointProgram
	out    [][]float64
	s      *symbolic.Scratch
}

// PointProgram returns the program of points and of the pairs of them whose distance is wanted; the first shown points
// have coordinates among the results.
func (t *Tree) PointProgram(points []Point, shown int, pairs [][2]int) *PointProgram {
	g := symbolic.NewGraph()
	type vec = [3]symbolic.Node
	// carry is R·x + o for axes r, by columns.
	carry := func(r *[3]vec, o, x vec) (y vec) {
		for k := range y {
			y[k] = g.Add(o[k], g.Sum(g.Mul(r[0][k], x[0]), g.Mul(r[1][k], x[1]), g.Mul(r[2][k], x[2])))
		}
		return y
	}
	number := func(x [3]float64) vec { return vec{g.Float(x[0]), g.Float(x[1]), g.Float(x[2])} }
	q := make([]symbolic.Node, t.dof)
	for i := range q {
		q[i] = g.Input(symbolic.Input{Name: fmt.Sprintf("q%d", i+1), Group: "q", Index: i})
	}
	axes, at := make([][3]vec, len(t.links)), make([]vec, len(t.links))
	for j := range t.links {
		l := &t.links[j]
		o := number(l.Placement.P)
		var r [3]vec
		for c := range r {
			r[c] = number([3]float64{l.Placement.R[0][c], l.Placement.R[1][c], l.Placement.R[2][c]})
		}
		if i := l.Antecedent; i >= 0 {
			o = carry(&axes[i], at[i], o)
			for c := range r {
				r[c] = carry(&axes[i], vec{}, r[c])
			}
		}
		if l.Coord >= 0 {
			x := g.Add(g.Mul(g.Float(l.Ratio), q[l.Coord]), g.Float(l.Offset))
			if l.Kind == robot.Revolute {
				c, s := g.Cos(x), g.Sin(x)
				for k := range 3 {
					a, b := r[0][k], r[1][k]
					r[0][k], r[1][k] = g.Add(g.Mul(a, c), g.Mul(b, s)), g.Sub(g.Mul(b, c), g.Mul(a, s))
				}
			} else {
				o = carry(&r, o, vec{0, 0, x})
			}
		}
		axes[j], at[j] = r, o
	}
	where := make([]vec, len(points))
	var entries []symbolic.Node
	for i, p := range points {
		where[i] = number(p.At)
		if p.Link >= 0 {
			where[i] = carry(&axes[p.Link], at[p.Link], where[i])
		}
		if i < shown {
			entries = append(entries, where[i][:]...)
		}
	}
	for _, p := range pairs {
		sum := symbolic.Node(0)
		for k := range 3 {
			d := g.Sub(where[p[0]][k], where[p[1]][k])
			sum = g.Add(sum, g.Mul(d, d))
		}
		entries = append(entries, sum)
	}
	source := g.Program("points", q, symbolic.Result{Name: "x", Rows: len(entries), Cols: 1, Entries: entries})
	return &PointProgram{machine: symbolic.Compile(source), shown: shown, pairs: len(pairs)}
}

// NewTrack allocates the results of motions of at most so many samples.
func (p *PointProgram) NewTrack(samples int) *PointTrack {
	entries := 3*p.shown + p.pairs
	memory := make([]float64, entries*samples)
	t := &PointTrack{of: p, s: p.machine.NewScratch(), out: make([][]float64, entries)}
	for i := range t.out {
		t.out[i] = memory[i*samples:][:samples:samples]
	}
	for i := range p.shown {
		t.At = append(t.At, [3][]float64(t.out[3*i:]))
	}
	t.Square = t.out[3*p.shown:]
	return t
}

// Follow computes the results at the first n samples of a motion, [coordinate][sample].
func (t *PointTrack) Follow(q [][]float64, n int) { t.of.machine.Run(t.out, q, n, t.s) }
