package tasks

import "math"

// equations are rows·q̇ = right of as many rows as joints, or more that agree: Householder's factorization, for systems
// of some ten rows, in memory of its own.
type equations struct {
	rows, cols int
	a          []float64 // [row][column], factored in place
	diagonal   []float64 // of the triangular factor
}

func newEquations(rows, cols int) *equations {
	return &equations{rows, cols, make([]float64, rows*cols), make([]float64, cols)}
}

// factor replaces the matrix by its factors. It reports whether the columns are independent to rounding.
func (e *equations) factor() bool {
	n, ok := e.cols, true
	for k := range n {
		norm := 0.0
		for i := k; i < e.rows; i++ {
			norm = math.Hypot(norm, e.a[i*n+k])
		}
		if norm == 0 {
			e.diagonal[k], ok = 0, false
			continue
		}
		if e.a[k*n+k] > 0 {
			norm = -norm
		}
		e.diagonal[k] = norm
		// The reflection is along the column less norm in row k, kept in the column's place.
		e.a[k*n+k] -= norm
		scale := -norm * e.a[k*n+k] // half of the square of its length
		for j := k + 1; j < n; j++ {
			dot := 0.0
			for i := k; i < e.rows; i++ {
				dot += e.a[i*n+k] * e.a[i*n+j]
			}
			for i := k; i < e.rows; i++ {
				e.a[i*n+j] -= dot / scale * e.a[i*n+k]
			}
		}
	}
	largest := 0.0
	for _, d := range e.diagonal {
		largest = math.Max(largest, math.Abs(d))
	}
	for _, d := range e.diagonal {
		// Some ten roundings of each column.
		ok = ok && math.Abs(d) > 1e-14*largest
	}
	return ok
}

// solve stores the least-squares solution of a right-hand side, which it overwrites.
func (e *equations) solve(x, right []float64) {
	n := e.cols
	for k := range n {
		if e.diagonal[k] == 0 {
			continue
		}
		scale, dot := -e.diagonal[k]*e.a[k*n+k], 0.0
		for i := k; i < e.rows; i++ {
			dot += e.a[i*n+k] * right[i]
		}
		for i := k; i < e.rows; i++ {
			right[i] -= dot / scale * e.a[i*n+k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		s := right[k]
		for j := k + 1; j < n; j++ {
			s -= e.a[k*n+j] * x[j]
		}
		x[k] = s / e.diagonal[k]
	}
}
