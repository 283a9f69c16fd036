package result

import (
	"math"
	"testing"

	"ident/estimate"
)

// The covariance for predictions is that before the intervals of parameters were widened by model errors.
func TestPredictionCovariance(t *testing.T) {
	before := [][]float64{{4, 1.9, 0.1}, {1.9, 1, 0.2}, {0.1, 0.2, 9}}
	sol := &estimate.Solution{Covariance: before}
	m := &ModelErrors{Shift: []float64{3, 0.1, -0.5}, Allowance: []float64{30, 1, 2}}
	m.Widen(sol)
	res := &Result{Covariance: sol.Covariance, ModelErrors: m}
	if ratio := res.Covariance[0][0] / before[0][0]; ratio < 9000 {
		t.Fatalf("widened by %g", ratio)
	}
	for i, row := range res.PredictionCovariance() {
		for j, v := range row {
			if math.Abs(v-before[i][j]) > 1e-14*10 {
				t.Errorf("covariance of %d and %d: %g, want %g", i, j, v, before[i][j])
			}
		}
	}
	res.ModelErrors = nil
	if got := res.PredictionCovariance()[0][0]; got != res.Covariance[0][0] {
		t.Errorf("without model errors: %g, want %g", got, res.Covariance[0][0])
	}
}
