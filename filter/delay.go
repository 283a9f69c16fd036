package filter

import "math"

// Delay stores in dst the samples of x as they were the given number of samples before, ahead of them if it is negative. Between
// samples it is the polynomial through the given even number of points, half of them on either side: 2 is linear. Of a sine of ten
// samples a period the error is at most 0.05 of the amplitude for 2 points, 4e-3 for 4 and 3e-4 for 6. Beyond either end the last sample repeats. dst
// must not overlap x.
func Delay(dst, x []float64, samples float64, points int) {
	whole := math.Floor(-samples)
	part := -samples - whole
	half := points / 2
	weights := make([]float64, points) // of Lagrange, for samples 1-half … half at part
	for i := range weights {
		weights[i] = 1
		for j := range weights {
			if j != i {
				weights[i] *= (part + float64(half-1) - float64(j)) / float64(i-j)
			}
		}
	}
	n := len(x)
	shift := int(max(min(whole, float64(n+half)), -float64(n+half))) + 1 - half
	for k := range dst {
		sum := 0.0
		if first := k + shift; first >= 0 && first+points <= n {
			for i, v := range x[first : first+points] {
				sum += weights[i] * v
			}
		} else {
			for i, w := range weights {
				sum += w * x[min(max(first+i, 0), n-1)]
			}
		}
		dst[k] = sum
	}
}
