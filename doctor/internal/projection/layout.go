package projection

import "ident/internal/triangle"

// Layout says which columns appear in which joint's equation, and holds the memory in which equations are reduced.
// Columns that appear in one equation only (friction and rotor of the joint) come first in that joint's factor. The
// rows below them contain all that the joint says about shared columns, and only these rows enter the common factor. It
// serves one goroutine.
type Layout struct {
	shared []int // columns of two joints and more, ascending
	joints []jointFactor
	common *triangle.Factor // of the shared columns from the first on that a joint has brought
	from   int              // that column's place among the shared ones
	memory []float64        // of the common factor, rows and right-hand side behind each other
	index  []int            // places of a joint's columns in it
	work   *triangle.Work
	x      []float64 // parameters, one per column
	size   []float64 // norm of a column over all joints
}

// jointFactor says where one joint's columns are, and holds the factor of its equation.
type jointFactor struct {
	order   []int // number in the mask of every column of the factor
	columns []int // its number among all columns
	own     int   // number of columns that no other joint has
	at      []int // position of the other columns among the shared ones
	f       *triangle.Factor
	shared  triangle.Factor // of f the rows that hold the shared columns only
	ready   bool            // f is that of the equation in use
	// Factor of the same columns, followed by all right-hand sides but the last.
	all     triangle.Factor
	reduced bool
	memory  []float64
	ordered [][]float64
}

// NewLayout returns a layout for equations with the given number of columns. masks lists for each joint the columns
// that can be nonzero, ascending. Layouts that are not used at the same time may share work.
func NewLayout(columns int, masks [][]int, work *triangle.Work) *Layout {
	used := make([]int, columns)
	for _, mask := range masks {
		for _, c := range mask {
			used[c]++
		}
	}
	l := &Layout{x: make([]float64, columns), size: make([]float64, columns), work: work}
	place := make([]int, columns)
	for c, n := range used {
		if n > 1 {
			place[c] = len(l.shared)
			l.shared = append(l.shared, c)
		}
	}
	for _, mask := range masks {
		j := jointFactor{f: triangle.New(len(mask))}
		for i, c := range mask {
			if used[c] == 1 {
				j.order, j.columns = append(j.order, i), append(j.columns, c)
			}
		}
		j.own = len(j.order)
		for i, c := range mask {
			if used[c] > 1 {
				j.order, j.columns, j.at = append(j.order, i), append(j.columns, c), append(j.at, place[c])
			}
		}
		j.shared = *triangle.New(len(j.at))
		l.joints = append(l.joints, j)
	}
	n := len(l.shared)
	l.memory = make([]float64, n*n+n)
	l.begin()
	return l
}

// begin clears the common factor.
func (l *Layout) begin() {
	l.from = len(l.shared)
	l.common = &triangle.Factor{}
}

// together is the number of columns that a reduction handles together. A factor that begins at a multiple of it gives
// the same bits as the factor of all columns.
const together = 4

// reach extends the common factor so that it begins at the given shared column or before. Joints near the tip have only
// the last of the shared columns, so merging two such factors is cheap.
func (l *Layout) reach(column int) {
	if column >= l.from {
		return
	}
	old, n := l.common, len(l.shared)
	d := l.from - column/together*together
	l.from -= d
	m := n - l.from
	rows, z := l.memory[:m*m], l.memory[n*n:][:m]
	for i := old.N - 1; i >= 0; i-- { // backward, as a row comes to lie behind its old place
		copy(rows[(i+d)*m+i+d:(i+d+1)*m], old.R[i*old.N+i:(i+1)*old.N])
	}
	clear(rows[:d*m])
	copy(z[d:], old.Z)
	clear(z[:d])
	old.N, old.R, old.Z = m, rows, z
}
