package projection

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A few columns give the residuals of a Basis of them, up to rounding; a column that depends on those before it has no
// coefficient in either.
func TestFew(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const rows = 40
		many, few := Basis{Rows: rows}, Few{}
		y := make([]float64, rows)
		for k := range y {
			y[k] = rng.NormFloat64()
		}
		var cols [][]float64
		for c := range int(1 + seed%4) {
			x := make([]float64, rows)
			for k := range x {
				x[k] = rng.NormFloat64()
				if c == 2 {
					x[k] = 2*cols[0][k] - cols[1][k]
				}
			}
			cols = append(cols, x)
			many.Offer(x)
			few.Offer(x)
		}
		coef, left := few.Fit(y)
		// Columns of unit variance and condition numbers below ten: some ten roundings of numbers of that size.
		const near = 1e-12
		for c, v := range many.Solve(y) {
			if !(math.Abs(coef[c]-v) < near) {
				t.Errorf("seed %d: coefficient %d is %g, of a basis %g", seed, c, coef[c], v)
			}
		}
		for k, v := range many.Residual(y) {
			if !(math.Abs(left[k]-v) < near) {
				t.Fatalf("seed %d: %g is left of row %d, of a basis %g", seed, left[k], k, v)
			}
		}
		if len(few.Kept) != many.Rank() || few.Offered != many.Offered {
			t.Errorf("seed %d: %d of %d columns kept, of a basis %d of %d", seed, len(few.Kept), few.Offered, many.Rank(), many.Offered)
		}
		for i, v := range many.R {
			if !(math.Abs(few.R[i]-v) < near*rows) {
				t.Errorf("seed %d: entry %d of the factor is %g, of a basis %g", seed, i, few.R[i], v)
			}
		}
	}
}
