package result

import "math"

// RelativeOf are the relative errors of joints with these sums of squares of errors and of torques.
func RelativeOf(err2, tau2 []float64) Relative {
	r := Relative{Joints: make([]float64, len(err2))}
	var e, t float64
	for k := range err2 {
		r.Joints[k] = PercentOf(err2[k], tau2[k])
		e += err2[k]
		t += tau2[k]
	}
	r.Stacked = PercentOf(e, t)
	return r
}

// PercentOf is the relative error with these sums of squares, in per cent: zero where the error is, and 100 of torques that are
// zero throughout.
func PercentOf(err2, tau2 float64) float64 {
	switch {
	case err2 == 0:
		return 0
	case tau2 == 0:
		return 100
	}
	return 100 * math.Sqrt(err2/tau2)
}
