package filter_test

import (
	"fmt"
	"math"
	"math/cmplx"

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

// The gains of a window of Savitzky and Golay at the frequency of a motion and at that of a disturbance, beside those
// of a low-pass run forwards and backwards.
func ExampleSavitzkyGolay_Response() {
	const rate = 200.0
	smoother := filter.NewSavitzkyGolay(10, 3, 0) // 21 samples
	low, err := filter.Butterworth(4, 8, rate)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range []float64{2, 30} {
		h := cmplx.Abs(low.Response(f, rate))
		fmt.Printf("%2.0f Hz: window %6.3f, low-pass %.6f\n", f, smoother.Response(f, rate), h*h)
	}
	// Output:
	//  2 Hz: window  0.999, low-pass 0.999985
	// 30 Hz: window  0.135, low-pass 0.000014
}

// The noise of an encoder from its own values: the deviation of rounding to its step, and the band of the motion.
func ExampleMeasureNoise() {
	const rate, step = 200.0, 1e-3
	q := make([]float64, 4000)
	for i := range q {
		q[i] = step * math.Round(math.Sin(2*math.Pi*0.7*float64(i)/rate)/step)
	}
	n := filter.MeasureNoise(q, rate)
	fmt.Printf("step %.4f rad, noise %.5f rad\n", n.Quantum, n.Sigma)
	// Output:
	// step 0.0010 rad, noise 0.00029 rad
}
