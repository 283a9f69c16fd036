package triangle

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGram: products are those of the plain formula, for rows of more than a block and any number of columns, added to
// those that are there; entries below the diagonal stay.
func TestGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for name, k := range kernels() {
		w := &Work{kern: k}
		for _, columns := range []int{1, 3, 4, 5, 8, 11} {
			for _, rows := range []int{1, 8, 255, 600} {
				n := columns + 2
				cols, at := make([][]float64, columns), make([]int, columns)
				for c := range cols {
					cols[c], at[c] = make([]float64, rows), c+min(c/2, 2)
					for i := range cols[c] {
						cols[c][i] = rng.NormFloat64()
					}
				}
				g := make([]float64, n*n)
				for i := range g {
					g[i] = float64(i)
				}
				w.Gram(g, n, at, cols)
				for i := range g {
					g[i] -= float64(i)
				}
				for i := range cols {
					for j := i; j < columns; j++ {
						want := 0.0
						for r := range rows {
							want += cols[i][r] * cols[j][r]
						}
						// Rounding of sums of up to 600 products of size one, and of up to 169 that stood there.
						if got := g[at[i]*n+at[j]]; !(math.Abs(got-want) < 1e-10) {
							t.Fatalf("%s, %d columns of %d rows: product %d, %d is %g, want %g", name, columns, rows, i, j, got, want)
						}
						g[at[i]*n+at[j]] = 0
					}
				}
				for i, v := range g {
					if v != 0 {
						t.Fatalf("%s, %d columns: entry %d changed by %g", name, columns, i, v)
					}
				}
			}
		}
	}
}
