package baseparams

import (
	"context"

	"ident/internal/triangle"
	"ident/regressor"
)

// summary is a triangular factor over some of a model's columns.
type summary struct {
	columns []int // ascending
	factor  *triangle.Factor
}

// compress reduces the rows of a regressor to a triangle with the same products between columns, on which alone the
// independence of columns depends. Column c of the result ends at row c.
//
// It proceeds from the tips to the base. The rows of a joint touch only the columns of the links it carries, so each
// joint is reduced on top of the factors of the joints beyond it, over their columns only: for a chain a third of the
// work of full rows, for a tree far less.
func compress(ctx context.Context, m *regressor.Model, b *regressor.Block) ([][]float64, error) {
	n := len(m.Columns())
	var work triangle.Work
	var open []summary
	zeros := make([]float64, b.Rows)
	for k := m.Joints() - 1; k >= 0; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mask := m.Mask(k)
		s, rest := joined(open, mask, n, &work)
		cols := make([][]float64, len(s.columns))
		at := 0
		for i, c := range s.columns {
			cols[i] = zeros
			if at < len(mask) && mask[at] == c {
				cols[i] = b.Joint[k][at]
				at++
			}
		}
		s.factor.Add(cols, zeros, &work)
		open = append(rest, s)
	}
	all := make([]int, n)
	for c := range all {
		all[c] = c
	}
	s, _ := joined(open, all, n, &work)
	out := make([][]float64, n)
	for c := range out {
		out[c] = make([]float64, c+1)
		for i := range out[c] {
			out[c][i] = s.factor.R[i*n+c]
		}
	}
	return out, nil
}

// joined merges the given columns, of n, and all summaries that share some with them into one summary; rest are the
// others.
func joined(open []summary, columns []int, n int, work *triangle.Work) (s summary, rest []summary) {
	wanted := make([]bool, n)
	for _, c := range columns {
		wanted[c] = true
	}
	union := append([]bool(nil), wanted...)
	var parts []summary
	for _, o := range open {
		shares := false
		for _, c := range o.columns {
			shares = shares || wanted[c]
		}
		if !shares {
			rest = append(rest, o)
			continue
		}
		parts = append(parts, o)
		for _, c := range o.columns {
			union[c] = true
		}
	}
	at := make([]int, n)
	for c, in := range union {
		if in {
			at[c] = len(s.columns)
			s.columns = append(s.columns, c)
		}
	}
	s.factor = triangle.New(len(s.columns))
	taken := make([]bool, n)
	for _, p := range parts {
		index := make([]int, len(p.columns))
		overlap := false
		for i, c := range p.columns {
			index[i] = at[c]
			overlap = overlap || taken[c]
			taken[c] = true
		}
		f := p.factor.Embed(len(s.columns), index)
		if overlap {
			s.factor.Merge(f, work)
			continue
		}
		// Factors over disjoint columns are already one triangle.
		for i, v := range f.R {
			s.factor.R[i] += v
		}
	}
	return s, rest
}
