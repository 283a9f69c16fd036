package filter

import (
	"math"
	"testing"
)

// A polynomial of a degree below the number of points is interpolated exactly, and beyond the ends the last sample repeats.
func TestDelay(t *testing.T) {
	coefficients := []float64{1, 0.3, -0.2, 0.01, 0.003, -0.0001}
	for _, points := range []int{2, 4, 6} {
		value := func(k float64) float64 {
			sum := 0.0
			for i := points - 1; i >= 0; i-- {
				sum = sum*k + coefficients[i]
			}
			return sum
		}
		x, got := make([]float64, 20), make([]float64, 20)
		for k := range x {
			x[k] = value(float64(k))
		}
		for _, by := range []float64{0, 0.5, 1, 2.25, -0.75, -2} {
			Delay(got, x, by, points)
			for k := 6; k < 14; k++ {
				if want := value(float64(k) - by); math.Abs(got[k]-want) > 1e-11*math.Max(math.Abs(want), 1) {
					t.Errorf("%d points, sample %d, %g samples before: %.15g, want %.15g", points, k, by, got[k], want)
				}
			}
		}
		for by, want := range map[float64]float64{100: x[0], -100: x[19], 1e300: x[0], -1e300: x[19]} {
			if Delay(got, x, by, points); got[0] != want || got[19] != want {
				t.Errorf("%d points, %g samples before: %g and %g, want %g", points, by, got[0], got[19], want)
			}
		}
	}
}

// The errors that the comment of Delay states.
func TestDelayOfSine(t *testing.T) {
	for points, most := range map[int]float64{2: 0.05, 4: 4e-3, 6: 3e-4} {
		x, got := make([]float64, 200), make([]float64, 200)
		for k := range x {
			x[k] = math.Sin(2 * math.Pi * float64(k) / 10)
		}
		Delay(got, x, 0.5, points)
		worst := 0.0
		for k := 10; k < 190; k++ {
			worst = math.Max(worst, math.Abs(got[k]-math.Sin(2*math.Pi*(float64(k)-0.5)/10)))
		}
		if t.Logf("%d points: %.2g", points, worst); worst > most || worst < most/2 {
			t.Errorf("%d points: %.2g, want %.1g", points, worst, most)
		}
	}
}
