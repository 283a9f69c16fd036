package triangle

// AddNested reduces a block of rows, as Add does, onto two summaries: all of them onto one, and without the columns from
// inner.N on onto the other. Of the factor of new rows the leading columns are the factor of those columns alone: with
// Q·[R₁ R₂; 0 R₃], the measurement vector is explained by Z₁ = Q₁ᵀy, and the rest of Z joins the sum of squares that the
// first columns leave. It panics if the shapes do not fit.
func (w *Work) AddNested(outer, inner *Factor, cols [][]float64, y []float64) {
	if inner.N > outer.N {
		panic("triangle: the inner summary has more columns than the outer one")
	}
	if len(y) < outer.N { // to merge a triangle costs as much as to add a third of its rows
		outer.Add(cols, y, w)
		inner.Add(cols[:inner.N], y, w)
		return
	}
	if w.fresh == nil || w.fresh.N != outer.N {
		w.fresh = New(outer.N)
	}
	w.fresh.Reset()
	w.fresh.Add(cols, y, w)
	outer.Merge(w.fresh, w)
	if inner.Rows == 0 {
		w.fresh.leading(inner)
		return
	}
	if w.lead == nil || w.lead.N != inner.N {
		w.lead = New(inner.N)
	}
	w.fresh.leading(w.lead)
	inner.Merge(w.lead, w)
}

// leading makes g the summary of f's rows with its first g.N columns.
func (f *Factor) leading(g *Factor) {
	for i := range g.N {
		copy(g.R[i*g.N:(i+1)*g.N], f.R[i*f.N:])
	}
	copy(g.Z, f.Z)
	rss := f.RSS
	for i := f.N - 1; i >= g.N; i-- {
		rss += float64(f.Z[i] * f.Z[i])
	}
	g.RSS, g.YY, g.Rows = rss, f.YY, f.Rows
}
