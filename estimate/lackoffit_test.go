package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/triangle"
)

// Structural columns of one joint depend on each other to rounding, and some hold rounding alone, as gravity about a
// vertical axis does. The test must not depend on that rounding: whatever it is, the answer is that of the columns that
// are independent.
func TestExplainedByDoesNotFollowRounding(t *testing.T) {
	const n, noise = 400, 0.1
	explained := func(seed uint64, dependent bool) Explained {
		rows, rounding := rand.New(rand.NewPCG(7, 1)), rand.New(rand.NewPCG(seed, 2))
		columns := make([][]float64, 0, 10)
		column := func(of func(t float64) float64) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = of(float64(i) / n)
			}
			columns = append(columns, x)
			return x
		}
		y := make([]float64, n)
		a := column(func(t float64) float64 { return math.Sin(20 * t) })
		b := column(func(t float64) float64 { return 30 * math.Cos(31*t) })
		column(func(float64) float64 { return 1 })
		base := 3
		if dependent {
			for range 2 {
				column(func(float64) float64 { return 9.81 * 1e-16 * rounding.NormFloat64() })
			}
			x := column(func(float64) float64 { return 0 })
			for i := range x {
				x[i] = 3*a[i] - b[i]/7
				x[i] *= 1 + 1e-16*rounding.NormFloat64()
			}
			base = 6
		}
		for k := range 4 {
			column(func(t float64) float64 { return math.Pow(math.Sin(20*t+float64(k)), 3) })
		}
		for i := range y {
			y[i] = a[i] - b[i] + 0.5 + noise*rows.NormFloat64()
		}
		f, w := triangle.New(len(columns)), new(triangle.Work)
		f.Add(columns, y, w)
		return ExplainedBy(f, base, []int{base, base + 1, base + 2, base + 3}, noise*noise, n)
	}
	want := explained(1, false)
	if !(want.P > 1e-3 && want.P < 0.999) {
		t.Fatalf("the example says nothing: %+v", want)
	}
	for seed := range uint64(20) {
		// 400 rows of rounding 1e-16 beside unit columns, of which singular values of 1e-2 are the smallest that count.
		if got := explained(seed, true); math.Abs(got.P-want.P) > 1e-9 || math.Abs(got.Percent-want.Percent) > 1e-9 {
			t.Errorf("rounding %d: %+v; the independent columns have %+v", seed, got, want)
		}
	}
}
