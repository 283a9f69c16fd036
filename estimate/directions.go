package estimate

import "ident/estimate/internal/singular"

// deficient returns the error for a factor that does not determine all columns.
func deficient(s singular.Solver, columns int) error {
	return &RankError{Rank: s.Rank(), Columns: columns, Undetermined: s.Undetermined()}
}

// Directions are the combinations of parameters that the rows of an estimate determine, for columns scaled to unit norm.
type Directions struct {
	Singular     []float64   // singular values, descending
	Forms        [][]float64 // by singular value: coefficients of the parameters
	Undetermined []int       // columns that take part in the null space, most involved first
}

// Directions decomposes the weighted rows of s, which must be the minimum of a sum of squares.
func (s *Solution) Directions() (*Directions, error) {
	solver, err := singular.Decompose(s.Stack, singular.ColumnNorms(s.Stack))
	if err != nil {
		return nil, err
	}
	d := &Directions{Singular: solver.Values[:solver.Rank()], Undetermined: solver.Undetermined()}
	for k := range d.Singular {
		form := make([]float64, solver.N)
		for j := range form {
			form[j] = solver.V.At(j, k) * solver.Norms[j]
		}
		d.Forms = append(d.Forms, form)
	}
	return d, nil
}
