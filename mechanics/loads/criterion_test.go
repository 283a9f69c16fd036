package loads

import (
	"math"
	"testing"

	"ident/internal/long"
)

// The averaging factors of figure 5.4 (Vukobratović and Potkonjak 1985), whose last row has the sign wrong, and the efficiencies of figure 5.38
// with the combined ones at a degree of 0.75.
func TestPublishedCriteria(t *testing.T) {
	for i, want := range []float64{-9.06, -3.51, -1.6548, -0.7203, -0.1478, 0.2612, 0.6194, 1, 1.449, 2.0185, 2.7917, 3.9293, 5.8023, 9.5207, 20.6303} {
		c := 1 - 0.0625*float64(i+1)
		// The table's degrees are met to 1.1e-4 by its factors, which have five digits.
		near(t, "degree", Conjunction(want), c, 2e-4)
		if i%long.Of(1, 4) != 0 {
			continue // the way back is a search
		}
		r, err := AveragingFactor(c)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "back", Conjunction(r), c, 1e-9)
	}
	for c, want := range map[float64]float64{1: math.Inf(-1), 0: math.Inf(1)} {
		if r, err := AveragingFactor(c); err != nil || r != want {
			t.Errorf("degree %g: %g, %v", c, r, err)
		}
	}
	for i, m := range [][2]float64{{5.5, 95}, {6, 90}, {7, 80}, {7.5, 75}, {8.5, 65}, {9.9, 51}} {
		gt, ge := Efficiency(m[0], 10, 5), Efficiency(m[1], 100, 50)
		near(t, "of time", gt, []float64{0.9, 0.8, 0.6, 0.5, 0.3, 0.02}[i], 1e-12)
		near(t, "of energy", ge, []float64{0.1, 0.2, 0.4, 0.5, 0.7, 0.98}[i], 1e-12)
		if g, want := Combined(gt, ge, -0.7203, 0.5, 0.5), []float64{0.2020, 0.3387, 0.4827, 0.5000, 0.4300, 0.0482}[i]; math.Abs(g-want) > 5e-5 {
			t.Errorf("manipulator %d: %.5f, want %.4f", i+1, g, want)
		}
	}
	// Continuous through its limits.
	for _, c := range []struct{ r, want float64 }{{1e-9, math.Sqrt(0.09)}, {-1e-9, math.Sqrt(0.09)}, {1e3, 0.9}, {-1e3, 0.1}, {0, math.Sqrt(0.09)}, {1, 0.5}} {
		near(t, "limit", Combined(0.9, 0.1, c.r, 0.5, 0.5), c.want, 1e-3)
	}
	if g := Combined(0.9, 0, -1e-9, 0.5, 0.5); g != 0 {
		t.Errorf("without one of both %g", g)
	}
	if _, err := AveragingFactor(1.5); err == nil {
		t.Error("a degree of 1.5 has a factor")
	}
}
