package excite

import (
	"fmt"
)

// The least of a quadratic function of two variables.
func Example_descent() {
	m := newMinimiser([]float64{0, 0})
	m.Run(50, patience{}, func(grad, x []float64) (float64, bool) {
		a, b := x[0]-3, x[1]+1
		grad[0], grad[1] = 2*a, 20*b
		return a*a + 10*b*b, true
	})
	fmt.Printf("%.3f %.3f\n", m.X[0], m.X[1])
	// Output: 3.000 -1.000
}
