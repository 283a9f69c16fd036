package feet_test

import (
	"fmt"
	"math"

	"ident/observation/feet"
)

// The slip of a foot has no value while the foot is in the air.
func ExampleRMS() {
	fmt.Printf("%.1f mm/s\n", 1000*feet.RMS([]float64{0.003, math.NaN(), 0.004, -0.005}))
	// Output: 4.1 mm/s
}
