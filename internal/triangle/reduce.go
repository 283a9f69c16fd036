package triangle

import (
	"fmt"
	"math"
)

// Add reduces a block of rows: cols[j] is column j of W and y the right-hand
// side, all of one length m, which may be anything from zero up. The block is
// only read, and its columns may share memory. Add does not allocate once w has
// seen as many columns. It panics if the shapes do not fit.
func (f *Factor) Add(cols [][]float64, y []float64, w *Work) {
	m := len(y)
	if len(cols) != f.N {
		panic(fmt.Sprintf("triangle: adding %d columns to a factor of %d", len(cols), f.N))
	}
	for j, c := range cols {
		if len(c) != m {
			panic(fmt.Sprintf("triangle: column %d has %d rows, the right-hand side %d", j, len(c), m))
		}
	}
	if m == 0 {
		return
	}
	w.layout(f.N)
	w.load(f)
	// The padding past y has no effect on results, but old numbers in it
	// would shrink from block to block until they were subnormal, and slow.
	clear(w.group(w.groups-1, (min(m, blockRows)+lanes-1)/lanes))
	for at := 0; at < m; at += blockRows {
		rows := min(blockRows, m-at)
		strips := (rows + lanes - 1) / lanes
		for j, c := range cols {
			w.kern.fill(w.group(j/width, strips), j%width, c[at:at+rows])
		}
		w.kern.fill(w.group(f.N/width, strips), f.N%width, y[at:at+rows])
		f.YY += w.sumSquares(f.N, strips)
		w.reduce(f.N, 0, func(int) int { return strips })
		f.RSS += w.sumSquares(f.N, strips)
	}
	w.store(f)
	f.Rows += m
}

// Merge makes f the summary of its own rows and those of g, which is left
// unchanged. It panics if the numbers of columns differ or g is f.
func (f *Factor) Merge(g *Factor, w *Work) {
	if g.N != f.N {
		panic(fmt.Sprintf("triangle: merging a factor of %d columns into one of %d", g.N, f.N))
	}
	for i := len(w.all); i < f.N; i++ {
		w.all = append(w.all, i)
	}
	f.MergeColumns(g, w.all[:f.N], 1, w)
}

// MergeColumns merges the rows of g, times scale, seen as rows with f's columns: column j of g is column index[j], and the
// others are zero. It panics if index is not g.N long, strictly ascending and within f's columns, or g is f.
func (f *Factor) MergeColumns(g *Factor, index []int, scale float64, w *Work) {
	n := f.N
	checkIndex(g.N, n, index)
	if g == f {
		panic("triangle: merging a factor into itself")
	}
	w.layout(n)
	w.load(f)
	for at := 0; at < g.N; at += blockRows {
		// Row i of g begins at column index[i]: the groups before that of the block's first row
		// have nothing in them, and group q reaches down to the last row that begins in it or before.
		rows := min(blockRows, g.N-at)
		begin := index[at : at+rows]
		all := (rows + lanes - 1) / lanes
		first := begin[0] / width
		for p := first; p < w.groups; p++ {
			clear(w.group(p, all))
		}
		for i := range rows {
			row := g.R[(at+i)*g.N+at+i : (at+i+1)*g.N]
			o := i/lanes*cell + i%lanes
			for j, c := range index[at+i:] {
				w.tile[c/width*groupSize+c%width*lanes+o] = scale * row[j]
			}
			w.tile[n/width*groupSize+n%width*lanes+o] = scale * g.Z[at+i]
		}
		reach := 0
		w.reduce(n, first, func(q int) int {
			for reach < rows && begin[reach] < width*(q+1) {
				reach++
			}
			return (reach + lanes - 1) / lanes
		})
		f.RSS += w.sumSquares(n, all)
	}
	w.store(f)
	f.RSS += scale * scale * g.RSS
	f.YY += scale * scale * g.YY
	f.Rows += g.Rows
}

// fill copies x into column c of a group and zeros into the rest of the last
// strip.
func (k kernel) fill(group []float64, c int, x []float64) {
	whole := len(x) / lanes
	k.strips(group[c*lanes:], cell, x, lanes, whole)
	if x = x[whole*lanes:]; len(x) > 0 {
		last := group[whole*cell+c*lanes:][:lanes]
		for i := range last {
			last[i] = 0
			if i < len(x) {
				last[i] = x[i]
			}
		}
	}
}

// sumSquares returns the sum of squares of column j of the tile.
func (w *Work) sumSquares(j, strips int) float64 {
	w.kern.dots(w.group(j/width, strips), j%width, &w.dots)
	return w.dots[j%width]
}

// reduce applies to the n columns and the right-hand side in the tile, and to
// the squares on top of them, the reflectors that make the columns zero, from
// group first on. Reflectors and columns of group q are taken to be zero below
// strips(q).
func (w *Work) reduce(n, first int, strips func(q int) int) {
	for q := first; q < w.groups; q++ {
		k := strips(q)
		panel := w.group(q, k)
		w.factor(panel, min(width, n-width*q), (*[width * width]float64)(w.top[w.square(q, q):]))
		if q+1 < w.groups {
			w.kern.apply(panel, w.tile[(q+1)*groupSize:], groupSize, &w.refl, w.top[w.square(q, q+1):w.square(q+1, q+1)])
		}
	}
}

// factor finds the reflectors of the first count columns of a group and
// applies each to the columns of the group that come after it.
func (w *Work) factor(panel []float64, count int, top *[width * width]float64) {
	w.refl = reflectors{}
	if count == 0 {
		return
	}
	h := &w.refl
	w.kern.dots(panel, 0, &w.dots)
	for l := range count {
		w.coef = [width]float64{}
		alpha, sigma2, scale := top[l*width+l], w.dots[l], 1.0
		if s := alpha*alpha + sigma2; !(s < 0x1p200 && sigma2 > 0x1p-200) {
			scale, sigma2 = w.rescale(panel, l, alpha)
			alpha *= scale
		}
		if sigma2 != 0 {
			beta := math.Sqrt(alpha*alpha + sigma2)
			h.top[l] = -sigma2 / (alpha + beta)
			h.inv[l] = 1 / beta
			h.gain[l] = -((alpha + beta) / beta) / sigma2
			for i := range l {
				h.gram[i][l] = w.dots[i]
			}
			top[l*width+l] = beta / scale
			for k := l + 1; k < width; k++ {
				u := h.top[l]*top[l*width+k] + w.dots[k]
				top[l*width+k] += u * h.inv[l]
				w.coef[k] = u * h.gain[l]
			}
		}
		if l+1 < width {
			w.kern.step(panel, l, &w.coef, &w.dots)
		}
	}
}

// rescale multiplies column l of a group by a power of two, the scale
// returned, that takes the larger of its entries and alpha near one, and
// returns its sum of squares then, the group's products with it being in
// w.dots. A reflector does not depend on the length of its vector, so all else
// may stay as it is. The sum of squares is zero where the column is, and also
// where it is so small beside alpha that dropping it is no error.
func (w *Work) rescale(panel []float64, l int, alpha float64) (scale, sigma2 float64) {
	largest := math.Abs(alpha)
	for o := l * lanes; o < len(panel); o += cell {
		for _, b := range panel[o : o+lanes] {
			if a := math.Abs(b); a > largest || a != a { // a NaN stays
				largest = a
			}
		}
	}
	if largest == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
		return 1, w.dots[l]
	}
	_, e := math.Frexp(largest)
	scale = math.Ldexp(1, min(-e, 1000))
	for o := l * lanes; o < len(panel); o += cell {
		for i := range lanes {
			panel[o+i] *= scale
		}
	}
	w.kern.dots(panel, l, &w.dots)
	if w.dots[l] < 0x1p-900 {
		return 1, 0
	}
	return scale, w.dots[l]
}
