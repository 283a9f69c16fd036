package result

import "math"

// RelativeOf returns the relative errors from the joints' sums of squares of errors and of torques.
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

// PercentOf returns the relative error in per cent from sums of squares: zero if the error is zero, otherwise 100 if the
// torques are zero throughout.
func PercentOf(err2, tau2 float64) float64 {
	switch {
	case err2 == 0:
		return 0
	case tau2 == 0:
		return 100
	}
	return 100 * math.Sqrt(err2/tau2)
}
