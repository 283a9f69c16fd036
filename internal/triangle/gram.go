package triangle

import "fmt"

// Gram adds to g the products of columns with each other: to g[at[i]·n+at[j]], for i ≤ j, that of columns i and j. g is
// n×n, row-major; at ascends. It squares the condition number of the columns, and takes a third of the time of Add.
func (w *Work) Gram(g []float64, n int, at []int, cols [][]float64) {
	if len(at) != len(cols) {
		panic(fmt.Sprintf("triangle: %d places for the products of %d columns", len(at), len(cols)))
	}
	if len(cols) == 0 || len(cols[0]) == 0 {
		return
	}
	w.layout(len(cols) - 1) // no right-hand side
	clear(w.top)
	clear(w.group(w.groups-1, blockStrips))
	for from := 0; from < len(cols[0]); from += blockRows {
		rows := min(blockRows, len(cols[0])-from)
		strips := (rows + lanes - 1) / lanes
		for j, c := range cols {
			w.kern.fill(w.group(j/width, strips), j%width, c[from:from+rows])
		}
		for q := range w.groups {
			w.kern.products(w.group(q, strips), w.tile[q*groupSize:], groupSize, w.top[w.square(q, q):w.square(q+1, q+1)])
		}
	}
	for i, row := range at {
		for j := i; j < len(at); j++ {
			g[row*n+at[j]] += w.top[w.square(i/width, j/width)+width*(i%width)+j%width]
		}
	}
}
