package triangle

import (
	"fmt"
	"math"

	vector "ident/internal/lanes"
)

// Determined reports that the factor's columns, divided by norms, have no singular value below part of the largest, by bounds of both:
// the Frobenius norms of the factor and of its inverse. They are off by √N each at most, so that it costs a sixteenth of the values where
// these are far from part. False says nothing: the values may be above. It panics unless norms is N long; their signs do not matter.
func (f *Factor) Determined(norms []float64, part float64) bool {
	n := f.N
	if len(norms) != n {
		panic(fmt.Sprintf("triangle: %d norms of %d columns", len(norms), n))
	}
	var largest, inverse float64 // squares of the norms
	memory, coefficients := make([]float64, n*n), make([]float64, n)
	rows := make([][]float64, n) // of the inverse, before its rows are multiplied by norms
	for i := n - 1; i >= 0; i-- {
		r := f.R[i*n : (i+1)*n]
		rows[i] = memory[i*n : (i+1)*n]
		over := 1 / r[i]
		for j := i + 1; j < n; j++ {
			coefficients[j] = -r[j] * over
		}
		vector.CombineFrom(rows[i][i+1:], coefficients[i+1:], rows[i+1:], i+1)
		rows[i][i] = over
		for j := i; j < n; j++ {
			largest += r[j] * r[j] / (norms[j] * norms[j])
		}
		inverse += norms[i] * norms[i] * vector.SumSquares(rows[i][i:])
	}
	return 1 > part*math.Sqrt(largest)*math.Sqrt(inverse)
}
