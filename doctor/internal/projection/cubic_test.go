package projection

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestCubic: coefficients and scatter are those of the least squares of powers of the times by orthogonal rows, and the spreads of
// the coefficients those of their inverse products, on any times.
func TestCubic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(9, 40).Draw(t, "n")
		at, signals := make([]float64, n), [][]float64{make([]float64, n), make([]float64, n)}
		now := rapid.Float64Range(0, 1e4).Draw(t, "start")
		for k := range at {
			now += rapid.Float64Range(0.5, 2).Draw(t, "step")
			at[k] = now
			for _, x := range signals {
				x[k] = rapid.Float64Range(-1, 1).Draw(t, "x")
			}
		}
		centre := at[n/2]
		var c Cubic
		c.Fit(at[:9], at[4], [][]float64{at[:9]}) // another fit before it
		c.Fit(at, centre, signals)
		w := mat.NewDense(n, 4, nil)
		for k := range at {
			for i := range 4 {
				w.Set(k, i, math.Pow(at[k]-centre, float64(i)))
			}
		}
		for i, x := range signals {
			var want, r mat.VecDense
			if err := want.SolveVec(w, mat.NewVecDense(n, x)); err != nil {
				t.Fatal(err)
			}
			r.MulVec(w, &want)
			r.SubVec(mat.NewVecDense(n, x), &r)
			// The powers' condition number squared is some 1e6 in the scaled times.
			f := 1.0
			for k, got := range []float64{c.Value(i), c.Slope(i), c.Bend(i)} {
				if d := math.Abs(got-want.AtVec(k)) * f; d > 1e-9 {
					t.Errorf("coefficient %d is off by %g of the values", k, d)
				}
				f *= c.scale
			}
			if d := math.Abs(c.Scatter[i] - mat.Norm(&r, 2)/math.Sqrt(float64(n-4))); d > 1e-9 {
				t.Errorf("scatter is off by %g", d)
			}
		}
		var products, inverse mat.Dense
		products.Mul(w.T(), w)
		for i := range 4 {
			for j := range 4 { // in scaled times
				products.Set(i, j, products.At(i, j)/math.Pow(c.scale, float64(i+j)))
			}
		}
		if err := inverse.Inverse(&products); err != nil {
			t.Fatal(err)
		}
		first, second := c.Spread()
		for i, got := range []float64{first * c.scale, second * c.scale * c.scale} {
			if want := math.Sqrt(inverse.At(i+1, i+1)); math.Abs(got-want) > 1e-9*want {
				t.Errorf("spread of coefficient %d is %g, want %g", i+1, got, want)
			}
		}
	})
}
