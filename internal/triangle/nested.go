package triangle

// AddNested reduces a block of rows, as Add does, onto two summaries: all of them onto one, and without the columns from
// inner.N on onto the other, which has the bits that Add gives it. It panics if the shapes do not fit.
//
// The tile holds the inner columns with the measurement vector behind them, as Add would, and in groups of their own the
// further columns with the measurement vector once more. The reflectors of the inner columns pass through all of it, and leave
// of the first copy the residual of the inner columns; those of the further columns then pass through the second copy.
func (w *Work) AddNested(outer, inner *Factor, cols [][]float64, y []float64) {
	if inner.N > outer.N {
		panic("triangle: the inner summary has more columns than the outer one")
	}
	if len(y) < outer.N || inner.Rows > 0 { // to merge a triangle costs as much as to add a third of its rows
		outer.Add(cols, y, w)
		inner.Add(cols[:inner.N], y, w)
		return
	}
	n, more := inner.N, outer.N-inner.N
	own := n/width + 1 // groups of the inner columns
	w.layout(width * (own + more/width))
	clear(w.top)
	if w.fresh == nil || w.fresh.N != outer.N {
		w.fresh = New(outer.N)
	}
	all := w.fresh
	all.Reset()
	strips := (min(len(y), blockRows) + lanes - 1) / lanes
	clear(w.group(own-1, strips))
	clear(w.group(w.groups-1, strips))
	for at := 0; at < len(y); at += blockRows {
		rows := min(blockRows, len(y)-at)
		strips = (rows + lanes - 1) / lanes
		put := func(j int, x []float64) { w.kern.fill(w.group(j/width, strips), j%width, x[at:at+rows]) }
		for j, c := range cols {
			put(w.place(j, n), c)
		}
		put(n, y)
		put(width*own+more, y)
		inner.YY += w.sumSquares(n, strips)
		for q := range w.groups {
			count := min(width, n-width*q)
			if q >= own {
				count = min(width, more-width*(q-own))
			}
			panel := w.group(q, strips)
			w.factor(panel, count, (*[width * width]float64)(w.top[w.square(q, q):]))
			if count > 0 && q+1 < w.groups {
				w.kern.apply(panel, w.tile[(q+1)*groupSize:], groupSize, &w.refl, w.top[w.square(q, q+1):w.square(q+1, q+1)])
			}
		}
		inner.RSS += w.sumSquares(n, strips)
		all.RSS += w.sumSquares(width*own+more, strips)
	}
	entry := func(i, j int) float64 { // row i, column j of the places
		return w.top[w.square(i/width, j/width)+width*(i%width)+j%width]
	}
	for i := range outer.N {
		from := w.place(i, n)
		for j := i; j < outer.N; j++ {
			all.R[i*outer.N+j] = entry(from, w.place(j, n))
		}
		all.Z[i] = entry(from, width*own+more)
		if i < n {
			copy(inner.R[i*n+i:(i+1)*n], all.R[i*outer.N+i:])
			inner.Z[i] = entry(from, n)
		}
	}
	all.YY, all.Rows, inner.Rows = inner.YY, len(y), len(y)
	outer.Merge(all, w)
}

// place returns the column of the tile that holds column j of rows whose first n are the inner ones.
func (w *Work) place(j, n int) int {
	if j < n {
		return j
	}
	return width*(n/width+1) + j - n
}
