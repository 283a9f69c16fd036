package feet

import (
	"math"
	"testing"
)

// A force on a foot is found from the torques of three joints that move it, and of a stretched leg no force along it is made up.
func TestForce(t *testing.T) {
	force := []float64{3, -20, 150}
	of := func(rows ...[]float64) []float64 {
		f := NewForce(3)
		for _, v := range rows {
			torque := 0.0
			for d := range v {
				torque += v[d] * force[d]
			}
			f.Add(v, torque)
		}
		return f.Value()
	}
	for d, got := range of([]float64{0.2, 0, 0.1}, []float64{0, 0.2, 0.05}, []float64{0.1, -0.1, 0.2}) {
		if math.Abs(got-force[d]) > 1e-3*150 {
			t.Errorf("component %d: %g, want %g", d, got, force[d])
		}
	}
	stretched := of([]float64{0.4, 0, 0}, []float64{0, 0.4, 0}, []float64{0.2, 0, 0})
	if math.Abs(stretched[0]-3) > 1e-3 || math.Abs(stretched[1]+20) > 1e-3 || stretched[2] != 0 {
		t.Errorf("a stretched leg: %g", stretched)
	}
}
