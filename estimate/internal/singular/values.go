package singular

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// Values returns the singular values of the n×n matrix a, row-major, in descending order, and replaces z by Uᵀ·z. It
// overwrites a, and returns false where a number is not finite.
func Values(a []float64, n int, z []float64) (values []float64, ok bool) {
	if len(a) != n*n || len(z) != n {
		panic("singular: the matrix is not square, or the right-hand side is of another length")
	}
	if n == 0 {
		return nil, true
	}
	var l gonum.Implementation
	d, e := make([]float64, n), make([]float64, max(n-1, 0))
	tauQ, tauP := make([]float64, n), make([]float64, n)
	var size [1]float64
	l.Dgebrd(n, n, a, n, d, e, tauQ, tauP, size[:], -1)
	work := make([]float64, max(int(size[0]), 4*n, 1))
	l.Dgebrd(n, n, a, n, d, e, tauQ, tauP, work, len(work))
	l.Dormbr(lapack.ApplyQ, blas.Left, blas.Trans, n, 1, n, a, n, tauQ, z, 1, work, len(work))
	ok = l.Dbdsqr(blas.Upper, n, 0, 0, 1, d, e, nil, 1, nil, 1, z, 1, work)
	return d, ok && !math.IsNaN(floats.Sum(d)) && !math.IsInf(d[0], 0)
}
