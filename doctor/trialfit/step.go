package trialfit

import (
	"math"

	"ident/internal/projection"
)

// Instants at which a change is tried, evenly, and the part of the rows' time that is left before the first and after
// the last.
const (
	stepTimes = 33
	stepEdge  = 0.1
)

// Fitted is the joint's torque by its own fit.
func (f *Joint) Fitted() []float64 {
	out := make([]float64, len(f.Y))
	for k, y := range f.Y {
		out[k] = y - f.Rest[k]
	}
	return out
}

// Step is the column that is zero up to an instant and the given one from there on, at the instant, s, of the least
// residual; nil where no instant adds anything to the fit.
func (f *Joint) Step(tr *Rows, column []float64) (best []float64, instant float64) {
	n := len(tr.T)
	first, span := tr.T[0], tr.T[n-1]-tr.T[0]
	var at []float64
	var cols [][]float64
	for i := range stepTimes {
		t0 := first + span*(stepEdge+(1-2*stepEdge)*float64(i)/(stepTimes-1))
		c := make([]float64, n)
		for k, t := range tr.T {
			if t >= t0 && !f.Lost[k] {
				c[k] = column[k]
			}
		}
		at, cols = append(at, t0), append(cols, c)
	}
	share := -1.0
	for i, left := range f.Basis.Left(cols...) {
		if !(math.Sqrt(left) > inModel*projection.Norm(cols[i])) {
			continue
		}
		// The rest is orthogonal to the basis, so its product with the column is that with the residual.
		if along := projection.Dot(cols[i], f.Rest); along*along/left > share {
			best, share, instant = cols[i], along*along/left, at[i]
		}
	}
	return best, instant
}
