package baseparams

import "fmt"

// Without returns the minimal set of the model that lacks some columns, which
// is the one to use where parameters are known to be zero: those of a virtual
// link without mass, say. It follows from the set alone, because the columns
// that are left are combinations of the base columns; relations are numbers
// from then on. The columns are indices in any order.
func (s *Set) Without(columns []int) *Set {
	drop := make([]bool, len(s.Columns))
	for _, c := range columns {
		if c < 0 || c >= len(drop) {
			panic(fmt.Sprintf("baseparams: no column %d in a set of %d", c, len(drop)))
		}
		drop[c] = true
	}
	coordinates := make([][]float64, len(s.Columns)) // of each column in the base columns
	for c := range coordinates {
		coordinates[c] = make([]float64, len(s.Base))
	}
	for k, c := range s.Base {
		coordinates[c][k] = 1
		for d, b := range s.Beta[k] {
			coordinates[s.Dependent[d]][k] = b
		}
	}
	out := &Set{Method: s.Method}
	var w [][]float64
	for c := range s.Columns {
		if drop[c] {
			continue
		}
		out.Columns = append(out.Columns, s.Columns[c])
		w = append(w, coordinates[c])
		if s.Reasons != nil {
			out.Reasons = append(out.Reasons, s.Reasons[c])
		}
	}
	out.firstIndependent(w, 0) // columns without effect are exactly zero
	if !(out.Gap < s.Gap) {
		out.Gap = s.Gap // the decisions before count as well
	}
	out.Warnings = append(out.Warnings, s.Warnings...)
	return out
}
