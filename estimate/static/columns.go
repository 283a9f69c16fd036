package static

import (
	"slices"

	"ident/estimate"
	"ident/regressor"
)

// Columns lists the columns of a reduction that have another meaning at rest.
type Columns struct {
	Friction []int // columns with a joint's velocity or its sign
	Offset   []int // by joint: the column that is constant; -1 for none
}

// SignTerm reports whether a term of friction has the sign of a velocity.
func SignTerm(t regressor.Term) bool {
	return slices.Contains([]regressor.Term{regressor.Fs, regressor.Asymmetric, regressor.LoadFs, regressor.Stribeck, regressor.StribeckV, regressor.Warming, regressor.ByHeat, regressor.ByDegrees}, t.Name())
}

// ColumnsOf finds them among the columns of a model. These must be the first columns of the reduction; those behind
// them are further friction.
func ColumnsOf(model []regressor.Column, r *estimate.Reduction) Columns {
	c := Columns{Offset: slices.Repeat([]int{-1}, len(r.Masks()))}
	for i := range r.Columns() {
		switch {
		case i >= len(model) || model[i].Term == regressor.Fv || SignTerm(model[i].Term):
			c.Friction = append(c.Friction, i)
		case model[i].Term == regressor.Fo:
			c.Offset[slices.IndexFunc(r.Masks(), func(mask []int) bool { return slices.Contains(mask, i) })] = i
		}
	}
	return c
}

// Leading returns the first columns.
func Leading(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
