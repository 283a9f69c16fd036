package estimate_test

import (
	"context"
	"fmt"
	"math"

	"ident/estimate"
)

// Two joints whose rows share a parameter: weighted least squares gives the quieter
// joint more say, and intervals that follow from the residuals.
func Example() {
	rows := estimate.NewRows(2, [][]int{{0, 1}, {0}}, 50) // joint 1 has both columns, joint 2 the first
	const n = 500
	a, b, y1, y2 := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		t := float64(i) / 100
		a[i], b[i] = math.Sin(3*t), math.Cos(5*t)
		noise := math.Sin(1e3 * t * t) // of no period
		y1[i], y2[i] = 2*a[i]-1*b[i]+0.5*noise, 2*a[i]+0.05*noise
	}
	rows.AddRun([][][]float64{{a, b}, {a}}, [][]float64{y1, y2})
	s, err := estimate.Linear{Weighting: estimate.WLS}.Estimate(context.Background(), rows.Problem())
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, truth := range []float64{2, -1} {
		sigma := math.Sqrt(s.Covariance[k][k])
		fmt.Printf("x%d = %.2f ± %.3f, within three deviations: %t\n", k+1, s.X[k], sigma, math.Abs(s.X[k]-truth) < 3*sigma)
	}
	// Output:
	// x1 = 2.00 ± 0.003, within three deviations: true
	// x2 = -1.03 ± 0.015, within three deviations: true
}
