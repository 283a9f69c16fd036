package doctor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/projection"
	"ident/internal/triangle"
)

// baseRows are rows of the base regressor, joint by joint, without columns of zeros.
type baseRows []jointRows

// jointRows are those of one joint: the columns of a mask.
type jointRows struct {
	mask []int
	cols [][]float64
}

// norm is that of a column over all joints.
func (b baseRows) norm(column int) float64 {
	sum := 0.0
	for _, j := range b {
		if i, ok := slices.BinarySearch(j.mask, column); ok {
			sum = math.Hypot(sum, projection.Norm(j.cols[i]))
		}
	}
	return sum
}

// distance is that of a column from the same one of other rows.
func (b baseRows) distance(other baseRows, column int) float64 {
	sum := 0.0
	for k, j := range b {
		if i, ok := slices.BinarySearch(j.mask, column); ok {
			sum = math.Hypot(sum, projection.Distance(j.cols[i], other[k].cols[i]))
		}
	}
	return sum
}

// factor is the triangular factor R of the kept columns over their scales, less those
// of other rows where there are any: R has the singular values and the right singular
// vectors of the rows.
func (b baseRows) factor(less baseRows, keep []int, scale []float64) *mat.Dense {
	sum := triangle.New(len(keep))
	var work triangle.Work
	var memory [][]float64 // of one joint's columns
	for k, j := range b {
		var index []int
		var cols [][]float64
		for at, c := range keep {
			i, ok := slices.BinarySearch(j.mask, c)
			if !ok {
				continue
			}
			if len(cols) == len(memory) {
				memory = append(memory, make([]float64, len(j.cols[i])))
			}
			col := memory[len(cols)]
			for row, v := range j.cols[i] {
				if less != nil {
					v -= less[k].cols[i][row]
				}
				col[row] = v / scale[c]
			}
			index, cols = append(index, at), append(cols, col)
		}
		if len(cols) == 0 {
			continue
		}
		own := triangle.New(len(cols))
		own.Add(cols, make([]float64, len(cols[0])), &work)
		sum.Merge(own.Embed(len(keep), index), &work)
	}
	return mat.NewDense(len(keep), len(keep), sum.R)
}
