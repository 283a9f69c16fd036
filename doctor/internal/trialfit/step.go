package trialfit

import "ident/doctor/internal/projection"

// Number of evenly spaced instants at which a change is tried, and the fraction of the rows' time left out before the
// first and after the last.
const (
	stepTimes = 33
	stepEdge  = 0.1
)

// Fitted returns the joint's torque by its own fit.
func (f *Joint) Fitted() []float64 {
	out := make([]float64, len(f.Y))
	for k, y := range f.Y {
		out[k] = y - f.Rest[k]
	}
	return out
}

// Step returns the column that is zero up to an instant and equals the given one from there on, for the instant, s,
// with the smallest residual. It returns nil if no instant adds anything to the fit.
func (f *Joint) Step(tr *Rows, column []float64) (best []float64, instant float64) {
	n := len(tr.T)
	first, span := tr.T[0], tr.T[n-1]-tr.T[0]
	column = f.counted(column)
	var at []float64
	var from []int
	for i, k := 0, 0; i < stepTimes; i++ {
		t0 := first + span*(stepEdge+(1-2*stepEdge)*float64(i)/(stepTimes-1))
		for k < n && tr.T[k] < t0 {
			k++
		}
		at, from = append(at, t0), append(from, k)
	}
	left := f.Basis.LeftFrom(column, from)
	share, start := -1.0, n
	size, along := 0.0, 0.0 // of the column from the instant on
	for i := stepTimes - 1; i >= 0; i-- {
		part, rest := column[from[i]:start], f.Rest[from[i]:start]
		start = from[i]
		size += projection.Dot(part, part)
		// Rest is orthogonal to the basis, so its product with the column equals that with the column's residual.
		along += projection.Dot(part, rest)
		if left[i] > inModel*inModel*size && along*along/left[i] >= share {
			share, instant = along*along/left[i], at[i]
		}
	}
	if share < 0 {
		return nil, 0
	}
	best = make([]float64, n)
	for i, t0 := range at {
		if t0 == instant {
			copy(best[from[i]:], column[from[i]:])
		}
	}
	return best, instant
}
