package triangle

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Two summaries at once are those that two calls of Add make, the inner one to the last bit: RᵀR, RᵀZ and the sums of squares are those of the rows to
// rounding of the sums, m·ε of the columns' norms, whatever the rows; some operations of n reflectors add n·ε.
func TestAddNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		n := rapid.IntRange(0, 20).Draw(t, "columns")
		own := rapid.IntRange(0, n).Draw(t, "leading")
		outer, inner, all, lead := New(n), New(own), New(n), New(own)
		var w Work
		rows := 0
		for range rapid.IntRange(1, 3).Draw(t, "blocks") {
			m := rapid.IntRange(0, 300).Draw(t, "rows")
			cols, y := make([][]float64, n), make([]float64, m)
			for j := range cols {
				cols[j] = make([]float64, m)
				for i := range cols[j] {
					cols[j][i] = rng.NormFloat64()
				}
			}
			for i := range y {
				y[i] = rng.NormFloat64()
			}
			w.AddNested(outer, inner, cols, y)
			all.Add(cols, y, &w)
			lead.Add(cols[:own], y, &w)
			rows += m
		}
		tolerance := 160 * float64(rows+n+1) * 0x1p-52 * float64(rows+1)
		sameProducts(t, "all columns", outer, all, tolerance)
		if !reflect.DeepEqual(inner, lead) {
			t.Fatalf("the leading columns give %+v, alone %+v", inner, lead)
		}
	})
}

// sameProducts compares two factors by the products of their columns, at most the number of rows for entries of order one.
func sameProducts(t *rapid.T, name string, a, b *Factor, tolerance float64) {
	if a.Rows != b.Rows {
		t.Fatalf("%s: %d rows, want %d", name, a.Rows, b.Rows)
	}
	near := func(of string, x, y float64) {
		if !(math.Abs(x-y) <= tolerance) {
			t.Fatalf("%s: %s is %g, want %g", name, of, x, y)
		}
	}
	near("the sum of squares", a.YY, b.YY)
	near("the residual", a.RSS, b.RSS)
	n := a.N
	for i := range n {
		zy, zw := 0.0, 0.0
		for k := 0; k <= i; k++ {
			zy += a.R[k*n+i] * a.Z[k]
			zw += b.R[k*n+i] * b.Z[k]
		}
		near("a product with the measurement vector", zy, zw)
		for j := range n {
			x, y := 0.0, 0.0
			for k := 0; k <= min(i, j); k++ {
				x += a.R[k*n+i] * a.R[k*n+j]
				y += b.R[k*n+i] * b.R[k*n+j]
			}
			near("a product of columns", x, y)
		}
	}
}
