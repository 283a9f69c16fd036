package lanes

// Combine is dst += Σ coef[i]·cols[i], column after column, each product rounded before it is added, in vector registers
// too. Columns may be longer than dst, whose entries stay in registers from the first column to the last.
func Combine(dst, coef []float64, cols [][]float64) {
	cols = cols[:len(coef)]
	for _, x := range cols {
		_ = x[:len(dst)]
	}
	from := combineVectors(dst, coef, cols)
	if from == len(dst) {
		return
	}
	rest := dst[from:]
	for i, x := range cols {
		x, a := x[from:][:len(rest)], coef[i]
		for k := range rest {
			rest[k] += float64(a * x[k])
		}
	}
}
