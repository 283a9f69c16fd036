package excite

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// A descent finds minima of functions of some tens of variables from their gradients, in stages.
//
// A design is searched with objectives that follow each other: a criterion smoothed by a norm of low order, with light
// penalties, then the same with a higher order and heavier ones. Each stage is a descent of Broyden, Fletcher, Goldfarb and
// Shanno (Nocedal and Wright, Numerical Optimization, 2006, section 6.1) that begins where the one before ended, with its
// approximation of the inverse Hessian: the curvature of one stage is nearly that of the next, and the descent does not learn it
// anew. A budget of evaluations bounds a stage, and patience ends it where it gains little.

// A minimiser is a descent by BFGS that can be taken up again, also for an objective
// that has changed a little: it keeps its approximation of the inverse Hessian.
type minimiser struct {
	X     []float64 // the last point
	h     []float64 // inverse Hessian, n×n row-major
	fresh bool      // h says nothing yet
}

// newMinimiser returns a descent that begins at x.
func newMinimiser(x []float64) *minimiser {
	n := len(x)
	return &minimiser{X: append([]float64(nil), x...), h: make([]float64, n*n), fresh: true}
}

// patience ends a descent: after evaluations without a decrease of gain. Zero
// evaluations stand for no end but the budget.
type patience struct {
	Evaluations int
	Gain        float64
}

// Run descends for at most budget evaluations and leaves the last point in X. f
// stores the gradient and returns the value, or false to stop at once. The
// line search bisects to sufficient decrease and a weak curvature condition, which
// also suits functions that are not smooth everywhere (Lewis and Overton 2013): the
// Coulomb friction of drives that joints share jumps.
func (m *minimiser) Run(budget int, until patience, f func(grad, x []float64) (float64, bool)) {
	const (
		decrease  = 1e-4
		curvature = 0.9
		trials    = 20
		tolerance = 1e-6
	)
	x, h := m.X, m.h
	n := len(x)
	g, next, gNext := make([]float64, n), make([]float64, n), make([]float64, n)
	dir, step, diff, hy := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	value, ok := f(g, x)
	budget--
	if !ok || math.IsInf(value, 0) || math.IsNaN(value) {
		return
	}
	stalls := 0
	marked, left := value, budget // value and budget at the last gain
	for budget > 0 {
		if until.Evaluations > 0 && left-budget >= until.Evaluations {
			return
		}
		if m.fresh {
			clear(h)
			// A first step of length 0.1·√n: the variables are of order one.
			size := 0.1 * math.Sqrt(float64(n)) / math.Max(euclidean(g), 1e-12)
			for i := range n {
				h[i*n+i] = size
			}
		}
		slope := 0.0
		for i := range n {
			dir[i] = -innerProduct(h[i*n:(i+1)*n], g)
			slope += dir[i] * g[i]
		}
		if !(slope < 0) {
			if m.fresh {
				return
			}
			m.fresh = true
			continue
		}
		low, high, t := 0.0, math.Inf(1), 1.0
		found := false
		var reached float64
		for range trials {
			if budget == 0 {
				return
			}
			for i := range n {
				next[i] = x[i] + t*dir[i]
			}
			budget--
			reached, ok = f(gNext, next)
			if !ok {
				return
			}
			if !(reached <= value+decrease*t*slope) {
				high = t
			} else if found = true; innerProduct(gNext, dir) < curvature*slope {
				low = t
			} else {
				break
			}
			if math.IsInf(high, 1) {
				t *= 2
			} else {
				t = (low + high) / 2
			}
			found = false
		}
		if !found {
			// No acceptable step: restart with the gradient, once.
			if m.fresh {
				return
			}
			m.fresh = true
			continue
		}
		for i := range n {
			step[i], diff[i] = next[i]-x[i], gNext[i]-g[i]
		}
		if value-reached < tolerance*math.Max(1, math.Abs(value)) {
			stalls++
		} else {
			stalls = 0
		}
		copy(x, next)
		copy(g, gNext)
		value = reached
		if marked-value >= until.Gain {
			marked, left = value, budget
		}
		if stalls == 4 {
			return
		}
		sy := innerProduct(step, diff)
		if !(sy > 1e-12*euclidean(step)*euclidean(diff)) {
			continue
		}
		if m.fresh {
			m.fresh = false
			size := sy / innerProduct(diff, diff)
			for i := range n {
				h[i*n+i] = size
			}
		}
		updateInverse(h, step, diff, hy, sy)
	}
}

// updateInverse applies the BFGS formula to the inverse Hessian h, n×n row-major, for the
// step s, the change y of the gradient and sy = s·y; hy is scratch memory.
func updateInverse(h, s, y, hy []float64, sy float64) {
	n := len(s)
	for i := range n {
		hy[i] = innerProduct(h[i*n:(i+1)*n], y)
	}
	c := (1 + innerProduct(y, hy)/sy) / sy
	for i := range n {
		row := h[i*n : (i+1)*n]
		floats.AddScaled(row, c*s[i]-hy[i]/sy, s)
		floats.AddScaled(row, -s[i]/sy, hy)
	}
}

func innerProduct(x, y []float64) float64 { return floats.Dot(x, y[:len(x)]) }

func euclidean(x []float64) float64 { return math.Sqrt(innerProduct(x, x)) }
