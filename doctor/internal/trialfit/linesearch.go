package trialfit

import "math"

// Lowest searches the minimum of a smooth function of one argument. It begins at the best of the starts and takes steps
// that are halved down to the last. at is 0 if no value is below plain.
func Lowest(plain float64, starts []float64, first, last float64, f func(x float64) float64) (at, lowest float64) {
	lowest = plain
	try := func(x float64) {
		if v := f(x); v < lowest {
			at, lowest = x, v
		}
	}
	for _, x := range starts {
		try(x)
	}
	for step := math.Abs(first); at != 0 && step > last; step /= 2 {
		x := at
		try(x - step)
		try(x + step)
	}
	return at, lowest
}
