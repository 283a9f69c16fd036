package lint

import "testing"

// TestEigenvaluesOfAnyScale: an inertia with entries of 1e308 beside others of a document that was damaged has eigenvalues, and ends in no panic.
func TestEigenvaluesOfAnyScale(t *testing.T) {
	for _, big := range []float64{1e308, -1e308, 1e160, 1e-320, 0} {
		v := eigenvalues([3][3]float64{{0.03, 0.099, 0.0986}, {0.099, -2e-19, -1e-19}, {0.0986, -1e-19, big}})
		if !(v[0] <= v[1] && v[1] <= v[2]) || big > 1 && v[2] < 0.99*big {
			t.Errorf("%g: %v", big, v)
		}
	}
	if possible([3][3]float64{{0.03, 0, 0}, {0, 1e-310, 0}, {0, 0, 1e308}}) {
		t.Error("a body of 1e308 kg·m² about one axis alone is possible")
	}
}
