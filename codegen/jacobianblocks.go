package codegen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/mechanics/recursion"
	"ident/robot"
	"ident/symbolic"
)

// reduced is a Jacobian in the frame and at the point where it falls into the smallest blocks.
type reduced struct {
	axes, link int // along the axes of link axes, at a point of link
	at         recursion.Vec
	atNumbers  [3]float64
	own        bool // turned to the frame's own axes
	rows       [][]symbolic.Node
}

// candidates lists the places where the Jacobian may fall into blocks: along the axes of each link
// between the base and the frame's own, at the origins of those links, where consecutive axes meet,
// and at the frame's own point. The determinant of all six rows is the same at each of them, that of
// the three linear or angular ones for all axes.
func (k *kinematicMaker) candidates(keep []int) []reduced {
	path := k.t.On(k.frame.Link)
	whole := len(keep) == 6
	points := []reduced{{link: k.frame.Link, at: k.at, atNumbers: k.frame.Placement.P}}
	if whole {
		for _, j := range path[1:] {
			points = append(points, reduced{link: j})
		}
		points = append(points, k.crossings(path)...)
	}
	own := !whole && !slices.Equal(keep, []int{0, 1, 2}) && !slices.Equal(keep, []int{3, 4, 5})
	var out []reduced
	for _, p := range points {
		for _, f := range path {
			p.axes, p.own = f, own
			out = append(out, p)
		}
	}
	return out
}

// crossings lists the points where the axes of consecutive revolute joints meet off the origins.
func (k *kinematicMaker) crossings(path []int) []reduced {
	var out []reduced
	reach, last := 0.0, -1
	pose := robot.Identity() // of the present link in the frame of the last moving one
	for _, j := range path[1:] {
		l := &k.r.Links[j]
		pose = pose.Mul(l.Placement)
		reach = math.Max(reach, spatial.Norm(l.Placement.P))
		if k.t.Links[j].Coord < 0 {
			continue
		}
		z := spatial.Vec{pose.R[0][2], pose.R[1][2], pose.R[2][2]}
		if c := z[0]*z[0] + z[1]*z[1]; last >= 0 && l.Joint.Kind == robot.Revolute && k.r.Links[last].Joint.Kind == robot.Revolute && c > 1e-6 {
			// The axis comes nearest to that of the joint before it at s.
			s := -(pose.P[0]*z[0] + pose.P[1]*z[1]) / c
			away := math.Hypot(pose.P[0]+s*z[0], pose.P[1]+s*z[1])
			// Rounding of the placements, times the length over which a small angle carries it.
			if tolerance := 1e-12 * (reach + math.Abs(s)); away <= tolerance && math.Abs(s) > tolerance {
				out = append(out, reduced{link: j, atNumbers: [3]float64{0, 0, s}, at: recursion.Vec{0, 0, k.g.Float(s)}})
			}
		}
		pose, last = robot.Identity(), j
	}
	return out
}

// without replaces by 0 the entries that are zero to rounding at several states: a sum of a robot
// file's decimals that cancels leaves some ε, and hides a block.
func (k *kinematicMaker) without(rows [][]symbolic.Node) [][]symbolic.Node {
	all := slices.Concat(rows...)
	size := make([]float64, len(all))
	largest := 0.0
	list := k.samples(rows)
	if len(list) == 0 {
		return rows
	}
	for _, sample := range list {
		for i, v := range sample {
			size[i] = math.Max(size[i], math.Abs(v))
			largest = math.Max(largest, size[i])
		}
	}
	out := make([][]symbolic.Node, len(rows))
	for i, v := range all {
		// An entry is a sum of some dozen products of the size of the largest one.
		if size[i] <= 64*0x1p-52*largest {
			v = 0
		}
		out[i/len(rows[0])] = append(out[i/len(rows[0])], v)
	}
	return out
}

// samples evaluates a matrix at some states, and for some lengths where symbols stay; row by row.
func (k *kinematicMaker) samples(rows [][]symbolic.Node) [][]float64 {
	const states = 4
	p := k.program("probe", [][]symbolic.Node{k.q}, symbolic.Result{Name: "J", Rows: len(rows), Cols: len(rows[0]), Entries: slices.Concat(rows...)})
	rng := rand.New(rand.NewPCG(1, 2))
	var out [][]float64
	for range states {
		in := make([]float64, len(p.Inputs))
		for i, x := range p.Inputs {
			in[i] = 0.5 + rng.Float64()
			if x.Known {
				in[i] = x.Value
			}
			if k.closed != nil { // near the assembly: its loops close there
				in[i] = k.closed.at[x.Index] + 0.1*(in[i]-1)
			}
		}
		if v := p.Eval(in)[0]; !slices.ContainsFunc(v, math.IsNaN) {
			out = append(out, v)
		}
	}
	return out
}

// kept returns the rows asked for, all six where none are.
func kept(rows []int) []int {
	if len(rows) > 0 {
		return rows
	}
	return []int{0, 1, 2, 3, 4, 5}
}

// fill computes the rows of a candidate.
func (k *kinematicMaker) fill(c *reduced, keep []int) {
	all := k.jacobianIn(c.axes, c.link, c.at)
	if c.own {
		all = k.turned(c.axes, all)
	}
	c.rows = nil
	for _, r := range keep {
		c.rows = append(c.rows, all[r])
	}
	c.rows = k.without(c.rows)
}

// where describes a candidate for the head of the text.
func (k *kinematicMaker) where(c *reduced) string {
	at := kinematicMaker{maker: k.maker, t: k.t, frame: *LinkFrame(c.link, c.atNumbers, c.axes)}
	if c.own {
		at.frame.Axes, at.frame.AxesPlacement = k.frame.Axes, k.frame.AxesPlacement
	}
	return at.point()
}

// sparsest fills the candidates and returns them, those with the fewest entries first; of a Jacobian that is
// not square, whose determinant takes longest, some alone.
func (k *kinematicMaker) sparsest(keep []int) []reduced {
	const some = 12
	list := k.candidates(keep)
	for i := range list {
		k.fill(&list[i], keep)
	}
	entries := func(c *reduced) (n int) {
		for _, row := range c.rows {
			for _, v := range row {
				if v != 0 {
					n++
				}
			}
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b reduced) int { return entries(&a) - entries(&b) })
	if len(k.joints) > len(keep) {
		return list[:min(some, len(list))]
	}
	return list
}

// singularEverywhere reports whether a Jacobian loses rank at each of several states.
func (k *kinematicMaker) singularEverywhere(rows [][]symbolic.Node) bool {
	list := k.samples(rows)
	for _, v := range list {
		var svd mat.SVD
		// Rounding leaves some 1e-15 of the largest singular value, a regular arm in general position far more
		// than its square root.
		if svd.Factorize(mat.NewDense(len(rows), len(rows[0]), v), mat.SVDNone) {
			if values := svd.Values(nil); values[len(values)-1] > 1e-9*values[0] {
				return false
			}
		}
	}
	return len(list) > 0
}

// blockDoc describes the block form.
func (k *kinematicMaker) blockDoc(c *reduced, b *blocks, keep []int) []string {
	lines := []string{"J at " + k.where(c)}
	for i := range b.rows {
		var rows, cols []string
		for _, r := range b.rows[i] {
			rows = append(rows, twistRows[keep[r]])
		}
		for _, j := range b.cols[i] {
			cols = append(cols, k.joints[j])
		}
		lines = append(lines, fmt.Sprintf("block %d: rows %s, joints %s", i+1, strings.Join(rows, " "), strings.Join(cols, " ")))
	}
	return lines
}

// jacobianDeterminant makes the determinant of a square Jacobian by its blocks, and that of J·Jᵀ
// where it has more columns than rows.
func (k *kinematicMaker) jacobianDeterminant(rows []int) (*symbolic.Program, error) {
	keep := kept(rows)
	list := k.sparsest(keep)
	var best *symbolic.Program
	for i := range list {
		c := &list[i]
		n, columns := len(c.rows), len(c.rows[0])
		var p *symbolic.Program
		switch {
		case columns < n:
			return nil, k.noSquare(n, columns)
		case i == 0 && k.singularEverywhere(c.rows):
			return nil, k.singular(c.rows)
		case columns > n:
			p = k.determinantProgram(determinant(k.g, gram(k.g, c.rows)), "det(J·Jᵀ), the squared manipulability")
			p.Doc = []string{"J at " + k.where(c)}
		default:
			b := blockForm(func(row, col int) bool { return c.rows[row][col] == 0 }, n)
			if b == nil {
				return nil, k.singular(c.rows)
			}
			det := symbolic.One
			names := []string{}
			for i, f := range b.factors(k.g, c.rows) {
				k.g.Name(f, label("det", i))
				names = append(names, label("det", i))
				det = k.g.Mul(det, f)
			}
			sign := ""
			if b.negative {
				det, sign = -det, "-"
			}
			p = k.determinantProgram(det, "determinant of J, "+sign+strings.Join(names, "·"))
			p.Doc = k.blockDoc(c, b, keep)
		}
		best = fewer(best, p)
	}
	return best, nil
}

func (k *kinematicMaker) determinantProgram(det symbolic.Node, doc string) *symbolic.Program {
	return k.program("jacobian_determinant", [][]symbolic.Node{k.q}, symbolic.Result{Name: "det", Rows: 1, Cols: 1, Entries: []symbolic.Node{det}, Doc: doc})
}

// singular returns the error for a Jacobian that no state makes regular.
func (k *kinematicMaker) singular(rows [][]symbolic.Node) error {
	why := "its joints cannot make it regular: choose fewer rows"
	if dead := deadRows(rows); len(dead) > 0 && len(rows) == 6 {
		why = "the rows " + strings.Join(dead, ", ") + " are zero: leave them out"
	}
	return fmt.Errorf("robot %q: %w: the Jacobian of %s is singular in every state; %s", k.r.Name, ErrDeterminant, k.point(), why)
}

// gram returns J·Jᵀ.
func gram(g *symbolic.Graph, rows [][]symbolic.Node) [][]symbolic.Node {
	out := make([][]symbolic.Node, len(rows))
	for i := range out {
		for l := range rows {
			var sum symbolic.Node
			for c := range rows[i] {
				sum = g.Add(sum, g.Mul(rows[i][c], rows[l][c]))
			}
			out[i] = append(out[i], sum)
		}
	}
	return out
}
