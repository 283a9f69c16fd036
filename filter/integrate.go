package filter

// Integrate writes to dst[k] the integral of x from sample 0 to sample k, for samples dt seconds apart. It is exact for
// signals that are cubic between samples. x must have at least four samples. dst may be x.
func Integrate(dst, x []float64, dt float64) {
	checkDiff(dst, x, dt)
	n := len(x)
	var sum float64
	at := [4]float64{x[0], x[1], x[2], x[3]}
	next := 4 // index of the next sample to enter at
	for k := range n {
		if k > 0 {
			switch k {
			case 1:
				sum += dt / 24 * (9*at[0] + 19*at[1] - 5*at[2] + at[3])
			case n - 1:
				sum += dt / 24 * (at[0] - 5*at[1] + 19*at[2] + 9*at[3])
			default:
				sum += dt / 24 * (13*(at[1]+at[2]) - at[0] - at[3])
			}
			if k >= 2 && next < n {
				at = [4]float64{at[1], at[2], at[3], x[next]}
				next++
			}
		}
		dst[k] = sum
	}
}
