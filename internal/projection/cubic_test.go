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
		at, x := make([]float64, n), make([]float64, n)
		now := rapid.Float64Range(0, 1e4).Draw(t, "start")
		for k := range at {
			now += rapid.Float64Range(0.5, 2).Draw(t, "step")
			at[k], x[k] = now, rapid.Float64Range(-1, 1).Draw(t, "x")
		}
		centre := at[n/2]
		var c Cubic
		c.Set(at, centre)
		coef, scatter := c.Fit(x)
		w := mat.NewDense(n, 4, nil)
		for k := range at {
			for i := range 4 {
				w.Set(k, i, math.Pow(at[k]-centre, float64(i)))
			}
		}
		var want, r mat.VecDense
		if err := want.SolveVec(w, mat.NewVecDense(n, x)); err != nil {
			t.Fatal(err)
		}
		r.MulVec(w, &want)
		r.SubVec(mat.NewVecDense(n, x), &r)
		// The powers' condition number squared is some 1e6 in the scaled times.
		for i, f := 0, 1.0; i < 4; i, f = i+1, f*c.scale {
			if d := math.Abs(coef[i]-want.AtVec(i)) * f; d > 1e-9 {
				t.Errorf("coefficient %d is off by %g of the values", i, d)
			}
		}
		if d := math.Abs(scatter - mat.Norm(&r, 2)/math.Sqrt(float64(n-4))); d > 1e-9 {
			t.Errorf("scatter is off by %g", d)
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
