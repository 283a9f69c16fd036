package projection

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Few is an orthonormal basis of a few columns, with the methods of Basis. It stores the vectors unpacked and projects
// onto one after the other.
type Few struct {
	// R, Kept and Offered have the meaning that they have in Basis.
	R       []float64
	Kept    []int
	Offered int
	basis   [][]float64
}

// Offer adds a column if it is independent of those before it.
func (f *Few) Offer(column []float64) {
	f.Offered++
	size := Norm(column)
	if !(size > 0) || math.IsInf(size, 0) {
		return
	}
	v, r := append([]float64(nil), column...), make([]float64, len(f.basis))
	for range 2 {
		for k, q := range f.basis {
			d := Dot(q, v)
			r[k] += d
			floats.AddScaled(v, -d, q)
		}
	}
	left := size
	if len(f.basis) > 0 {
		if left = Norm(v); left < Dependent*size {
			return
		}
	}
	for k := range v {
		v[k] /= left
	}
	f.basis = append(f.basis, v)
	f.R, f.Kept = append(append(f.R, r...), left), append(f.Kept, f.Offered-1)
}

// Fit returns the coefficients of all offered columns for which they are closest to y (zero for dependent columns), and
// the residual of y.
func (f *Few) Fit(y []float64) (coef, left []float64) {
	left = append([]float64(nil), y...)
	z := make([]float64, len(f.basis))
	for k, q := range f.basis {
		z[k] = Dot(q, left)
		floats.AddScaled(left, -z[k], q)
	}
	// Rᵀ is packed by rows: column k of R begins at k·(k+1)/2.
	for k := len(z) - 1; k >= 0; k-- {
		column := f.R[k*(k+1)/2:]
		z[k] /= column[k]
		for i := range k {
			z[i] -= z[k] * column[i]
		}
	}
	coef = make([]float64, f.Offered)
	for i, c := range f.Kept {
		coef[c] = z[i]
	}
	return coef, left
}
