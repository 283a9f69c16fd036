package filter_test

import (
	"fmt"
	"math"

	"ident/filter"
)

// A zero-phase low-pass passes a slow motion unchanged and unshifted, and takes the noise
// of its difference away.
func Example() {
	const rate = 500.0
	x := make([]float64, 2000)
	for i := range x {
		t := float64(i) / rate
		x[i] = math.Sin(2*math.Pi*t) + 1e-3*math.Sin(2*math.Pi*120*t)
	}
	low, err := filter.Butterworth(4, 10, rate)
	if err != nil {
		fmt.Println(err)
		return
	}
	smooth, velocity := make([]float64, len(x)), make([]float64, len(x))
	low.ZeroPhase(smooth, x, new(filter.Work))
	filter.Differentiate(velocity, smooth, 1/rate)
	worst := 0.0
	for i := 500; i < 1500; i++ {
		worst = max(worst, math.Abs(velocity[i]-2*math.Pi*math.Cos(2*math.Pi*float64(i)/rate)))
	}
	fmt.Printf("velocity within %.4f of %.2f rad/s\n", worst, 2*math.Pi)
	// Output:
	// velocity within 0.0002 of 6.28 rad/s
}
