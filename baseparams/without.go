package baseparams

import (
	"context"
	"fmt"

	"ident/symbolic"
)

// Without returns the minimal set of the model without some columns, given by indices in any order. Use it if parameters
// are known to be zero, such as those of a massless virtual link. It follows from the set alone, because the remaining
// columns are combinations of the base columns. Symbolic relations stay symbolic.
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
	// Columns without effect are exactly zero.
	if err := out.firstIndependent(context.Background(), w, 0); err != nil {
		panic(err) // the only error is that of a context
	}
	if !(out.Gap < s.Gap) {
		out.Gap = s.Gap // the decisions before count as well
	}
	out.Warnings = append(out.Warnings, s.Warnings...)
	if s.Exact != nil {
		out.Exact = s.exactWithout(drop, out)
	}
	return out
}

// exactWithout returns the relations of out, which is the set without the marked
// columns, as expressions, and nil where its decisions on numbers are not those on
// expressions. A base column that goes leaves its place to the first column c that
// is regrouped onto it: with β its coefficients,
//
//	W[b] = (W[c] − Σ W[k]·β[k][c]) / β[b][c]
//
// for all others that are regrouped onto b.
func (s *Set) exactWithout(drop []bool, out *Set) [][]symbolic.Expr {
	kept := make([]int, 0, len(out.Columns)) // old indices of the columns of out
	for c := range s.Columns {
		if !drop[c] {
			kept = append(kept, c)
		}
	}
	rows := map[int]map[int]symbolic.Expr{} // coefficients: of a base column, by the dependent column
	for k, b := range s.Base {
		rows[b] = map[int]symbolic.Expr{}
		for d, c := range s.Dependent {
			if !drop[c] && !s.Exact[k][d].IsZero() {
				rows[b][c] = s.Exact[k][d]
			}
		}
	}
	for _, b := range s.Base {
		if !drop[b] {
			continue
		}
		gone := rows[b]
		delete(rows, b)
		if len(gone) == 0 {
			continue
		}
		c := len(s.Columns)
		for d := range gone {
			c = min(c, d)
		}
		entering := map[int]symbolic.Expr{} // by column: its coefficient on c
		for d, e := range gone {
			if d != c {
				entering[d] = e.Div(gone[c])
			}
		}
		for _, row := range rows {
			onto, ok := row[c]
			if !ok {
				continue
			}
			delete(row, c)
			for d, e := range entering {
				if v := row[d].Sub(onto.Mul(e)); v.IsZero() {
					delete(row, d)
				} else {
					row[d] = v
				}
			}
		}
		rows[c] = entering
	}
	exact := make([][]symbolic.Expr, len(out.Base))
	for k, b := range out.Base {
		row := rows[kept[b]]
		exact[k] = make([]symbolic.Expr, len(out.Dependent))
		left := len(row)
		for d, c := range out.Dependent {
			e, ok := row[kept[c]]
			if ok != (out.Beta[k][d] != 0) {
				return nil
			}
			if ok {
				exact[k][d] = e
				left--
			}
		}
		if left > 0 {
			return nil
		}
	}
	return exact
}
