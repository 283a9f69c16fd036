package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Limits used by ExplainedBy.
const (
	// noColumn is the norm, relative to the largest of the base, below which a column is mere rounding. Columns of a
	// model differ by powers of speeds and lengths, six decades at most; what rounding leaves of gravity about a
	// vertical axis, a sum of products of sines, is 1e-15.
	noColumn = 1e-10
	// noDirection is the singular value below which the unit columns of the base span no direction. It lies between
	// 1e-6, the least excitation of a log that can be fitted, and 1e-12, rounding after filters.
	noDirection = 1e-9
	// ownPart is the part of an additional unit column that must lie outside the base for the column to count.
	ownPart = 1e-6
)

// ExplainedBy returns the share of the residual of the first base columns of a factor that the given further columns
// explain, and its significance. variance is that of an independent row, κ·σ², and independent the number of those:
// correlated rows count for fewer.
//
// The base may be dependent, as the structural columns of one joint are. Its span follows from the singular values of its
// unit columns: the triangular factor alone gives a dependent column a direction of rounding, which the rows behind lack.
func ExplainedBy(f *Factor, base int, columns []int, variance, independent float64) Explained {
	n := f.N
	span, ok := baseSpan(f, base)
	if !ok || !(variance > 0) {
		return Explained{P: 1}
	}
	_, rank := span.Dims()
	// complement removes the span from the entries of the rows of the base.
	complement := func(x []float64) {
		for k := range rank {
			d := 0.0
			for i := range base {
				d += span.At(i, k) * x[i]
			}
			for i := range base {
				x[i] -= d * span.At(i, k)
			}
		}
	}
	z := append([]float64(nil), f.Z...)
	complement(z)
	left := f.RSS
	for _, v := range z {
		left += v * v
	}
	a := mat.NewDense(n, len(columns), nil)
	for to, from := range columns {
		x := make([]float64, n)
		norm := 0.0
		for i := range from + 1 {
			x[i] = f.R[i*n+from]
			norm = math.Hypot(norm, x[i])
		}
		if norm == 0 {
			continue
		}
		complement(x)
		for i := range x {
			x[i] /= norm
		}
		a.SetCol(to, x)
	}
	var svd mat.SVD
	if left == 0 || !svd.Factorize(a, mat.SVDThin) {
		return Explained{P: 1}
	}
	var u mat.Dense
	svd.UTo(&u)
	gain, d := 0.0, 0.0
	for k, v := range svd.Values(nil) {
		if v < ownPart {
			break
		}
		c := 0.0
		for i, y := range z {
			c += u.At(i, k) * y
		}
		gain += c * c
		d++
	}
	free := independent - float64(rank) - d
	if d == 0 || !(free >= 1) {
		return Explained{P: 1}
	}
	return Explained{Percent: 100 * gain / left, P: distuv.F{D1: d, D2: free}.Survival(gain / d / variance)}
}

// baseSpan returns an orthonormal basis (base rows, rank columns) of the span of the first base columns of a factor in
// its first base rows. It returns false if the factor contains values that are not finite.
func baseSpan(f *Factor, base int) (*mat.Dense, bool) {
	n := f.N
	norms, largest := make([]float64, base), 0.0
	for j := range norms {
		for i := range j + 1 {
			norms[j] = math.Hypot(norms[j], f.R[i*n+j])
		}
		largest = max(largest, norms[j])
	}
	if largest == 0 {
		return new(mat.Dense), true
	}
	unit := mat.NewDense(base, base, nil)
	for j, norm := range norms {
		if norm > noColumn*largest {
			for i := range j + 1 {
				unit.Set(i, j, f.R[i*n+j]/norm)
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(unit, mat.SVDThin) {
		return nil, false
	}
	var u mat.Dense
	svd.UTo(&u)
	rank := 0
	for _, v := range svd.Values(nil) {
		if v > noDirection {
			rank++
		}
	}
	return u.Slice(0, base, 0, rank).(*mat.Dense), true
}
