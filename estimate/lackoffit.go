package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// ExplainedBy returns the share of the residual of the first base columns of a factor
// that the given further columns explain, and its significance. variance is that
// of an independent row, κ·σ², and independent the number of those: correlated rows
// count for fewer.
func ExplainedBy(f *Factor, base int, columns []int, variance, independent float64) Explained {
	n, m := f.N, f.N-base
	z, left := f.Z[base:], f.RSS
	for _, v := range z {
		left += v * v
	}
	a := mat.NewDense(m, len(columns), nil)
	for to, from := range columns {
		norm := 0.0
		for i := range from + 1 {
			norm = math.Hypot(norm, f.R[i*n+from])
		}
		if norm == 0 {
			continue
		}
		for i := base; i <= from; i++ {
			a.Set(i-base, to, f.R[i*n+from]/norm)
		}
	}
	var svd mat.SVD
	if left == 0 || !(variance > 0) || !svd.Factorize(a, mat.SVDThin) {
		return Explained{P: 1}
	}
	var u mat.Dense
	svd.UTo(&u)
	gain, d := 0.0, 0.0
	for k, v := range svd.Values(nil) {
		// Of a unit column less than this is no column of its own beside the base.
		if v < 1e-6 {
			break
		}
		c := 0.0
		for i, y := range z {
			c += u.At(i, k) * y
		}
		gain += c * c
		d++
	}
	free := independent - float64(base) - d
	if d == 0 || !(free >= 1) {
		return Explained{P: 1}
	}
	return Explained{Percent: 100 * gain / left, P: distuv.F{D1: d, D2: free}.Survival(gain / d / variance)}
}
