package projection

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Basis is an orthonormal basis of columns, grown one column at a time by Gram and Schmidt's method done
// twice, which keeps it orthogonal to working precision (Giraud, Langou, Rozložník and van den Eshof,
// Numerische Mathematik 101, 2005). The torque checks need projections only: the part of a
// column that is orthogonal to those before it, and the residual of the torques.
type Basis struct {
	Rows int
	Q    [][]float64
	// R holds, for every column that was kept, its coordinates in Q: the triangular factor R, transposed and
	// packed by rows. Kept has the column's number among all offered.
	R       []float64
	Kept    []int
	Offered int
}

// dependent is the part of a column's norm that must be left after projection for it to count as new.
// Filtered columns are smooth to rounding, resampled and differentiated positions to some 1e-6 of their
// size; a direction below that is noise.
const dependent = 1e-6

// Offer adds a column and says whether it was independent of those before it.
func (b *Basis) Offer(column []float64) bool {
	b.Offered++
	size := Norm(column)
	if !(size > 0) || math.IsInf(size, 0) {
		return false
	}
	v := append([]float64(nil), column...)
	r := make([]float64, len(b.Q)+1)
	for range 2 {
		for i, q := range b.Q {
			d := Dot(q, v)
			r[i] += d
			floats.AddScaled(v, -d, q)
		}
	}
	left := Norm(v)
	if left < dependent*size {
		return false
	}
	for k := range v {
		v[k] /= left
	}
	r[len(b.Q)] = left
	b.Q, b.R, b.Kept = append(b.Q, v), append(b.R, r...), append(b.Kept, b.Offered-1)
	return true
}

// Residual is the part of a vector orthogonal to the basis.
func (b *Basis) Residual(y []float64) []float64 {
	v := append([]float64(nil), y...)
	for range 2 {
		for _, q := range b.Q {
			d := Dot(q, v)
			floats.AddScaled(v, -d, q)
		}
	}
	return v
}

// Solve returns the coefficients of all offered columns that come closest to y; those of columns that
// depended on others are zero.
func (b *Basis) Solve(y []float64) []float64 {
	z := make([]float64, len(b.Q))
	v := append([]float64(nil), y...)
	for i, q := range b.Q {
		z[i] = Dot(q, v)
		floats.AddScaled(v, -z[i], q)
	}
	x := make([]float64, b.Offered)
	blas64.Tpsv(blas.Trans, b.factor(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	for i, c := range b.Kept {
		x[c] = z[i]
	}
	return x
}

// Deviation is the standard deviation of gᵀx for x from Solve, where rows have a deviation of one:
// ‖R⁻ᵀg‖ over the columns that were kept.
func (b *Basis) Deviation(g []float64) float64 {
	z := make([]float64, len(b.Q))
	for i, c := range b.Kept {
		z[i] = g[c]
	}
	blas64.Tpsv(blas.NoTrans, b.factor(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	return Norm(z)
}

// factor is Rᵀ of the columns that were kept.
func (b *Basis) factor() blas64.TriangularPacked {
	return blas64.TriangularPacked{N: len(b.Q), Data: b.R, Uplo: blas.Lower, Diag: blas.NonUnit}
}
