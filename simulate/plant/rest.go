package plant

import "math"

// rest minimises ½·aᵀMa − bᵀa + Σ limit·|a| over the joints at rest, with the
// accelerations of the others eliminated: the problem of the package comment. It
// sets the sign of each acceleration, 0 for a joint that sticks.
//
// mass is row-major n×n and b of length n; limit of a joint that slides already is
// negative, and its a is free.
type rest struct {
	n       int
	factor  factor
	a, next []float64
	active  []bool
}

func newRest(n int) *rest {
	return &rest{n: n, factor: newFactor(n), a: make([]float64, n), next: make([]float64, n), active: make([]bool, n)}
}

// signs finds the signs of the accelerations at rest.
func (r *rest) signs(sign []float64, mass, b, limit []float64) bool {
	for i := range r.a {
		r.a[i], r.active[i] = 0, limit[i] < 0
		if limit[i] >= 0 {
			sign[i] = 0
		}
	}
	// Each pass lowers the sum and 3ⁿ sign patterns exist, so the search ends; in exact
	// arithmetic some 2n passes are usual. The bound catches a matrix that is not positive
	// definite to rounding.
	for range 20*r.n + 20 {
		if !r.descend(sign, mass, b, limit) {
			return false
		}
		worst, excess, push := -1, 0.0, 0.0
		for i := range r.n {
			if r.active[i] {
				continue
			}
			g, rounding := left(b[i], mass[i*r.n:(i+1)*r.n], r.a)
			if over := math.Abs(g) - limit[i] - rounding; over > excess {
				worst, excess, push = i, over, g
			}
		}
		if worst < 0 {
			return true
		}
		r.active[worst] = true
		sign[worst] = math.Copysign(1, push)
	}
	return false
}

// left returns the torque b − Σ mass·a that friction must take up, and a bound of its
// rounding: n+1 terms, each rounded by ε of the largest.
func left(b float64, mass, a []float64) (torque, rounding float64) {
	torque, scale := b, math.Abs(b)
	for k, v := range a {
		term := mass[k] * v
		torque -= term
		scale = max(scale, math.Abs(term))
	}
	return torque, float64(len(a)+1) * 0x1p-52 * scale
}

// descend solves for the active joints and, where a sign comes out wrong, goes the
// part of the way on which it is right and lets that joint stick.
func (r *rest) descend(sign, mass, b, limit []float64) bool {
	for range r.n + 1 {
		for i := range r.n {
			r.next[i] = b[i]
			if limit[i] >= 0 {
				r.next[i] -= sign[i] * limit[i]
			}
		}
		if !r.factor.solve(r.next, mass, r.active) {
			return false
		}
		way, stop := 1.0, -1
		for i := range r.n {
			if limit[i] < 0 || !r.active[i] || r.next[i]*sign[i] >= 0 {
				continue
			}
			// From a with the right sign, or zero, to next with the wrong one.
			if part := r.a[i] / (r.a[i] - r.next[i]); part < way {
				way, stop = part, i
			}
		}
		for i := range r.n {
			if r.active[i] {
				r.a[i] += way * (r.next[i] - r.a[i])
			} else {
				r.a[i] = 0
			}
		}
		if stop < 0 {
			return true
		}
		r.a[stop], r.active[stop], sign[stop] = 0, false, 0
	}
	return true
}
