package projection

import (
	"math/rand/v2"
	"testing"
)

// The bound rejects no arrangement whose residual is within the limit, with dependent columns and without,
// and rejects those whose residual is clearly above it.
func TestExceedIsABound(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const columns, rows = 12, 40
		eq := &Equations{Columns: columns}
		x := make([]float64, columns)
		for c := range x {
			x[c] = rng.NormFloat64()
		}
		noise := []float64{0, 1e-6, 0.1}[seed%3]
		for j := range 3 {
			e := Joint{Y: make([]float64, rows)}
			for c := 4 * j; c < columns; c++ {
				col := make([]float64, rows)
				for k := range col {
					col[k] = rng.NormFloat64()
				}
				if seed%2 == 1 && c == columns-1 { // the last column is the one before it, nearly
					for k := range col {
						col[k] = e.Cols[len(e.Cols)-1][k] + 1e-9*col[k]
					}
				}
				for k, v := range col {
					e.Y[k] += x[c] * v
				}
				e.Mask, e.Cols = append(e.Mask, c), append(e.Cols, col)
			}
			for k := range e.Y {
				e.Y[k] += noise * rng.NormFloat64()
			}
			eq.Joints = append(eq.Joints, e)
		}
		left := eq.Residual()
		if eq.Exceed(left) {
			t.Errorf("seed %d: a residual of %g is above itself", seed, left)
		}
		if noise == 0.1 && !eq.Exceed(left/2) {
			t.Errorf("seed %d: a residual of %g is not above its half", seed, left)
		}
	}
}
