package doctor

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// basis is an orthonormal basis of columns, grown one column at a time by Gram and Schmidt's method done
// twice, which keeps it orthogonal to working precision (Giraud, Langou, Rozložník and van den Eshof,
// Numerische Mathematik 101, 2005). The torque checks need projections only: the part of a
// column that is orthogonal to those before it, and the residual of the torques.
type basis struct {
	rows int
	q    [][]float64
	// r holds, for every column that was kept, its coordinates in q: the triangular factor R, transposed and
	// packed by rows. kept has the column's number among all offered.
	r       []float64
	kept    []int
	offered int
}

// dependent is the part of a column's norm that must be left after projection for it to count as new.
// Filtered columns are smooth to rounding, resampled and differentiated positions to some 1e-6 of their
// size; a direction below that is noise.
const dependent = 1e-6

// offer adds a column and says whether it was independent of those before it.
func (b *basis) offer(column []float64) bool {
	b.offered++
	size := norm(column)
	if !(size > 0) || math.IsInf(size, 0) {
		return false
	}
	v := append([]float64(nil), column...)
	r := make([]float64, len(b.q)+1)
	for range 2 {
		for i, q := range b.q {
			d := dot(q, v)
			r[i] += d
			floats.AddScaled(v, -d, q)
		}
	}
	left := norm(v)
	if left < dependent*size {
		return false
	}
	for k := range v {
		v[k] /= left
	}
	r[len(b.q)] = left
	b.q, b.r, b.kept = append(b.q, v), append(b.r, r...), append(b.kept, b.offered-1)
	return true
}

// residual is the part of a vector orthogonal to the basis.
func (b *basis) residual(y []float64) []float64 {
	v := append([]float64(nil), y...)
	for range 2 {
		for _, q := range b.q {
			d := dot(q, v)
			floats.AddScaled(v, -d, q)
		}
	}
	return v
}

// solve returns the coefficients of all offered columns that come closest to y; those of columns that
// depended on others are zero.
func (b *basis) solve(y []float64) []float64 {
	z := make([]float64, len(b.q))
	v := append([]float64(nil), y...)
	for i, q := range b.q {
		z[i] = dot(q, v)
		floats.AddScaled(v, -z[i], q)
	}
	x := make([]float64, b.offered)
	blas64.Tpsv(blas.Trans, b.factor(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	for i, c := range b.kept {
		x[c] = z[i]
	}
	return x
}

// deviation is the standard deviation of gᵀx for x from solve, where rows have a deviation of one:
// ‖R⁻ᵀg‖ over the columns that were kept.
func (b *basis) deviation(g []float64) float64 {
	z := make([]float64, len(b.q))
	for i, c := range b.kept {
		z[i] = g[c]
	}
	blas64.Tpsv(blas.NoTrans, b.factor(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	return norm(z)
}

// factor is Rᵀ of the columns that were kept.
func (b *basis) factor() blas64.TriangularPacked {
	return blas64.TriangularPacked{N: len(b.q), Data: b.r, Uplo: blas.Lower, Diag: blas.NonUnit}
}
