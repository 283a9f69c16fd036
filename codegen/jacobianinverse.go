package codegen

import (
	"fmt"

	"ident/mechanics/recursion"
	"ident/symbolic"
)

// largestBlock is the number of rows of a block that is inverted by its cofactors.
const largestBlock = 3

// jacobianInverse makes the inverse of a square Jacobian whose blocks have at most three rows:
// the rates of the joints for a twist of the frame's point along the frame's axes. The inverse is
// taken where the blocks are, and the twist is brought there.
func (k *kinematicMaker) jacobianInverse(rows []int) (*symbolic.Program, error) {
	keep := kept(rows)
	if len(keep) != 6 && len(keep) != 3 {
		return nil, fmt.Errorf("robot %q: %w: an inverse needs all six rows, or the linear or angular three", k.r.Name, ErrDeterminant)
	}
	var best *symbolic.Program
	list := k.sparsest(keep)
	largest := 0
	for i := range list {
		c := &list[i]
		n, columns := len(c.rows), len(c.rows[0])
		if columns != n {
			return nil, k.noSquare(n, columns)
		}
		b := blockForm(func(row, col int) bool { return c.rows[row][col] == 0 }, n)
		if b == nil {
			return nil, k.singular(c.rows)
		}
		size := 0
		for _, r := range b.rows {
			size = max(size, len(r))
		}
		largest = max(largest, size)
		if size > largestBlock {
			continue
		}
		inverse := multiply(k.g, b.inverse(k.g, c.rows), k.brought(c, keep))
		r := symbolic.Result{Name: "Jinv", Rows: n, Cols: n, Doc: "rates of the joints for the twist of " + k.point(), RowNames: k.joints}
		for _, row := range keep {
			r.ColNames = append(r.ColNames, twistRows[row])
		}
		for _, row := range inverse {
			r.Entries = append(r.Entries, row...)
		}
		p := k.program("jacobian_inverse", [][]symbolic.Node{k.q}, r)
		p.Doc = k.blockDoc(c, b, keep)
		best = fewer(best, p)
	}
	if best == nil {
		return nil, fmt.Errorf("robot %q: %w: no frame of the robot brings the Jacobian to blocks of at most %d rows (%d here), and an inverse of larger ones is longer than a numeric solution; take the model jacobian, and solve",
			k.r.Name, ErrDeterminant, largestBlock, largest)
	}
	return best, nil
}

// brought returns the matrix that brings a twist of the frame's point along its axes to those of
// a candidate.
func (k *kinematicMaker) brought(c *reduced, keep []int) [][]symbolic.Node {
	out := make([][]symbolic.Node, len(keep))
	for i := range out {
		out[i] = make([]symbolic.Node, len(keep))
	}
	g := k.g
	// The candidate's point from the frame's, along the candidate's axes.
	var arm recursion.Vec
	if len(keep) == 6 {
		to, from := k.t.Moved(c.link, c.axes, c.at), k.t.Moved(k.frame.Link, c.axes, k.at)
		for i := range arm {
			arm[i] = g.Sub(to[i], from[i])
		}
	}
	for col := range 3 {
		r := &k.frame.AxesPlacement.R
		e := k.t.Turned(k.frame.Axes, c.axes, k.numbers([3]float64{r[0][col], r[1][col], r[2][col]}))
		for row := range 3 {
			out[row][col] = e[row]
			if len(keep) == 6 {
				out[3+row][3+col] = e[row]
				a, b := (row+1)%3, (row+2)%3
				out[row][3+col] = g.Sub(g.Mul(e[a], arm[b]), g.Mul(e[b], arm[a])) // e × arm
			}
		}
	}
	return out
}

func multiply(g *symbolic.Graph, a, b [][]symbolic.Node) [][]symbolic.Node {
	out := make([][]symbolic.Node, len(a))
	for i := range a {
		out[i] = make([]symbolic.Node, len(b[0]))
		for l := range b {
			for c := range b[l] {
				out[i][c] = g.Add(out[i][c], g.Mul(a[i][l], b[l][c]))
			}
		}
	}
	return out
}

// inverse solves block after block: the equations of a block contain only its own unknowns and those of earlier blocks.
func (b *blocks) inverse(g *symbolic.Graph, m [][]symbolic.Node) [][]symbolic.Node {
	n := len(m)
	out := make([][]symbolic.Node, n) // by column of m, then by row of m
	for c := range out {
		out[c] = make([]symbolic.Node, n)
	}
	for i, rows := range b.rows {
		cols := b.cols[i]
		sub := make([][]symbolic.Node, len(rows))
		for r := range rows {
			for _, c := range cols {
				sub[r] = append(sub[r], m[rows[r]][c])
			}
		}
		own := cofactorInverse(g, sub)
		// The right side of each row of the block: unit vectors less the known unknowns' part.
		right := make([][]symbolic.Node, len(rows))
		for r, row := range rows {
			right[r] = make([]symbolic.Node, n)
			right[r][row] = symbolic.One
			for _, earlier := range b.cols[:i] {
				for _, c := range earlier {
					for e := range n {
						right[r][e] = g.Sub(right[r][e], g.Mul(m[row][c], out[c][e]))
					}
				}
			}
		}
		for x, v := range multiply(g, own, right) {
			out[cols[x]] = v
		}
	}
	return out
}

// cofactorInverse returns the inverse of a matrix of up to three rows.
func cofactorInverse(g *symbolic.Graph, m [][]symbolic.Node) [][]symbolic.Node {
	n := len(m)
	over := g.Div(symbolic.One, determinant(g, m))
	out := make([][]symbolic.Node, n)
	for i := range n {
		for j := range n {
			var minor [][]symbolic.Node
			for r := range n {
				if r == j {
					continue
				}
				var row []symbolic.Node
				for c := range n {
					if c != i {
						row = append(row, m[r][c])
					}
				}
				minor = append(minor, row)
			}
			v := symbolic.One
			if n > 1 {
				v = determinant(g, minor)
			}
			if (i+j)%2 == 1 {
				v = -v
			}
			out[i] = append(out[i], g.Mul(v, over))
		}
	}
	return out
}
