package lanes

import "math"

// Combine is dst += Σ coef[i]·cols[i], column after column, products and sums fused, in vector registers and
// without them to the same bits. Columns may be longer than dst, whose entries stay in registers from the first column to the last.
func Combine(dst, coef []float64, cols [][]float64) { CombineFrom(dst, coef, cols, 0) }

// CombineFrom is Combine of the columns' entries from one on.
func CombineFrom(dst, coef []float64, cols [][]float64, from int) {
	cols = cols[:len(coef)]
	for _, x := range cols {
		_ = x[from:][:len(dst)]
	}
	done := combineVectors(dst, coef, cols, from)
	if done == len(dst) {
		return
	}
	rest := dst[done:]
	for i, x := range cols {
		x, a := x[from+done:][:len(rest)], coef[i]
		for k := range rest {
			rest[k] = math.FMA(a, x[k], rest[k])
		}
	}
}
