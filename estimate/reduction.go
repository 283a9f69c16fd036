package estimate

import (
	"fmt"
	"slices"

	"ident/internal/triangle"
)

// Reduction is the summary of all rows of a fit: for each time block and joint, the triangular factor of the joint's
// regressor columns and torque. It holds all that least squares with any joint weights, its covariance, and a block
// bootstrap need. Reductions can be appended. The bits of every result depend only on the blocks and their order.
type Reduction struct {
	columns int
	masks   [][]int
	blocks  []TimeBlock
	sums    *merged
}

// TimeBlock is the part of a Reduction from one time block of one run. Joints[k] has the columns of the k-th mask.
type TimeBlock struct {
	Run    int
	Joints []*Factor
	// State is the mean motion over the block: positions and velocities in any units, the same number for every block.
	// It serves to find blocks of the same state; nil if unknown.
	State []float64
}

// NewReduction returns an empty reduction for a model with the given number of columns. masks must list, for each joint,
// the columns that can be nonzero, ascending.
func NewReduction(columns int, masks [][]int) *Reduction {
	for k, m := range masks {
		if !slices.IsSorted(m) || len(m) > 0 && (m[0] < 0 || m[len(m)-1] >= columns) {
			panic(fmt.Sprintf("estimate: mask of joint %d is not ascending within %d columns", k+1, columns))
		}
	}
	return &Reduction{columns: columns, masks: masks, sums: &merged{joints: make([]*triangle.Factor, len(masks))}}
}

// NewBlock returns an empty time block of the reduction's shape.
func (r *Reduction) NewBlock(run int) TimeBlock {
	b := TimeBlock{Run: run, Joints: make([]*triangle.Factor, len(r.masks))}
	for k, m := range r.masks {
		b.Joints[k] = triangle.New(len(m))
	}
	return b
}

// Append adds time blocks at the end, in the order given.
func (r *Reduction) Append(blocks ...TimeBlock) {
	for _, b := range blocks {
		if len(b.Joints) != len(r.masks) {
			panic("estimate: time block of another shape")
		}
		for k, f := range b.Joints {
			if f.N != len(r.masks[k]) {
				panic("estimate: time block of another shape")
			}
		}
	}
	r.blocks = append(r.blocks, blocks...)
	r.forget()
}

// Merge appends the blocks of another reduction, which must be of the same model.
func (r *Reduction) Merge(o *Reduction) {
	if r.columns != o.columns {
		panic("estimate: merging reductions of different models")
	}
	r.Append(o.blocks...)
}

// Columns returns the number of columns of the model.
func (r *Reduction) Columns() int { return r.columns }

// Masks returns each joint's columns; the caller must not change them.
func (r *Reduction) Masks() [][]int { return r.masks }

// Blocks returns the time blocks; the caller must not change them.
func (r *Reduction) Blocks() []TimeBlock { return r.blocks }

// Rows returns the number of rows of each joint.
func (r *Reduction) Rows() []int {
	rows := make([]int, len(r.masks))
	for _, b := range r.blocks {
		for k, f := range b.Joints {
			rows[k] += f.Rows
		}
	}
	return rows
}

// Joint returns the factor of all rows of one joint, over its mask's columns.
// The blocks are merged as a tree in their order, so rounding grows with the
// logarithm of their number.
func (r *Reduction) Joint(k int, w *Work) *Factor {
	return r.joint(k, w).Clone()
}
