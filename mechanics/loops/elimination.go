package loops

import "math"

// equations are linear equations of the steps of unknown and driven coordinates,
// each in its unit: Σ m·Δ + r = 0.
type equations struct {
	rows, unknowns int
	unit           []float64 // of the unknowns, then of the driven coordinates
	m              []float64 // rows × len(unit), row-major: the mismatch's derivative, then its factors
	r              []float64 // mismatch
	pivotRow       []int     // of each unknown
	free           []bool    // rows that are no pivot's
	x              []float64 // solution for one right-hand side
}

// clone returns equations of the same layout with memory of their own.
func (e *equations) clone() equations {
	n := *e
	n.m, n.r = make([]float64, e.rows*len(e.unit)), make([]float64, e.rows)
	n.free, n.pivotRow, n.x = make([]bool, e.rows), make([]int, e.unknowns), make([]float64, e.unknowns)
	return n
}

// eliminate factors the unknowns' columns, each by the row of largest pivot. It
// returns false where a pivot is too small for the state to be regular.
func (e *equations) eliminate() bool {
	nu, width := e.unknowns, len(e.unit)
	for i := range e.free {
		e.free[i] = true
	}
	largest := 0.0
	for c := range nu {
		best, most := -1, 0.0
		for i, free := range e.free {
			if v := math.Abs(e.m[i*width+c]); free && v > most {
				best, most = i, v
			}
		}
		if largest = max(largest, most); best < 0 || most <= rankTolerance*largest {
			return false
		}
		e.free[best] = false
		e.pivotRow[c] = best
		pivot := e.m[best*width : best*width+nu]
		for i, free := range e.free {
			if !free {
				continue
			}
			row := e.m[i*width : i*width+nu]
			f := row[c] / pivot[c]
			row[c] = f
			if f == 0 {
				continue
			}
			for k := c + 1; k < nu; k++ {
				row[k] -= f * pivot[k]
			}
		}
	}
	return true
}

// solve leaves in x the unknowns, in units, for a right-hand side of rows.
func (e *equations) solve(r []float64) {
	nu, width := e.unknowns, len(e.unit)
	for c := range nu {
		row := e.m[e.pivotRow[c]*width : e.pivotRow[c]*width+nu]
		v := r[e.pivotRow[c]]
		for k := range c {
			v -= row[k] * e.x[k]
		}
		e.x[c] = v
	}
	e.backward()
}

func (e *equations) backward() {
	nu, width := e.unknowns, len(e.unit)
	for c := nu - 1; c >= 0; c-- {
		row := e.m[e.pivotRow[c]*width : e.pivotRow[c]*width+nu]
		v := e.x[c]
		for k := c + 1; k < nu; k++ {
			v -= row[k] * e.x[k]
		}
		e.x[c] = v / row[c]
	}
}
