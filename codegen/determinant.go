package codegen

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"ident/symbolic"
)

// ErrDeterminant is wrapped by the errors for Jacobians without the determinant or the inverse
// that was asked for.
var ErrDeterminant = errors.New("no such determinant")

// blocks are a square matrix brought to block triangular form by permutations of rows and columns:
// entries in the rows of a block and the columns of a later one are zero. Blocks are the strongly
// connected components of the columns matched with rows (Dulmage and Mendelsohn 1958), so the
// 3×3 blocks of an arm with a wrist appear without being looked for.
type blocks struct {
	rows, cols [][]int
	negative   bool // sign of the two permutations together
}

// blockForm returns the block form of the pattern of a square matrix: nil where the pattern alone
// makes it singular.
func blockForm(zero func(row, col int) bool, n int) *blocks {
	rowOf := make([]int, n) // of each column
	for c := range rowOf {
		rowOf[c] = -1
	}
	var augment func(row int, seen []bool) bool
	augment = func(row int, seen []bool) bool {
		for c := range n {
			if zero(row, c) || seen[c] {
				continue
			}
			seen[c] = true
			if rowOf[c] < 0 || augment(rowOf[c], seen) {
				rowOf[c] = row
				return true
			}
		}
		return false
	}
	for row := range n {
		if !augment(row, make([]bool, n)) {
			return nil
		}
	}
	b := &blocks{}
	// Tarjan's components of the graph c → d where the row of c has an entry in column d: each
	// component is left after those that it leads to.
	index, low, on := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	next := 0
	var visit func(c int)
	visit = func(c int) {
		next++
		index[c], low[c] = next, next
		stack, on[c] = append(stack, c), true
		for d := range n {
			if zero(rowOf[c], d) {
				continue
			}
			if index[d] == 0 {
				visit(d)
				low[c] = min(low[c], low[d])
			} else if on[d] {
				low[c] = min(low[c], index[d])
			}
		}
		if low[c] != index[c] {
			return
		}
		var cols, rows []int
		for {
			d := stack[len(stack)-1]
			stack, on[d] = stack[:len(stack)-1], false
			cols = append(cols, d)
			if d == c {
				break
			}
		}
		slices.Sort(cols)
		for _, d := range cols {
			rows = append(rows, rowOf[d])
		}
		slices.Sort(rows)
		b.rows, b.cols = append(b.rows, rows), append(b.cols, cols)
	}
	for c := range n {
		if index[c] == 0 {
			visit(c)
		}
	}
	b.negative = odd(slices.Concat(b.rows...)) != odd(slices.Concat(b.cols...))
	return b
}

// odd tells the parity of a permutation.
func odd(p []int) bool {
	n := 0
	for i := range p {
		for k := range i {
			if p[k] > p[i] {
				n++
			}
		}
	}
	return n%2 == 1
}

// factors returns the determinants of the blocks, named det1, det2, … on the graph.
func (b *blocks) factors(g *symbolic.Graph, m [][]symbolic.Node) []symbolic.Node {
	var out []symbolic.Node
	for i := range b.rows {
		sub := make([][]symbolic.Node, len(b.rows[i]))
		for r, row := range b.rows[i] {
			for _, col := range b.cols[i] {
				sub[r] = append(sub[r], m[row][col])
			}
		}
		out = append(out, determinant(g, sub))
	}
	return out
}

// determinant expands a square matrix by its rows, each minor of the last rows once.
func determinant(g *symbolic.Graph, m [][]symbolic.Node) symbolic.Node {
	n := len(m)
	// Rows with few entries come first: they leave the fewest minors.
	order := make([]int, n)
	entries := make([]int, n)
	for i := range m {
		order[i] = i
		for _, v := range m[i] {
			if v != 0 {
				entries[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return entries[a] - entries[b] })
	known := map[uint]symbolic.Node{0: symbolic.One}
	var minor func(cols uint) symbolic.Node
	minor = func(cols uint) symbolic.Node {
		if v, ok := known[cols]; ok {
			return v
		}
		row := m[order[n-bits.OnesCount(cols)]]
		var sum symbolic.Node
		sign := false
		for c := range n {
			if cols&(1<<c) == 0 {
				continue
			}
			if row[c] != 0 {
				v := g.Mul(row[c], minor(cols&^(1<<c)))
				if sign {
					v = -v
				}
				sum = g.Add(sum, v)
			}
			sign = !sign
		}
		known[cols] = sum
		return sum
	}
	d := minor(1<<n - 1)
	if odd(order) {
		d = -d
	}
	return d
}

// deadRows names the rows of a Jacobian that are zero everywhere.
func deadRows(rows [][]symbolic.Node) []string {
	var dead []string
	for i, row := range rows {
		if !slices.ContainsFunc(row, func(n symbolic.Node) bool { return n != 0 }) {
			dead = append(dead, twistRows[i])
		}
	}
	return dead
}

// noSquare returns the error for a Jacobian that is not square and has not got a determinant of J·Jᵀ
// either.
func (k *kinematicMaker) noSquare(rows, columns int) error {
	why := ""
	dead := deadRows(k.without(k.turned(k.frame.Link, k.jacobianIn(k.frame.Link, k.frame.Link, k.at))))
	if len(dead) > 0 {
		why = fmt.Sprintf("; the rows %s are zero everywhere", strings.Join(dead, ", "))
	}
	return fmt.Errorf("robot %q: %w: the Jacobian of %s is %d×%d%s; choose as many of its rows as it has columns", k.r.Name, ErrDeterminant, k.point(), rows, columns, why)
}
