package regression

import (
	"slices"

	"ident/estimate"
	"ident/regressor"
)

// restColumns lists the columns of a reduction that have another meaning at rest.
type restColumns struct {
	Friction []int // columns with a joint's velocity or its sign
	Dry      []int // by joint: the column of Coulomb's friction; -1 for none
	Offset   []int // by joint: the column that is constant; -1 for none
}

// ofRate reports whether a term is friction that the velocity or its sign decides. Friction with a memory has its own state at rest.
func ofRate(t regressor.Term) bool { return t.Traits().Friction && t.Name() != regressor.Presliding }

// restColumnsOf finds them among the columns of a model. These must be the first columns of the reduction; those behind
// them are further friction.
func restColumnsOf(model []regressor.Column, r *estimate.Reduction) restColumns {
	c := restColumns{Offset: slices.Repeat([]int{-1}, len(r.Masks())), Dry: slices.Repeat([]int{-1}, len(r.Masks()))}
	for i := range r.Columns() {
		joint := slices.IndexFunc(r.Masks(), func(mask []int) bool { return slices.Contains(mask, i) })
		if joint < 0 {
			continue
		}
		switch {
		case i >= len(model) || ofRate(model[i].Term):
			c.Friction = append(c.Friction, i)
			if i < len(model) && model[i].Term == regressor.Fs {
				c.Dry[joint] = i
			}
		case model[i].Term == regressor.Fo:
			c.Offset[joint] = i
		}
	}
	return c
}

// leading returns the first columns.
func leading(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
