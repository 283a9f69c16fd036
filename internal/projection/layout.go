package projection

import "ident/internal/triangle"

// Layout says which columns stand in which joint's equation, and holds the memory in which equations are reduced.
// Columns that stand in one joint's equation only, its friction and rotor, come first in that joint's factor: its
// rows below them say all that the joint says of the columns that joints share, and only these meet in a common
// factor. It serves one goroutine.
type Layout struct {
	shared []int // columns of two joints and more, ascending
	joints []jointFactor
	common *triangle.Factor // of the shared columns
	part   *triangle.Factor // one joint's part of it
	work   triangle.Work
	x      []float64 // parameters, one a column
	size   []float64 // norm of a column over all joints
}

// jointFactor is the place of one joint's columns, and the factor of its equation.
type jointFactor struct {
	order   []int // number in the mask of every column of the factor
	columns []int // its number among all columns
	own     int   // number of columns that no other joint has
	at      []int // of the others, the place among the shared ones
	f       *triangle.Factor
	ordered [][]float64
}

// NewLayout lays out equations in so many columns; masks are those that can be non-zero for each joint, ascending.
func NewLayout(columns int, masks [][]int) *Layout {
	used := make([]int, columns)
	for _, mask := range masks {
		for _, c := range mask {
			used[c]++
		}
	}
	l := &Layout{x: make([]float64, columns), size: make([]float64, columns)}
	place := make([]int, columns)
	for c, n := range used {
		if n > 1 {
			place[c] = len(l.shared)
			l.shared = append(l.shared, c)
		}
	}
	for _, mask := range masks {
		j := jointFactor{f: triangle.New(len(mask)), ordered: make([][]float64, len(mask))}
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
		l.joints = append(l.joints, j)
	}
	l.common, l.part = triangle.New(len(l.shared)), triangle.New(len(l.shared))
	return l
}
