package projection

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestLeftFrom: what a basis leaves of a column that begins at one row after another is that of each column by itself, where the
// basis has nearly all of it too.
func TestLeftFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(20, 80).Draw(t, "rows")
		draw := rapid.SliceOfN(rapid.Float64Range(-1, 1), rows, rows)
		b := Basis{Rows: rows}
		var cols [][]float64
		for range rapid.IntRange(0, 9).Draw(t, "columns") {
			cols = append(cols, draw.Draw(t, "column"))
		}
		b.Offer(cols...)
		x := draw.Draw(t, "x")
		if len(cols) > 0 && rapid.Bool().Draw(t, "within") {
			x = cols[0]
		}
		from := []int{0, rapid.IntRange(0, rows/2).Draw(t, "first"), rapid.IntRange(rows/2, rows).Draw(t, "second"), rows}
		left := b.LeftFrom(x, from)
		for i, at := range from {
			c := make([]float64, rows)
			copy(c[at:], x[at:])
			// A difference of squares errs by rounding of the larger.
			if want := b.Left(c)[0]; math.Abs(left[i]-want) > 1e-9*want+1e-20*Dot(c, c) {
				t.Errorf("from row %d of %d on %g are left of %g, want %g", at, rows, left[i], Dot(c, c), want)
			}
		}
	})
}
